-- The function of 0010 again. Its plans are kept: to plan them anew for each statement, because of the arrays they are given, took longer
-- than all they do for a hundred rows. References that went and came are told apart in one pass, and titles that stayed bring no new words.
create or replace function resources_edited() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
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
