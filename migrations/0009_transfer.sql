-- The lines of a file on their way into the catalog, from the moment they are read until the import is over. Lost in a crash, and no harm:
-- what was not applied then has changed nothing. Import IDs grow with time, so what a dead process left behind is found by its ID.
create unlogged table import_lines (
  import_id uuid not null,
  line integer not null,
  new_id uuid,       -- of the resource, should it be a new one
  key text,
  id uuid,
  parent_key text,
  parent_id uuid,
  from_key text,
  to_key text,
  data jsonb,
  primary key (import_id, line)
);
