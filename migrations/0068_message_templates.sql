-- Texts of messages that admins wrote; without a row the default is sent.
create table message_templates (
  channel text not null check (channel in ('email', 'slack', 'teams', 'pagerduty', 'opsgenie')),
  event text not null check (event in ('incident_opened', 'incident_resolved', 'schema_changed')),
  title text not null,
  body text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (channel, event)
);

-- A rule can send to a URL: signed requests, with a secret like those of a pager.
alter table notification_channels
  drop constraint notification_channels_type_check,
  add constraint notification_channels_type_check check (type in ('email', 'slack', 'teams', 'pagerduty', 'opsgenie', 'webhook'));
alter table deliveries
  drop constraint deliveries_check1,
  add constraint deliveries_check1 check ((webhook_id is not null) = (event is not null) and (webhook_id is null or channel = 'webhook'));
