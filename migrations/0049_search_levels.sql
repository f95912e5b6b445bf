-- The usage level of a resource beside its words, so that the most used matches are found without reading their titles.
create function search_level(words tsvector) returns smallint language sql immutable parallel safe
return case when words @@ '''#archived'''::tsquery then -1 when not words @@ '''#u1'''::tsquery then 0 else 1
    + (words @@ '''#u2'''::tsquery)::int + (words @@ '''#u3'''::tsquery)::int + (words @@ '''#u4'''::tsquery)::int + (words @@ '''#u5'''::tsquery)::int + (words @@ '''#u6'''::tsquery)::int + (words @@ '''#u7'''::tsquery)::int
    + (words @@ '''#u8'''::tsquery)::int + (words @@ '''#u9'''::tsquery)::int + (words @@ '''#u10'''::tsquery)::int + (words @@ '''#u11'''::tsquery)::int + (words @@ '''#u12'''::tsquery)::int + (words @@ '''#u13'''::tsquery)::int
    + (words @@ '''#u14'''::tsquery)::int + (words @@ '''#u15'''::tsquery)::int + (words @@ '''#u16'''::tsquery)::int + (words @@ '''#u17'''::tsquery)::int + (words @@ '''#u18'''::tsquery)::int + (words @@ '''#u19'''::tsquery)::int + (words @@ '''#u20'''::tsquery)::int end;

alter table search_texts add column level smallint not null generated always as (search_level(words)) stored;
alter table search_context add column level smallint not null generated always as (search_level(words)) stored;

-- As before, but `search_texts` has one column more.
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
        search_docs(t.words, t.heading, p.words, e.definition), null)::search_texts
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
    insert into search_texts (resource_id, words, docs) select f.resource_id, f.words, f.docs from unnest(texts) f;
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
