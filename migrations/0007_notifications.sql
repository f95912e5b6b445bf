-- Who hears of which change. The outbox is `activities` itself: every change writes its entry in its own transaction, so a writer pays
-- nothing for being followed. One follower at a time reads what was committed since, fills the inboxes and gathers what is to be sent.

-- How far the follower is. `seen` is a pg_snapshot: every entry it sees is done. `target` is the one worked towards, in steps from
-- (at_xid, at_id) on. Snapshots, not a number: a transaction with a lower number may commit later than one with a higher.
create table notification_position (
  one boolean primary key default true check (one),
  seen text not null,
  target text,
  at_xid xid8,
  at_id uuid,
  since timestamptz not null -- nothing older is told
);
insert into notification_position (seen, since) values (pg_current_snapshot()::text, now());

create table notifications (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  resource_id uuid not null,
  resource_type text not null,
  resource_title text not null,
  -- Of a deleted resource, what decides who may see it, as it was: who saw it then may go on reading of it.
  gone boolean not null default false,
  published boolean not null default false,
  teams uuid[],
  activity_ids uuid[] not null, -- the latest of them
  changes_count integer not null,
  last_change_at timestamptz not null,
  read_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- What is unread grows instead of multiplying.
create unique index notifications_unread on notifications (user_id, resource_id) where read_at is null;
create index notifications_inbox on notifications (user_id, last_change_at desc, id);
create index notifications_resource on notifications (resource_id);
create index notifications_last_change_at on notifications (last_change_at);

create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  email boolean not null default true,
  slack boolean not null default false,
  slack_id text,
  updated_at timestamptz not null
);

-- What a person is to be told of a resource on a channel, and when they were told last: at most one message in five minutes.
create table notification_windows (
  user_id uuid not null references users on delete cascade,
  channel text not null,
  resource_id uuid not null,
  activity_ids uuid[],
  changes_count integer not null default 0,
  due_at timestamptz,
  told_at timestamptz,
  primary key (user_id, channel, resource_id)
);
create index notification_windows_due on notification_windows (due_at) where due_at is not null;
create index notification_windows_told on notification_windows (told_at) where due_at is null;

-- The ledger: one row for each message, recipient and channel.
create table notification_deliveries (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  channel text not null check (channel in ('email', 'slack')),
  resources jsonb not null, -- [{resource_id, activity_ids, changes_count}]: the words are found when it is sent
  resources_count integer not null,
  status text not null check (status in ('pending', 'sending', 'sent', 'failed', 'uncertain', 'dropped')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- Whoever sends it holds a claim until the lease ends. After `handed_over_at` the other side may have the message.
  claim uuid,
  leased_until timestamptz,
  handed_over_at timestamptz,
  sent_at timestamptz,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index notification_deliveries_due on notification_deliveries (due_at) where status = 'pending';
create index notification_deliveries_leased on notification_deliveries (leased_until) where status = 'sending';
create index notification_deliveries_open on notification_deliveries (user_id, channel) where status in ('pending', 'sending');
create index notification_deliveries_user on notification_deliveries (user_id, channel, created_at desc);
create index notification_deliveries_created_at on notification_deliveries (created_at desc, id);
create index notification_deliveries_status on notification_deliveries (status, created_at desc, id);
