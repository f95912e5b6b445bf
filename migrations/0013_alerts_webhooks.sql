-- Telling of trouble, and telling machines: alerts (incidents, once and once when they are over) and webhooks.

-- An alert is an entry of history that is told at once and by itself: to the owners and followers of what it is about and of what is made
-- from it, and in the Slack channel it names. What breaks below something broken is told in the same thread.
create table notification_alerts (
  activity_id uuid primary key,
  about uuid not null, -- the incident
  phase text not null check (phase in ('opened', 'resolved')),
  resource_id uuid not null,
  place uuid not null, -- its table, where lineage runs
  above uuid, -- one that was open upstream at that moment, as the entry says
  opened_at timestamptz not null,
  due_at timestamptz not null,
  thread uuid, -- the uppermost alert it is told under; known once it is told
  told_at timestamptz
);
create unique index notification_alerts_about on notification_alerts (about, phase);
create index notification_alerts_due on notification_alerts (due_at) where told_at is null;
create index notification_alerts_place on notification_alerts (place, opened_at);
create index notification_alerts_opened on notification_alerts (opened_at);

alter table notification_deliveries
  alter column user_id drop not null,
  add column address text, -- the Slack channel, when it is for nobody in particular
  add column alert jsonb, -- what it says, when it tells of alerts and not of changes
  add column thread uuid,
  add column receipt text, -- what the other side calls it: answers in its thread name it
  add column doubtful_since timestamptz, -- an attempt that may have reached the other side
  add check (user_id is not null or address is not null);
create index notification_deliveries_thread on notification_deliveries (thread, channel) where thread is not null;

-- Machines that want to hear. The secret is sealed as those of integrations are.
create table webhooks (
  id uuid primary key,
  name text not null,
  url text not null,
  events text[] not null, -- types of activities; `incident_*` for all that begin so
  entity_types text[],
  integrations uuid[],
  enabled boolean not null default true,
  since timestamptz not null, -- nothing older is sent
  secret bytea not null,
  secret_key text not null,
  old_secret bytea, -- signs along with the new one for a day
  old_secret_until timestamptz,
  last_delivered_at timestamptz,
  failing_since timestamptz,
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhooks_created_at on webhooks (created_at desc, id);

-- How far the webhooks' follower is; see notification_position.
create table webhook_position (
  one boolean primary key default true check (one),
  seen text not null,
  target text,
  at_xid xid8,
  at_id uuid,
  since timestamptz not null
);
insert into webhook_position (seen, since) values (pg_current_snapshot()::text, now());

create table webhook_deliveries (
  id uuid primary key, -- travels as webhook-id: receivers know a repetition by it
  webhook_id uuid not null references webhooks on delete cascade,
  activity_id uuid, -- none: a test
  event text not null,
  status text not null check (status in ('pending', 'sending', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  claim uuid,
  leased_until timestamptz,
  response_status integer,
  response_body text,
  response_ms integer,
  error text,
  delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where status = 'pending';
create index webhook_deliveries_leased on webhook_deliveries (leased_until) where status = 'sending';
create index webhook_deliveries_list on webhook_deliveries (webhook_id, created_at desc, id);
create index webhook_deliveries_status on webhook_deliveries (webhook_id, status, created_at desc, id);
create index webhook_deliveries_created_at on webhook_deliveries (created_at);
