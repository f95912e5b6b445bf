-- Deleted resources that can be brought back, each with everything that was below it. Kept for 90 days.
create table trash (
  id uuid primary key,
  resource_id uuid not null, -- the one that was deleted; what was below it went with it
  deleted_at timestamptz not null,
  deleted_by uuid,
  resources_below integer not null,
  record jsonb not null, -- its row
  columns jsonb not null, -- the columns of each table at that time: one that came later has its default when the row comes back
  removed_at timestamptz -- restored, deleted for good or too old: its rows are deleted in batches
);
create unique index trash_resource on trash (resource_id) where removed_at is null;
create index trash_deleted_at on trash (deleted_at desc, id) where removed_at is null;
create index trash_removed_at on trash (removed_at) where removed_at is not null;

-- What went, row by row; parents before their children.
create table trash_rows (
  trash uuid not null,
  table_name text collate "C" not null,
  number bigint generated always as identity,
  row jsonb not null,
  primary key (trash, table_name, number)
);
