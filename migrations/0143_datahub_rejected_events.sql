-- Events of DataHub connectors that could not be read, for the loss report.
create table datahub_rejected_events (
  integration uuid not null references integrations (id) on delete cascade,
  event_hash text collate "C" not null,
  line text not null,
  received_at timestamptz not null,
  primary key (integration, event_hash)
);
