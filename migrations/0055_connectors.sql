-- What a connector saved for its next, incremental run. It belongs to the settings it was made with.
create table connector_states (
  integration uuid primary key references integrations on delete cascade,
  settings_hash text not null,
  state jsonb not null
);

-- A user has asked a queued or running sync to stop.
alter table integration_syncs add column cancelled_at timestamptz;
