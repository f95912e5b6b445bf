-- A resource is also found by its context: its path, the names of its columns, charts and event properties, and its custom properties. The
-- path ends with its own title, so that one lookup finds words of which some are in the title. Weights: B path, C parts, D properties.
-- `@` and an ID stands for a person, tag or resource that is the value of a property.
--
-- The vector of a parent is rebuilt at commit, once per transaction, under the row lock of the parent: two transactions that add columns to
-- one table do not wait for each other before, and none of them misses the columns of the other.

create table search_context (
  resource_id uuid primary key,
  words tsvector not null
);
create index search_context_words on search_context using gin (words) with (gin_pending_list_limit = 4096);

-- The resources whose context this transaction has to rebuild.
create unlogged table search_context_changes (
  xid xid8 not null default pg_current_xact_id(),
  resource_id uuid not null,
  primary key (xid, resource_id)
);

-- Parts are found through their parent and have no context of their own.
create function search_is_part(entity_type text) returns boolean language sql immutable parallel safe
return entity_type in ('column', 'event_property');

-- Names as stems, with a weight.
create function search_names(names text, weight "char") returns tsvector language sql immutable parallel safe
return setweight(to_tsvector('search_stems', search_prose(coalesce(names, ''))), weight);

-- No condition but the one on the parent can use an index: without statistics, Postgres would read every column for each table.
create function search_context_vectors(ids uuid[]) returns table (resource_id uuid, words tsvector) language sql stable as $$
  select r.id, search_names(replace(r.title_full, '.', ' '), 'B') || search_names(parts.names, 'C')
    || search_names(properties.texts, 'D') || coalesce(properties.targets, '') || array_to_tsvector(search_marks(r.entity_type, r.external_usage, r.archived))
  from resources r
  cross join lateral (
    select string_agg(c.title, ' ') as names from resources c where c.parent = r.id and (search_is_part(c.entity_type) or c.entity_type || '' = 'chart')
  ) parts
  cross join lateral (
    select string_agg(v.value, ' ') filter (where p.value_type in ('string', 'select', 'multi_select', 'url', 'number', 'date')) as texts,
      array_to_tsvector(array_agg('@' || v.value) filter (where p.value_type in ('user', 'resource', 'tag'))) as targets
    from property_values v join custom_properties p on p.id = v.property_id where v.resource_id = r.id
  ) properties
  where r.id = any(ids) and not search_is_part(r.entity_type)
$$;

create function search_context_rebuild() returns trigger language plpgsql set enable_seqscan = off as $$
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
  return null;
end $$;
create constraint trigger search_context_rebuild after insert on search_context_changes deferrable initially deferred
for each row execute function search_context_rebuild();

-- Custom properties.
create function search_context_note_properties() returns trigger language plpgsql as $$
begin
  insert into search_context_changes (resource_id) select distinct resource_id from changed on conflict do nothing;
  insert into search_vocabulary (word) select search_new_words(array(select search_prose(value) from changed));
  return null;
end $$;
create trigger search_context_properties_insert after insert on property_values referencing new table as changed
for each statement execute function search_context_note_properties();
create trigger search_context_properties_update after update on property_values referencing new table as changed
for each statement execute function search_context_note_properties();
create trigger search_context_properties_delete after delete on property_values referencing old table as changed
for each statement execute function search_context_note_properties();

-- Stems in the languages of the interface, to find `bestellung` with `bestellungen`.
alter table search_vocabulary
  add column english text generated always as ((ts_lexize('search_stemmer', word))[1]) stored,
  add column german text generated always as ((ts_lexize('german_stem', word))[1]) stored,
  add column spanish text generated always as ((ts_lexize('spanish_stem', word))[1]) stored,
  add column french text generated always as ((ts_lexize('french_stem', word))[1]) stored;
create index search_vocabulary_english on search_vocabulary (english);
create index search_vocabulary_german on search_vocabulary (german);
create index search_vocabulary_spanish on search_vocabulary (spanish);
create index search_vocabulary_french on search_vocabulary (french);

-- Tags, people and groups by the words of their names, to find what they are assigned to.
create table search_references (
  target uuid primary key,
  words tsvector not null
);
create index search_references_words on search_references using gin (words);

create function search_reference_write() returns trigger language plpgsql as $$
declare
  name text;
begin
  if tg_op = 'DELETE' then
    delete from search_references where target = old.id;
    return null;
  end if;
  if tg_table_name = 'users' then
    name := case when new.deleted_at is null then concat_ws(' ', new.first_name, new.last_name, split_part(new.email, '@', 1)) else '' end;
  else
    name := new.name;
  end if;
  insert into search_references (target, words) values (new.id, search_words(search_prose(name)))
  on conflict (target) do update set words = excluded.words;
  insert into search_vocabulary (word) select search_new_words(array[search_prose(name)]);
  return null;
end $$;
create trigger search_reference_write after insert or delete or update of name on tags for each row execute function search_reference_write();
create trigger search_reference_write after insert or delete or update of name on groups for each row execute function search_reference_write();
create trigger search_reference_write after insert or delete or update of first_name, last_name, email, deleted_at on users
for each row execute function search_reference_write();
insert into search_references (target, words)
select id, search_words(search_prose(name)) from tags
union all select id, search_words(search_prose(name)) from groups
union all
select id, search_words(search_prose(concat_ws(' ', first_name, last_name, split_part(email, '@', 1)))) from users where deleted_at is null;

CREATE OR REPLACE FUNCTION public.resources_edited()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  wide constant int := 500; -- as in note_changes
  loops constant text := current_setting('enable_nestloop');
  edits int;
  moved uuid[];
  referred uuid[];
  renamed uuid[];
  context_ids uuid[];
  told uuid[];
  retold uuid[];
  marked uuid[];
  titles search_titles[];
  texts search_texts[];
  retold_ids uuid[];
  retold_words tsvector[];
  spoken text[];
  old_ids uuid[];
  old_targets uuid[];
  old_fields text[];
  new_ids uuid[];
  new_targets uuid[];
  new_fields text[];
begin
  perform set_config('enable_nestloop', 'off', true);
  select count(*), array_agg(e.id) filter (where e.moved), array_agg(e.id) filter (where e.referred), array_agg(e.id) filter (where e.renamed),
    array_agg(e.id) filter (where e.said and not e.only_described), array_agg(e.id) filter (where e.said and e.only_described),
    array_agg(e.id) filter (where e.marked)
  into edits, moved, referred, renamed, told, retold, marked
  from (
    select a.id, a.parent is distinct from r.parent as moved, a.title <> r.title as renamed,
      (a.owners, a.owners_groups, a.collections, a.tags, a.teams, a.subscribers, a.bookmarked_by)
        is distinct from (r.owners, r.owners_groups, r.collections, r.tags, r.teams, r.subscribers, r.bookmarked_by) as referred,
      a.title <> r.title or a.description is distinct from r.description or a.definition is distinct from r.definition as said,
      (a.title = r.title and a.description <> '' and r.description <> '' and coalesce(a.definition, '') = '' and coalesce(r.definition, '') = '')
        is true as only_described,
      (a.external_usage, a.archived, a.entity_type) <> (r.external_usage, r.archived, r.entity_type) as marked
    from added a join removed r using (id)
  ) e;
  if told is not null then
    with titles as materialized (
      select d.title, t.* from (select distinct title from added where id in (select unnest(told))) d cross join lateral search_title(d.title) t
    ), proses as materialized (
      select d.description, p.prose, search_words(p.prose) as words
      from (select distinct description from added where id in (select unnest(told)) and description <> '') d
      cross join lateral (select search_prose(d.description) as prose offset 0) p
    )
    select array(
      select row(e.id, e.external_usage > 0, e.external_usage, e.archived, t.title_words,
        t.words || array_to_tsvector(search_marks(e.entity_type, e.external_usage, e.archived)))::search_titles
      from added e join titles t on t.title = e.title where e.id in (select unnest(renamed))
    ), array(
      select row(e.id, search_weighted(t.heading || search_marks(e.entity_type, e.external_usage, e.archived)) || coalesce(p.words, ''),
        search_docs(t.words, t.heading, p.words, e.definition))::search_texts
      from added e join titles t on t.title = e.title left join proses p on p.description = e.description
      where e.id in (select unnest(told)) and (e.description <> '' or e.definition <> '')
    ), array(select title_words from titles where renamed is not null union all select p.prose from proses p)
    into titles, texts, spoken;
  end if;
  if retold is not null then
    with proses as materialized (
      select d.description, p.prose, search_words(p.prose) as words
      from (select distinct description from added where id in (select unnest(retold))) d
      cross join lateral (select search_prose(d.description) as prose offset 0) p
    )
    select array_agg(e.id), array_agg(p.words), spoken || array(select p.prose from proses p)
    into retold_ids, retold_words, spoken
    from added e join proses p on p.description = e.description where e.id in (select unnest(retold));
  end if;
  -- The context of a resource holds its path and its parts (0037_search_context.sql).
  select array_agg(c.id) into context_ids from (
    select unnest(case when search_is_part(a.entity_type) then array[a.parent, r.parent] else array[a.id] end) as id
    from added a join removed r using (id)
    where (a.title, a.entity_type, a.parent) is distinct from (r.title, r.entity_type, r.parent)
      or (not search_is_part(a.entity_type) and (a.title_full <> r.title_full
        or search_marks(a.entity_type, a.external_usage, a.archived) <> search_marks(r.entity_type, r.external_usage, r.archived)))
  ) c where c.id is not null;
  perform set_config('enable_nestloop', loops, true);

  if context_ids is not null then
    insert into search_context_changes (resource_id) select unnest(context_ids) on conflict do nothing;
  end if;
  if edits > wide then insert into resource_changes (resource_id) values (null);
  else insert into resource_changes (resource_id, old) select r.id, row(r.*)::resources from removed r;
  end if;

  if renamed is not null then
    update search_titles s set used = f.used, usage = f.usage, archived = f.archived, title_words = f.title_words, words = f.words
    from unnest(titles) f where s.resource_id = f.resource_id;
  end if;
  if told is not null then
    delete from search_texts where resource_id in (select unnest(told));
    insert into search_texts select * from unnest(texts);
  end if;
  if retold is not null then
    update search_texts s set words = ts_filter(s.words, '{a}') || f.words
    from unnest(retold_ids, retold_words) f (id, words) where s.resource_id = f.id;
  end if;
  if spoken is not null then
    insert into search_vocabulary (word) select search_new_words(spoken);
  end if;

  if marked is not null then
    update search_titles s set used = a.external_usage > 0, usage = a.external_usage, archived = a.archived,
      words = ts_delete(s.words, array(select mark from unnest(tsvector_to_array(s.words)) mark where starts_with(mark, '#')))
        || array_to_tsvector(search_marks(a.entity_type, a.external_usage, a.archived))
    from added a where s.resource_id = a.id and a.id in (select unnest(marked));
    update search_texts s set words = ts_delete(s.words, array(select mark from unnest(tsvector_to_array(s.words)) mark where starts_with(mark, '#')))
        || search_weighted(search_marks(a.entity_type, a.external_usage, a.archived))
    from added a where s.resource_id = a.id and a.id in (select unnest(marked));
  end if;

  if referred is not null then
    select array_agg(d.id) filter (where d.was), array_agg(d.target) filter (where d.was), array_agg(d.field) filter (where d.was),
      array_agg(d.id) filter (where d.is), array_agg(d.target) filter (where d.is), array_agg(d.field) filter (where d.is)
    into old_ids, old_targets, old_fields, new_ids, new_targets, new_fields
    from (
      select f.id, f.target, f.field, bool_or(f.was) as was, bool_or(not f.was) as is from (
        select r.id, f.target, f.field, true as was from removed r cross join lateral refs_of(r) f where r.id in (select unnest(referred))
        union all
        select a.id, f.target, f.field, false from added a cross join lateral refs_of(a) f where a.id in (select unnest(referred))
      ) f group by 1, 2, 3 having count(distinct f.was) = 1
    ) d;
    delete from resource_refs s using unnest(old_ids, old_targets, old_fields) o (id, target, field)
    where s.target = o.target and s.field = o.field and s.resource_id = o.id;
    insert into resource_refs (resource_id, target, field) select * from unnest(new_ids, new_targets, new_fields);
  end if;

  if moved is not null then
    insert into parent_changes as c (parent, added)
    select parent, sum(n) from (
      select parent, 1 as n from added where id in (select unnest(moved))
      union all
      select parent, -1 from removed where id in (select unnest(moved))
    ) moves where parent is not null group by parent having sum(n) <> 0
    on conflict (xid, parent) do update set added = c.added + excluded.added;
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.search_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$ -- see resources_edited
begin
  with titles as materialized (
    select d.title, t.* from (select distinct title from added) d cross join lateral search_title(d.title) t
  ), proses as materialized (
    select d.description, p.prose, search_words(p.prose) as words
    from (select distinct description from added where description <> '') d cross join lateral (select search_prose(d.description) as prose offset 0) p
  ), titled as (
    insert into search_titles (resource_id, used, usage, archived, title_words, words)
    select a.id, a.external_usage > 0, a.external_usage, a.archived, t.title_words, t.words || array_to_tsvector(search_marks(a.entity_type, a.external_usage, a.archived))
    from added a join titles t on t.title = a.title
  ), told as (
    insert into search_texts (resource_id, words, docs)
    select a.id, search_weighted(t.heading || search_marks(a.entity_type, a.external_usage, a.archived)) || coalesce(p.words, ''),
      search_docs(t.words, t.heading, p.words, a.definition)
    from added a join titles t on t.title = a.title left join proses p on p.description = a.description
    where a.description <> '' or a.definition <> ''
  )
  insert into search_vocabulary (word) select search_new_words(array(select title_words from titles union all select prose from proses));
  insert into search_context_changes (resource_id)
  select case when search_is_part(a.entity_type) then a.parent else a.id end from added a where not search_is_part(a.entity_type) or a.parent is not null
  on conflict do nothing;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.search_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from search_titles s using removed r where s.resource_id = r.id;
  delete from search_texts s using removed r where s.resource_id = r.id;
  delete from search_context s using removed r where s.resource_id = r.id;
  insert into search_context_changes (resource_id)
  select r.parent from removed r where search_is_part(r.entity_type) and r.parent is not null and r.parent not in (select id from removed)
  on conflict do nothing;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.search_emptied()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  truncate search_titles, search_texts, search_context;
  return null;
end $function$
;

insert into search_context (resource_id, words) select * from search_context_vectors(array(select id from resources));
insert into search_vocabulary (word)
select search_new_words(array(
  select search_prose(value) from property_values union all select search_prose(name) from tags union all select search_prose(name) from groups
  union all select search_prose(concat_ws(' ', first_name, last_name)) from users where deleted_at is null
));
analyze search_context;

-- Spelling is corrected with words that differ by one letter, or by trigrams (src/catalog/search-index/spelling.ts).
drop function search_nearest(text);
