-- Domain events: what happened, by kind, where it is not a change of the entry's own fields. Until now it was in `changes`, as fields that nobody
-- had changed.
alter table activities add column payload jsonb;
update activities a set changes = null,
  payload = (select coalesce(jsonb_object_agg(c ->> 'field', c -> 'to'), '{}') from jsonb_array_elements(a.changes) c)
where a.changes is not null and a.version is null and (
  a.activity_type in ('incident_opened', 'incident_reopened', 'incident_resolved', 'incident_acknowledged', 'incident_commented', 'incident_assigned',
    'incident_marked_normal', 'incident_marked_incident', 'question_asked', 'question_assigned', 'question_replied', 'question_reply_accepted',
    'person_mentioned', 'schema_changed', 'pii_viewed', 'session_started', 'sign_in_failed')
  or a.activity_type like '%\_exported');
-- An edited monitor was named by a field that did not change.
update activities a set
  changes = (select coalesce(jsonb_agg(c order by n), '[]') from jsonb_array_elements(a.changes) with ordinality as e(c, n) where c ->> 'field' <> 'monitor'),
  payload = jsonb_build_object('monitor', jsonb_path_query_first(a.changes, '$[*] ? (@.field == "monitor").to'))
where a.activity_type in ('monitor_created', 'monitor_updated', 'monitor_deleted') and jsonb_path_exists(a.changes, '$[*] ? (@.field == "monitor")');

-- Reopened incidents were missing from the index, so their follower could not use it.
drop index activities_incidents;
create index activities_incidents on activities (xid) where activity_type in ('incident_opened', 'incident_reopened', 'incident_resolved');

-- How far each follower of the log is.
create table follower_positions (
  follower text primary key check (follower in ('inbox', 'alerts', 'webhooks')),
  seen text not null,
  target text,
  at_xid xid8,
  at_id uuid,
  since timestamptz not null
);
insert into follower_positions (follower, seen, target, at_xid, at_id, since)
select 'inbox', seen, target, at_xid, at_id, since from notification_position
union all select 'alerts', seen, target, at_xid, at_id, since from alert_position
union all select 'webhooks', seen, target, at_xid, at_id, since from webhook_position;
drop table notification_position;
drop table alert_position;
drop table webhook_position;

-- Everything that is sent: to a person, to a Slack channel (`address`) or to a webhook.
create table deliveries (
  id uuid primary key,
  channel text not null check (channel in ('email', 'slack', 'webhook')),
  user_id uuid references users on delete cascade,
  address text,
  webhook_id uuid references webhooks on delete cascade,
  status text not null check (status in ('pending', 'sending', 'sent', 'failed', 'uncertain', 'dropped')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  claim uuid,
  leased_until timestamptz,
  handed_over_at timestamptz,
  doubtful_since timestamptz,
  sent_at timestamptz,
  error text,
  -- of messages
  resources jsonb not null default '[]',
  resources_count integer not null default 0,
  alert jsonb,
  thread uuid,
  receipt text,
  -- of webhooks
  activity_id uuid,
  event text,
  response_status integer,
  response_body text,
  response_ms integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nonnulls(user_id, address, webhook_id) = 1),
  check ((channel = 'webhook') = (webhook_id is not null and event is not null))
);
insert into deliveries (id, channel, user_id, address, status, attempts, due_at, claim, leased_until, handed_over_at, doubtful_since, sent_at, error,
  resources, resources_count, alert, thread, receipt, created_at, updated_at)
select id, channel, user_id, case when user_id is null then address end, status, attempts, due_at, claim, leased_until, handed_over_at, doubtful_since,
  sent_at, error, resources, resources_count, alert, thread, receipt, created_at, updated_at
from notification_deliveries;
insert into deliveries (id, channel, webhook_id, status, attempts, due_at, claim, leased_until, sent_at, error, activity_id, event, response_status,
  response_body, response_ms, created_at, updated_at)
select id, 'webhook', webhook_id, case status when 'delivered' then 'sent' else status end, attempts, due_at, claim, leased_until, delivered_at, error,
  activity_id, event, response_status, response_body, response_ms, created_at, updated_at
from webhook_deliveries;
drop table notification_deliveries;
drop table webhook_deliveries;

create index deliveries_leased on deliveries (leased_until) where status = 'sending';
-- Webhooks have many more deliveries than people, so each has its own indexes.
create index deliveries_due on deliveries (due_at) where status = 'pending' and webhook_id is null;
create index deliveries_created_at on deliveries (created_at desc, id) where webhook_id is null;
create index deliveries_status on deliveries (status, created_at desc, id) where webhook_id is null;
create index deliveries_open on deliveries (user_id, channel) where status in ('pending', 'sending') and user_id is not null;
create index deliveries_user on deliveries (user_id, channel, created_at desc) where user_id is not null;
create index deliveries_thread on deliveries (thread, channel) where thread is not null;
create index deliveries_webhook_due on deliveries (webhook_id, due_at) where status = 'pending' and webhook_id is not null;
create index deliveries_webhook_created_at on deliveries (created_at) where webhook_id is not null;
create index deliveries_webhook_list on deliveries (webhook_id, created_at desc, id) where webhook_id is not null;
create index deliveries_webhook_status on deliveries (webhook_id, status, created_at desc, id) where webhook_id is not null;
