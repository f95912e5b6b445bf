-- A schedule of backups that the server itself writes to a folder, and the files it wrote.
create table backup_schedule (
  id boolean primary key default true check (id),
  schedule jsonb not null,
  keep integer not null check (keep between 1 and 365),
  next_run_at timestamptz not null,
  updated_at timestamptz not null
);

alter table backups add column file text;
alter table backups add column removed_at timestamptz;
alter table backups drop constraint backups_method_check;
-- small table
alter table backups add constraint backups_method_check check (method in ('download', 'command', 'schedule'));
