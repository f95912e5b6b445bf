-- What a connector has read in a sync that is not complete yet, one row for each item with everything below it. The next attempt takes it from here where
-- the source has not changed it. Logged, because the machine on which a sync was killed is often that of Postgres. The rows are deleted when a sync is
-- complete, and after two days.
create table sync_checkpoints (
  integration uuid not null references integrations (id) on delete cascade,
  key text collate "C" not null,
  version text not null,
  settings_hash text not null,
  sync_id uuid not null,
  read_at timestamptz not null,
  messages text not null,
  primary key (integration, key)
);
