-- How the columns of a table changed in its source: one row per table and sync, or per pushed event (without a sync).
create table schema_changes (
  id uuid primary key,
  table_id uuid not null,
  at timestamptz not null,
  sync_id uuid,
  changes jsonb not null,
  announced boolean not null default false
);
create index schema_changes_table on schema_changes (table_id, at desc, id desc);
create unique index schema_changes_sync on schema_changes (table_id, sync_id);
create index schema_changes_unannounced on schema_changes (table_id) where not announced;
