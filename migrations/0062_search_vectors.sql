-- Vectors of an embeddings service (docs/decisions/0028-embeddings-service.md). Without the setting, nothing is written here.

-- The model that the vectors are from; no row: there is no service.
create table search_vector_model (
  only_row boolean primary key default true check (only_row),
  model text not null,
  -- Of every vector, known with the first one.
  dimensions int
);

create table search_vectors (
  resource_id uuid primary key,
  -- Of the text that was embedded: usage and other changes do not change it.
  text_hash text not null,
  -- One signed byte per dimension, and its signs: comparing signs is fast and finds the candidates.
  vector bytea not null,
  signs bit varying not null
);
-- Compressed bytes would have to be decompressed for every candidate, and gain nothing.
alter table search_vectors alter column vector set storage external, alter column signs set storage plain;

-- Resources whose text may have changed. Rows are only added and deleted, so writers never wait for each other or for the task that embeds.
create table search_vector_changes (
  id bigint generated always as identity primary key,
  resource_id uuid not null
);

create or replace function search_context_rebuild() returns trigger language plpgsql set enable_seqscan to off as $$
declare
  me constant xid8 := pg_current_xact_id();
  ids uuid[];
begin
  -- The first call does the work of all and deletes the rows; the others find their own row gone.
  perform from search_context_changes where xid = me and resource_id = new.resource_id;
  if not found then return null; end if;
  select array_agg(resource_id) into ids from search_context_changes where xid = me;
  delete from search_context_changes where xid = me;
  perform from resources r where r.id = any(ids) order by r.id for no key update;
  insert into search_context as s (resource_id, words) select * from search_context_vectors(ids)
  on conflict (resource_id) do update set words = excluded.words where s.words <> excluded.words;
  insert into search_vector_changes (resource_id) select unnest(ids) from search_vector_model;
  return null;
end $$;

-- Descriptions and documentation are not part of the context.
create function queue_search_vectors() returns trigger language plpgsql as $$
begin
  if exists (select from search_vector_model) then
    insert into search_vector_changes (resource_id)
    select a.id from added a join removed r using (id)
    where not search_is_part(a.entity_type) and (a.description, a.definition) is distinct from (r.description, r.definition);
  end if;
  return null;
end $$;
create trigger queue_search_vectors after update on resources referencing old table as removed new table as added
for each statement execute function queue_search_vectors();

create or replace function search_removed() returns trigger language plpgsql as $$
begin
  delete from search_titles s using removed r where s.resource_id = r.id;
  delete from search_texts s using removed r where s.resource_id = r.id;
  delete from search_context s using removed r where s.resource_id = r.id;
  if exists (select from search_vector_model) then
    delete from search_vectors s using removed r where s.resource_id = r.id;
  end if;
  insert into search_context_changes (resource_id)
  select r.parent from removed r where search_is_part(r.entity_type) and r.parent is not null and r.parent not in (select id from removed)
  on conflict do nothing;
  return null;
end $$;

create or replace function search_emptied() returns trigger language plpgsql as $$
begin
  truncate search_titles, search_texts, search_context, search_vectors;
  return null;
end $$;
