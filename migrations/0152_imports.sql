-- Each import that wrote something, so that it can be undone as a whole. `xid` and `imported_at` find its activities, which are of one transaction.
create table imports (
  id uuid primary key,
  xid xid8 not null default pg_current_xact_id(),
  imported_at timestamptz not null,
  user_id uuid,
  integration uuid not null,
  file_name text,
  format text not null check (format in ('csv', 'jsonl', 'xlsx')),
  lines integer not null,
  created integer not null,
  updated integer not null,
  lineage_created integer not null,
  containers_published integer not null,
  undo_job uuid,
  undone_at timestamptz,
  undone_by uuid,
  undo_report jsonb
);
create index imports_newest on imports (imported_at desc, id desc);
create index imports_of_user on imports (user_id, imported_at desc, id desc);

-- What imports changed without a version: values that sources report. One row for each batch.
create table import_reported_values (
  import_id uuid not null references imports (id) on delete cascade deferrable initially deferred, -- imports are recorded when they end
  number integer not null,
  changes jsonb not null,
  primary key (import_id, number)
);
