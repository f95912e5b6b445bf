-- Channels that admins create and route incidents to. The secret is the URL of a Teams workflow or the key of a pager.
create table notification_channels (
  id uuid primary key,
  name text not null,
  type text not null check (type in ('email', 'slack', 'teams', 'pagerduty', 'opsgenie')),
  address text not null, -- an e-mail address, a Slack channel, the host of a Teams workflow, the URL of a pager
  secret bytea,
  secret_key text,
  enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((secret is null) = (type in ('email', 'slack'))),
  check ((secret is null) = (secret_key is null))
);
create index notification_channels_list on notification_channels (created_at desc, id);

-- Which incidents and schema changes go to which channels, by position. An empty condition matches everything.
create table notification_rules (
  id uuid primary key,
  position integer not null,
  name text not null,
  enabled boolean not null default true,
  events text[] not null,
  min_severity text check (min_severity in ('low', 'medium', 'high', 'critical')),
  tags uuid[] not null default '{}',
  teams uuid[] not null default '{}',
  owners uuid[] not null default '{}',
  below uuid[] not null default '{}',
  include_restricted boolean not null default false,
  channels uuid[] not null default '{}',
  continues boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (position) deferrable initially deferred
);

alter table deliveries
  add column channel_id uuid references notification_channels (id) on delete cascade,
  drop constraint deliveries_channel_check,
  drop constraint deliveries_check,
  add constraint deliveries_channel_check check (channel in ('email', 'slack', 'teams', 'pagerduty', 'opsgenie', 'webhook')),
  add constraint deliveries_check check (num_nonnulls(user_id, address, webhook_id, channel_id) = 1);
create index deliveries_channel on deliveries (channel_id, created_at desc) where channel_id is not null;

-- An acknowledgement is sent to pagers, a schema change to the channels of its rules. What follows an incident goes where its opening went.
alter table notification_alerts
  add column routed jsonb,
  drop constraint notification_alerts_phase_check,
  add constraint notification_alerts_phase_check check (phase in ('opened', 'acknowledged', 'resolved', 'changed'));

drop index activities_incidents;
create index activities_incidents on activities (xid) where activity_type in
  ('incident_opened', 'incident_reopened', 'incident_acknowledged', 'incident_resolved', 'schema_changed');
