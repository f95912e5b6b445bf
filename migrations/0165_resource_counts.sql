-- How many resources there are for each combination of the fields that lists are most often filtered by, and of what visibility depends on
-- (published, teams): the exact count of such a list is a sum of few rows. As in column_counts, a write inserts its difference and
-- housekeeping replaces the rows of a combination by their sum.
create table resource_counts (
  entity_type text not null,
  integration uuid,
  published boolean not null,
  archived boolean not null,
  pii boolean not null,
  verified boolean not null,
  teams uuid[],
  n integer not null
);

create function count_written_resources() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into resource_counts
    select a.entity_type, a.integration, a.published, a.archived, a.pii, a.verified, a.teams, count(*) from added a group by 1, 2, 3, 4, 5, 6, 7;
  else
    insert into resource_counts
    select r.entity_type, r.integration, r.published, r.archived, r.pii, r.verified, r.teams, -count(*) from removed r group by 1, 2, 3, 4, 5, 6, 7;
  end if;
  return null;
end $$;

-- Edits: as before, and the last block.
create or replace function update_derived_rows() returns trigger language plpgsql set plan_cache_mode to force_generic_plan as $$
declare
  max_logged_rows constant int := 500; -- as in log_resource_changes
  nestloop_setting constant text := current_setting('enable_nestloop');
  hashed text := set_config('enable_nestloop', 'off', true); -- assigned: as a statement it would run like a query
  edits int;
  recounted boolean;
  regrouped boolean;
  moved uuid[];
  with_new_refs uuid[];
  renamed uuid[];
  with_new_context uuid[];
  rewritten uuid[];
  redescribed uuid[];
  with_new_filters uuid[];
  titles search_titles[];
  texts search_texts[];
  redescribed_ids uuid[];
  redescribed_words tsvector[];
  new_texts text[];
  old_ids uuid[];
  old_targets uuid[];
  old_fields text[];
  new_ids uuid[];
  new_targets uuid[];
  new_fields text[];
begin
  select count(*), array_agg(e.id) filter (where e.moved), array_agg(e.id) filter (where e.with_new_refs), array_agg(e.id) filter (where e.renamed),
    array_agg(e.id) filter (where e.text_changed and not e.only_description), array_agg(e.id) filter (where e.text_changed and e.only_description),
    array_agg(e.id) filter (where e.with_new_filters), array_agg(e.id) filter (where e.with_new_context), bool_or(e.recounted), bool_or(e.regrouped)
  into edits, moved, with_new_refs, renamed, rewritten, redescribed, with_new_filters, with_new_context, recounted, regrouped
  from (
    select a.id, a.parent is distinct from r.parent as moved, a.title <> r.title as renamed,
      (a.owners, a.owners_groups, a.collections, a.tags, a.teams, a.subscribers, a.bookmarked_by)
        is distinct from (r.owners, r.owners_groups, r.collections, r.tags, r.teams, r.subscribers, r.bookmarked_by) as with_new_refs,
      a.title <> r.title or a.description is distinct from r.description or a.definition is distinct from r.definition as text_changed,
      (a.title = r.title and a.description <> '' and r.description <> '' and coalesce(a.definition, '') = '' and coalesce(r.definition, '') = '')
        is true as only_description,
      (a.external_usage, a.archived, a.entity_type) <> (r.external_usage, r.archived, r.entity_type) as with_new_filters,
      (a.title, a.entity_type, a.parent) is distinct from (r.title, r.entity_type, r.parent) or (not is_part_of_parent(a.entity_type) and (
        a.title_full <> r.title_full or ((a.external_usage, a.archived) <> (r.external_usage, r.archived)
          and search_filter_lexemes(a.entity_type, a.external_usage, a.archived) <> search_filter_lexemes(r.entity_type, r.external_usage, r.archived))
      )) as with_new_context,
      (a.entity_type = 'column' or r.entity_type = 'column') and (
        (a.entity_type, a.archived, a.published, a.pii) <> (r.entity_type, r.archived, r.published, r.pii)
        or (a.parent, a.integration, a.teams) is distinct from (r.parent, r.integration, r.teams) or (a.terms is null) <> (r.terms is null)
        or ((a.description <> '' or a.definition <> '') is true) <> ((r.description <> '' or r.definition <> '') is true)
      ) as recounted,
      (a.entity_type, a.published, a.archived, a.pii, a.verified) <> (r.entity_type, r.published, r.archived, r.pii, r.verified)
        or (a.integration, a.teams) is distinct from (r.integration, r.teams) as regrouped
    from added a join removed r using (id)
  ) e;
  if rewritten is not null then
    with titles as materialized (
      select d.title, t.* from (select distinct title from added where id in (select unnest(rewritten))) d cross join lateral search_title_lexemes(d.title) t
    ), descriptions as materialized (
      select d.description, p.prepared, search_stem_vector(p.prepared) as words
      from (select distinct description from added where id in (select unnest(rewritten)) and description <> '') d
      cross join lateral (select search_prepare_text(d.description) as prepared offset 0) p
    )
    select array(
      select row(e.id, e.external_usage > 0, e.external_usage, e.archived, t.title_words,
        t.words || array_to_tsvector(search_filter_lexemes(e.entity_type, e.external_usage, e.archived)))::search_titles
      from added e join titles t on t.title = e.title where e.id in (select unnest(renamed))
    ), array(
      select row(e.id, search_weight_a_vector(t.heading || search_filter_lexemes(e.entity_type, e.external_usage, e.archived)) || coalesce(p.words, ''),
        search_documentation_vector(t.words, t.heading, p.words, e.definition), null)::search_texts
      from added e join titles t on t.title = e.title left join descriptions p on p.description = e.description
      where e.id in (select unnest(rewritten)) and (e.description <> '' or e.definition <> '')
    ), array(select title_words from titles where renamed is not null union all select p.prepared from descriptions p)
    into titles, texts, new_texts;
  end if;
  if redescribed is not null then
    with descriptions as materialized (
      select d.description, p.prepared, search_stem_vector(p.prepared) as words
      from (select distinct description from added where id in (select unnest(redescribed))) d
      cross join lateral (select search_prepare_text(d.description) as prepared offset 0) p
    )
    select array_agg(e.id), array_agg(p.words), new_texts || array(select p.prepared from descriptions p)
    into redescribed_ids, redescribed_words, new_texts
    from added e join descriptions p on p.description = e.description where e.id in (select unnest(redescribed));
  end if;
  -- The context of a resource holds its path and its parts (0037_search_context.sql).
  if with_new_context is not null then
    insert into search_context_changes (resource_id)
    select distinct c.id from added a join removed r using (id)
    cross join lateral unnest(case when is_part_of_parent(a.entity_type) then array[a.parent, r.parent] else array[a.id] end) c (id)
    where a.id in (select unnest(with_new_context)) and c.id is not null
    on conflict do nothing;
  end if;
  hashed := set_config('enable_nestloop', nestloop_setting, true);

  if edits > max_logged_rows then insert into resource_changes (resource_id) values (null);
  else insert into resource_changes (resource_id, old) select r.id, row(r.*)::resources from removed r;
  end if;

  if renamed is not null then
    update search_titles s set used = f.used, usage = f.usage, archived = f.archived, title_words = f.title_words, words = f.words
    from unnest(titles) f where s.resource_id = f.resource_id;
  end if;
  if rewritten is not null then
    delete from search_texts where resource_id in (select unnest(rewritten));
    insert into search_texts (resource_id, words, docs) select f.resource_id, f.words, f.docs from unnest(texts) f;
  end if;
  if redescribed is not null then
    update search_texts s set words = ts_filter(s.words, '{a}') || f.words
    from unnest(redescribed_ids, redescribed_words) f (id, words) where s.resource_id = f.id;
  end if;
  if new_texts is not null then
    insert into search_vocabulary (word) select find_new_search_words(new_texts);
  end if;

  if with_new_filters is not null then
    update search_titles s set used = a.external_usage > 0, usage = a.external_usage, archived = a.archived,
      words = ts_delete(s.words, array(select lexeme from unnest(tsvector_to_array(s.words)) lexeme where starts_with(lexeme, '#')))
        || array_to_tsvector(search_filter_lexemes(a.entity_type, a.external_usage, a.archived))
    from added a where s.resource_id = a.id and a.id in (select unnest(with_new_filters));
    update search_texts s set words = ts_delete(s.words, array(select lexeme from unnest(tsvector_to_array(s.words)) lexeme where starts_with(lexeme, '#')))
        || search_weight_a_vector(search_filter_lexemes(a.entity_type, a.external_usage, a.archived))
    from added a where s.resource_id = a.id and a.id in (select unnest(with_new_filters));
  end if;

  if with_new_refs is not null then
    select array_agg(d.id) filter (where d.was), array_agg(d.target) filter (where d.was), array_agg(d.field) filter (where d.was),
      array_agg(d.id) filter (where d.is), array_agg(d.target) filter (where d.is), array_agg(d.field) filter (where d.is)
    into old_ids, old_targets, old_fields, new_ids, new_targets, new_fields
    from (
      select f.id, f.target, f.field, bool_or(f.was) as was, bool_or(not f.was) as is from (
        select r.id, f.target, f.field, true as was from removed r cross join lateral list_resource_refs(r) f where r.id in (select unnest(with_new_refs))
        union all
        select a.id, f.target, f.field, false from added a cross join lateral list_resource_refs(a) f where a.id in (select unnest(with_new_refs))
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

  if recounted then
    insert into column_counts
    select d.parent, d.integration, d.published, d.teams, sum(d.n), sum(d.n * d.described), sum(d.n * d.with_terms), sum(d.n * d.pii)
    from (
      select -1 as n, r.parent, r.integration, r.published, r.teams, ((r.description <> '' or r.definition <> '') is true)::int as described,
        (r.terms is not null)::int as with_terms, r.pii::int as pii
      from removed r where r.entity_type = 'column' and not r.archived
      union all
      select 1, a.parent, a.integration, a.published, a.teams, ((a.description <> '' or a.definition <> '') is true)::int, (a.terms is not null)::int, a.pii::int
      from added a where a.entity_type = 'column' and not a.archived
    ) d group by 1, 2, 3, 4
    having (sum(d.n), sum(d.n * d.described), sum(d.n * d.with_terms), sum(d.n * d.pii)) <> (0, 0, 0, 0);
  end if;
  if regrouped then
    insert into resource_counts
    select d.entity_type, d.integration, d.published, d.archived, d.pii, d.verified, d.teams, sum(d.n)
    from (
      select -1 as n, r.entity_type, r.integration, r.published, r.archived, r.pii, r.verified, r.teams from removed r
      union all
      select 1, a.entity_type, a.integration, a.published, a.archived, a.pii, a.verified, a.teams from added a
    ) d group by 1, 2, 3, 4, 5, 6, 7 having sum(d.n) <> 0;
  end if;
  return null;
end $$;

create or replace function truncate_column_counts() returns trigger language plpgsql as $$
begin
  truncate column_counts, resource_counts;
  return null;
end $$;

-- They wait for running writes: all of these are counted by the next migration, and all later ones by the triggers.
create trigger count_resources_insert after insert on resources referencing new table as added for each statement execute function count_written_resources();
create trigger count_resources_delete after delete on resources referencing old table as removed for each statement execute function count_written_resources();
