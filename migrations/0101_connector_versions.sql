-- Versions of the items that a connector reported: items with the same version need not be read again.
-- They belong to the settings they were made with. listed_at is when everything was read last, read_at when the last run began.
create table connector_versions (
  integration uuid primary key references integrations on delete cascade,
  settings_hash text not null,
  versions jsonb not null,
  listed_at timestamptz not null,
  read_at timestamptz not null
);
