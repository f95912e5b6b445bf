-- Work on existing rows that takes too long for a migration: done in batches while every process is running, and resumed where it stopped.
-- A migration adds an entry; a later one that relies on it calls finish_background_migration.
create table background_migrations (
  name text primary key,
  -- A function (after text, size int, out next text, out changed bigint): the first batch has no `after`, the last one no `next`.
  batch_function text,
  -- What follows `create index concurrently`.
  index_definition text,
  source_table text not null,
  position text,
  rows_done bigint not null default 0,
  -- An estimate; null until it has started.
  rows_total bigint,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint background_migrations_work check (num_nonnulls(batch_function, index_definition) = 1)
);

create function add_background_batches(name text, batch_function text, source_table text) returns void language sql as $$
  insert into background_migrations (name, batch_function, source_table) values (name, batch_function, source_table)
$$;

create function add_background_index(name text, index_definition text, source_table text) returns void language sql as $$
  insert into background_migrations (name, index_definition, source_table) values (name, index_definition, source_table)
$$;

-- For the migration that relies on it. Nothing is left to do on a server that ran long enough; a new or restored database does it here.
create function finish_background_migration(migration text) returns void language plpgsql as $$
declare
  entry background_migrations;
  changed bigint;
begin
  select * into entry from background_migrations b where b.name = migration for update;
  if not found then
    raise exception 'There is no background migration %.', migration;
  end if;
  if entry.finished_at is not null then
    return;
  end if;
  if entry.index_definition is not null then
    if not exists (
      select from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = split_part(entry.index_definition, ' ', 1) and c.relnamespace = current_schema()::regnamespace and i.indisvalid
    ) then
      execute format('drop index if exists %I', split_part(entry.index_definition, ' ', 1));
      execute 'create index ' || entry.index_definition;
    end if;
  else
    loop
      execute format('select next, changed from %I($1, $2)', entry.batch_function) into entry.position, changed using entry.position, 5000;
      entry.rows_done := entry.rows_done + coalesce(changed, 0);
      exit when entry.position is null;
    end loop;
  end if;
  update background_migrations b
  set position = null, rows_done = entry.rows_done, error = null, updated_at = clock_timestamp(), finished_at = clock_timestamp()
  where b.name = migration;
end
$$;
