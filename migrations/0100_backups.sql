-- The backups that were made of this workspace, so that admins see when the last one was and how large.
create table backups (
  id uuid primary key,
  method text not null check (method in ('download', 'command')),
  created_by uuid references users (id) on delete set null,
  started_at timestamptz not null,
  finished_at timestamptz,
  row_count bigint,
  byte_size bigint,
  error text
);

create index backups_started on backups (started_at desc);
