-- A change of custom properties rebuilds only the words of the properties in the context of a resource. Reading the names of all columns again took
-- half of the time of a bulk edit of properties. Columns have no context and are not queued.

alter table search_context_changes add column properties_only boolean not null default false;
alter table search_context_changes drop constraint search_context_changes_pkey;
alter table search_context_changes add primary key (xid, resource_id, properties_only);

drop function build_search_context(uuid[]);

-- With properties_only, path and parts (weights B and C) are taken from the existing context.
create function build_search_context(ids uuid[], properties_only boolean) returns table (resource_id uuid, words tsvector) language sql stable as $$
  select r.id,
    case when properties_only then ts_filter(s.words, '{b,c}') else search_name_vector(replace(r.title_full, '.', ' '), 'B') || search_name_vector(parts.names, 'C') end
    || search_name_vector(properties.texts, 'D') || coalesce(properties.targets, '') || array_to_tsvector(search_filter_lexemes(r.entity_type, r.external_usage, r.archived))
  from resources r
  left join search_context s on properties_only and s.resource_id = r.id
  cross join lateral (
    select string_agg(c.title, ' ') as names from resources c
    where not properties_only and c.parent = r.id and (is_part_of_parent(c.entity_type) or c.entity_type || '' = 'chart')
  ) parts
  cross join lateral (
    select string_agg(v.value, ' ') filter (where p.value_type in ('string', 'select', 'multi_select', 'url', 'number', 'date')) as texts,
      array_to_tsvector(array_agg('@' || v.value) filter (where p.value_type in ('user', 'resource', 'tag'))) as targets
    from property_values v join custom_properties p on p.id = v.property_id where v.resource_id = r.id
  ) properties
  where r.id = any(ids) and not is_part_of_parent(r.entity_type)
$$;

create or replace function rebuild_search_context() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  me constant xid8 := pg_current_xact_id();
  ids uuid[];
  ids_of_properties uuid[];
begin
  -- The first call does the work of all and deletes the rows; the others find their own row gone.
  perform from search_context_changes where xid = me and resource_id = new.resource_id;
  if not found then return null; end if;
  select coalesce(array_agg(resource_id) filter (where not properties_only), '{}'), coalesce(array_agg(resource_id) filter (where properties_only), '{}')
  into ids, ids_of_properties
  from (select resource_id, bool_and(properties_only) as properties_only from search_context_changes where xid = me group by resource_id) c;
  delete from search_context_changes where xid = me;
  perform from resources r where r.id = any(ids || ids_of_properties) order by r.id for no key update;
  insert into search_context as s (resource_id, words)
  select * from build_search_context(ids, false)
  on conflict (resource_id) do update set words = excluded.words where s.words <> excluded.words;
  if ids_of_properties <> '{}' then
    update search_context s set words = b.words from build_search_context(ids_of_properties, true) b
    where s.resource_id = b.resource_id and s.words <> b.words;
  end if;
  insert into search_vector_changes (resource_id) select unnest(ids || ids_of_properties) from search_vector_model;
  return null;
end $$;

create or replace function queue_search_context_of_properties() returns trigger language plpgsql as $$
begin
  insert into search_context_changes (resource_id, properties_only)
  select distinct c.resource_id, true from changed c join resources r on r.id = c.resource_id where not is_part_of_parent(r.entity_type)
  on conflict do nothing;
  insert into search_vocabulary (word) select find_new_search_words(array(select search_prepare_text(v.value) from (select distinct value from changed) v));
  return null;
end $$;
