-- A table is queued once for all its new columns: 93 % of the rows of an import were conflicts, each a look-up in the index.

create or replace function insert_search_rows() returns trigger language plpgsql set enable_nestloop = off as $$ -- see update_derived_rows
begin
  with titles as materialized (
    select d.title, t.* from (select distinct title from added) d cross join lateral search_title_lexemes(d.title) t
  ), descriptions as materialized (
    select d.description, p.prepared, search_stem_vector(p.prepared) as words
    from (select distinct description from added where description <> '') d cross join lateral (select search_prepare_text(d.description) as prepared offset 0) p
  ), inserted_titles as (
    insert into search_titles (resource_id, used, usage, archived, title_words, words)
    select a.id, a.external_usage > 0, a.external_usage, a.archived, t.title_words, t.words || array_to_tsvector(search_filter_lexemes(a.entity_type, a.external_usage, a.archived))
    from added a join titles t on t.title = a.title
  ), inserted_texts as (
    insert into search_texts (resource_id, words, docs)
    select a.id, search_weight_a_vector(t.heading || search_filter_lexemes(a.entity_type, a.external_usage, a.archived)) || coalesce(p.words, ''),
      search_documentation_vector(t.words, t.heading, p.words, a.definition)
    from added a join titles t on t.title = a.title left join descriptions p on p.description = a.description
    where a.description <> '' or a.definition <> ''
  )
  insert into search_vocabulary (word) select find_new_search_words(array(select title_words from titles union all select prepared from descriptions));
  insert into search_context_changes (resource_id)
  select distinct case when is_part_of_parent(a.entity_type) then a.parent else a.id end from added a where not is_part_of_parent(a.entity_type) or a.parent is not null
  on conflict do nothing;
  return null;
end $$;

-- Five values of a resource are one look-up, by its key: the number of changed rows is unknown to the planner, which read the whole table.
create or replace function queue_search_context_of_properties() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then
    return null;
  end if;
  insert into search_context_changes (resource_id, properties_only)
  select c.resource_id, true from (select distinct resource_id from changed) c
  cross join lateral (select r.entity_type from resources r where r.id = c.resource_id offset 0) r
  where not is_part_of_parent(r.entity_type)
  on conflict do nothing;
  -- Deleted values add no words.
  if tg_op <> 'DELETE' then
    insert into search_vocabulary (word) select find_new_search_words(array(select search_prepare_text(v.value) from (select distinct value from changed) v));
  end if;
  return null;
end $$;
