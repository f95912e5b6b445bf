-- Who and what a resource refers to, by the one referred to. The lists of IDs stay in `resources`; only what finds by them is here. As
-- indexes of `resources` they made every edit of an owner or a tag write anew into all the other indexes of the row, ten and more.
create table resource_refs (
  target uuid not null,
  field text not null,
  resource_id uuid not null,
  primary key (target, field, resource_id)
);
-- No foreign key, as with resource_search: the triggers keep the pair together.

drop index resources_owners, resources_tags, resources_collections, resources_teams, resources_subscribers, resources_bookmarked_by;
-- What is called the same lies together in resources_title_by_usage too; the order by id among the same is sorted when it is asked for.
drop index resources_title;

create function refs_of(r resources, out target uuid, out field text) returns setof record language sql immutable parallel safe rows 2
begin atomic
  select unnest(r.owners), 'owners' where r.owners is not null
  union all select unnest(r.owners_groups), 'owners_groups' where r.owners_groups is not null
  union all select unnest(r.collections), 'collections' where r.collections is not null
  union all select unnest(r.tags), 'tags' where r.tags is not null
  union all select unnest(r.teams), 'teams' where r.teams is not null
  union all select unnest(r.subscribers), 'subscribers' where r.subscribers is not null
  union all select unnest(r.bookmarked_by), 'bookmarked_by' where r.bookmarked_by is not null;
end;

create function refers(r resources) returns boolean language sql immutable parallel safe
return coalesce(r.owners, r.owners_groups, r.collections, r.tags, r.teams, r.subscribers, r.bookmarked_by) is not null;

insert into resource_refs (target, field, resource_id)
select distinct f.target, f.field, r.id from resources r cross join lateral refs_of(r) f where refers(r);

create function refs_added() returns trigger language plpgsql as $$
begin
  insert into resource_refs (target, field, resource_id)
  select distinct f.target, f.field, a.id from added a cross join lateral refs_of(a) f where refers(a);
  return null;
end $$;
create trigger refs_added after insert on resources referencing new table as added for each statement execute function refs_added();

create function refs_removed() returns trigger language plpgsql as $$
begin
  delete from resource_refs s using removed r cross join lateral refs_of(r) f
  where refers(r) and s.target = f.target and s.field = f.field and s.resource_id = r.id;
  return null;
end $$;
create trigger refs_removed after delete on resources referencing old table as removed for each statement execute function refs_removed();

create function refs_emptied() returns trigger language plpgsql as $$
begin
  truncate resource_refs;
  return null;
end $$;
create trigger refs_emptied after truncate on resources for each statement execute function refs_emptied();

-- Everything that follows from an edit, in one trigger for the statement: a bulk edit pays for most of it once, and not for each row.
drop trigger count_children_moved on resources;
drop trigger note_changes_edited on resources;
drop trigger search_edited on resources;
drop trigger search_marked on resources;
drop function search_edited(), search_marked();

create or replace function count_children() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where parent is not null) then return null; end if;
    update resources p set children_count = p.children_count + d.n
    from (select parent, count(*) as n from added where parent is not null group by parent) d where p.id = d.parent;
  else
    update resources p set children_count = p.children_count - d.n
    from (select parent, count(*) as n from removed where parent is not null group by parent) d where p.id = d.parent;
  end if;
  return null;
end $$;

-- A function keeps the plans of its first call, made for as many rows as there were then: rows joined in pairs would take hours when a
-- thousand times as many come. So what joins the rows of the statement with each other does it by hashing, and gives arrays on to what
-- looks rows up by their key.
-- And the plans are kept: to make them anew for each statement, because of the arrays they are given, took longer than all they do.
create function resources_edited() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  wide constant int := 500; -- as in note_changes
  loops constant text := current_setting('enable_nestloop');
  edits int;
  moved uuid[];
  referred uuid[];
  said uuid[];
  marked uuid[];
  entries resource_search[];
  texts text[];
  old_ids uuid[];
  old_targets uuid[];
  old_fields text[];
  new_ids uuid[];
  new_targets uuid[];
  new_fields text[];
  titled boolean;
begin
  perform set_config('enable_nestloop', 'off', true);
  select count(*), array_agg(a.id) filter (where a.parent is distinct from r.parent),
    array_agg(a.id) filter (where (a.owners, a.owners_groups, a.collections, a.tags, a.teams, a.subscribers, a.bookmarked_by)
      is distinct from (r.owners, r.owners_groups, r.collections, r.tags, r.teams, r.subscribers, r.bookmarked_by)),
    array_agg(a.id) filter (where a.title <> r.title or a.description is distinct from r.description or a.definition is distinct from r.definition),
    array_agg(a.id) filter (where (a.external_usage, a.archived, a.entity_type) <> (r.external_usage, r.archived, r.entity_type)),
    bool_or(a.title <> r.title)
  into edits, moved, referred, said, marked, titled
  from added a join removed r using (id);
  if said is not null then
    with titles as materialized (
      select d.title, t.title_words, t.words
      from (select distinct title from added where id = any(said)) d cross join lateral search_title(d.title) t
    ), proses as materialized (
      select d.description, p.prose, search_words(p.prose) as words
      from (select distinct description from added where id = any(said) and description <> '') d
      cross join lateral (select search_prose(d.description) as prose offset 0) p
    )
    select array(
      select row(e.id, e.external_usage > 0, t.title_words,
        w.words || array_to_tsvector(search_marks(e.entity_type, e.external_usage, e.archived)),
        case when e.definition <> '' then w.words || search_words(search_prose(e.definition)) end)::resource_search
      from added e join titles t on t.title = e.title left join proses p on p.description = e.description
      cross join lateral (select case when p.words is null then t.words else t.words || p.words end as words) w
      where e.id = any(said)
    ), array(select title_words from titles where titled union all select prose from proses)
    into entries, texts;
  end if;
  perform set_config('enable_nestloop', loops, true);

  if edits > wide then insert into resource_changes (resource_id) values (null);
  else insert into resource_changes (resource_id, old) select r.id, row(r.*)::resources from removed r;
  end if;

  if said is not null then
    update resource_search s set used = f.used, title_words = f.title_words, words = f.words, docs = f.docs
    from unnest(entries) f where s.resource_id = f.resource_id;
    insert into search_vocabulary (word) select search_new_words(texts);
  end if;

  if marked is not null then
    update resource_search s set used = a.external_usage > 0,
      words = ts_delete(s.words, array(select mark from unnest(tsvector_to_array(s.words)) mark where starts_with(mark, '#')))
        || array_to_tsvector(search_marks(a.entity_type, a.external_usage, a.archived))
    from added a where s.resource_id = a.id and a.id = any(marked);
  end if;

  if referred is not null then
    select array_agg(d.id) filter (where d.was), array_agg(d.target) filter (where d.was), array_agg(d.field) filter (where d.was),
      array_agg(d.id) filter (where d.is), array_agg(d.target) filter (where d.is), array_agg(d.field) filter (where d.is)
    into old_ids, old_targets, old_fields, new_ids, new_targets, new_fields
    from (
      select f.id, f.target, f.field, bool_or(f.was) as was, bool_or(not f.was) as is from (
        select r.id, f.target, f.field, true as was from removed r cross join lateral refs_of(r) f where r.id = any(referred)
        union all
        select a.id, f.target, f.field, false from added a cross join lateral refs_of(a) f where a.id = any(referred)
      ) f group by 1, 2, 3 having count(distinct f.was) = 1
    ) d;
    delete from resource_refs s using unnest(old_ids, old_targets, old_fields) o (id, target, field)
    where s.target = o.target and s.field = o.field and s.resource_id = o.id;
    insert into resource_refs (resource_id, target, field) select * from unnest(new_ids, new_targets, new_fields);
  end if;

  -- This update comes through here as well: nothing moved by it, and so the chain ends.
  if moved is not null then
    update resources p set children_count = p.children_count + d.n
    from (
      select parent, sum(n) as n from (
        select parent, 1 as n from added where id = any(moved)
        union all
        select parent, -1 from removed where id = any(moved)
      ) moves where parent is not null group by parent
    ) d where p.id = d.parent;
  end if;
  return null;
end $$;
create trigger resources_edited after update on resources referencing old table as removed new table as added for each statement execute function resources_edited();

-- The parent an entry took its resource away from, by moving or deleting it: children_count of the past is counted from here. As an
-- expression over `changes` it cost each entry a search through them, twice.
drop index activities_parent_left;
alter table activities add column parent_left uuid;
update activities a set parent_left = (jsonb_path_query_first(changes, '$[*] ? (@.field == "parent").from') #>> '{}')::uuid
where changes @? '$[*] ? (@.field == "parent").from ? (@ != null)';
create index activities_parent_left on activities (parent_left) where parent_left is not null;

-- New words wait in a list that every search reads through. To sort a long one in takes a third of the work of many short ones, so writers
-- leave it to grow, and every few seconds a worker puts it in order (resources/tidy.ts).
alter index resource_search_words set (gin_pending_list_limit = 4096);
alter index resource_search_used set (gin_pending_list_limit = 4096);
create or replace function search_added() returns trigger language plpgsql set enable_nestloop = off as $$ -- see resources_edited
begin
  with titles as materialized (
    select d.title, t.title_words, t.words from (select distinct title from added) d cross join lateral search_title(d.title) t
  ), proses as materialized (
    select d.description, p.prose, search_words(p.prose) as words
    from (select distinct description from added where description <> '') d cross join lateral (select search_prose(d.description) as prose offset 0) p
  ), written as (
    insert into resource_search (resource_id, used, title_words, words, docs)
    select a.id, a.external_usage > 0, t.title_words, w.words || array_to_tsvector(search_marks(a.entity_type, a.external_usage, a.archived)),
      case when a.definition <> '' then w.words || search_words(search_prose(a.definition)) end
    from added a join titles t on t.title = a.title left join proses p on p.description = a.description
    cross join lateral (select case when p.words is null then t.words else t.words || p.words end as words) w
  )
  insert into search_vocabulary (word) select search_new_words(array(select title_words from titles union all select prose from proses));
  return null;
end $$;
alter function search_new_words(text[]) set enable_nestloop = on;
