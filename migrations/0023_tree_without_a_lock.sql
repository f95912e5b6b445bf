-- Children are counted, and the paths of new ones checked, when a transaction commits. A creation that updates its parent's row at once holds
-- that row until it ends, and an import runs for minutes: nobody could rename the parent or add to it meanwhile. See docs/decisions/tree-locks.md.
create unlogged table parent_changes ( -- a transaction removes its own rows before it commits, so nobody ever reads another's
  xid xid8 not null default pg_current_xact_id(),
  parent uuid not null,
  added int not null default 0,           -- children more (or fewer) than the row of the parent says
  place text,                             -- the parent's place as the writer used it; null when it used none
  published boolean,                      -- the same, where children are published with their parent
  restart boolean not null default false, -- begin anew when the place has changed: more than new rows would have to follow
  primary key (xid, parent)
);

create function place_key(title_full text, cluster text, database text, schema text) returns text language sql immutable parallel safe
return jsonb_build_array(title_full, cluster, database, schema)::text;

-- Runs at the commit. The parents are locked in one order; whoever renames one of them either has committed, and is seen here, or waits for
-- us and then sees our rows.
create function settle_parents() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  me constant xid8 := pg_current_xact_id();
  parents uuid[];
  renamed uuid[];
  outdated boolean;
begin
  select array_agg(parent) into parents from parent_changes where xid = me;
  if parents is null then return null; end if; -- one call does the work of all
  perform from resources p where p.id = any(parents) order by p.id for no key update;
  select array_agg(p.id) filter (where c.place <> place_key(p.title_full, p.cluster, p.database, p.schema)),
    coalesce(bool_or(p.xmin <> me::xid and (c.published <> p.published
      or (c.restart and c.place <> place_key(p.title_full, p.cluster, p.database, p.schema)))), false)
  into renamed, outdated
  from parent_changes c join resources p on p.id = c.parent where c.xid = me;
  if outdated then raise serialization_failure using message = 'The parent was changed at the same time.'; end if;
  if renamed is not null then
    with recursive below as (
      select c.id,
        case when c.entity_type = 'database' then c.title else p.title_full || '.' || c.title end as title_full,
        case when c.entity_type = 'cluster' then c.title else p.cluster end as cluster,
        case when c.entity_type = 'database' then c.title else p.database end as database,
        case when c.entity_type = 'schema' then c.title when c.entity_type = 'database' then null else p.schema end as schema
      from resources p join resources c on c.parent = p.id where p.id = any(renamed) and c.xmin = me::xid
      union all
      select c.id,
        case when c.entity_type = 'database' then c.title else b.title_full || '.' || c.title end,
        case when c.entity_type = 'cluster' then c.title else b.cluster end,
        case when c.entity_type = 'database' then c.title else b.database end,
        case when c.entity_type = 'schema' then c.title when c.entity_type = 'database' then null else b.schema end
      from below b join resources c on c.parent = b.id
    )
    update resources r set title_full = b.title_full, cluster = b.cluster, database = b.database, schema = b.schema
    from below b
    where r.id = b.id and (r.title_full, r.cluster, r.database, r.schema) is distinct from (b.title_full, b.cluster, b.database, b.schema);
  end if;
  update resources p set children_count = p.children_count + c.added
  from parent_changes c where c.xid = me and p.id = c.parent and c.added <> 0;
  delete from parent_changes where xid = me;
  return null;
end $$;
create constraint trigger settle_parents after insert on parent_changes deferrable initially deferred
for each row execute function settle_parents();

-- A parent that this transaction has written itself is counted at once: nobody else can have it now. `execute` as in 0019.
create or replace function count_children() returns trigger language plpgsql as $$
declare
  many constant int := 100;
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where parent is not null) then return null; end if;
    if exists (select from added offset many) then
      execute 'with d as materialized (
          select parent, count(*) as n from added where parent is not null group by parent
        ), own as (
          update resources p set children_count = p.children_count + d.n from d where p.id = d.parent and p.xmin = pg_current_xact_id()::xid returning p.id
        )
        insert into parent_changes as c (parent, added) select d.parent, d.n from d where d.parent not in (select o.id from own o)
        on conflict (xid, parent) do update set added = c.added + excluded.added';
    else
      with d as materialized (
        select parent, count(*) as n from added where parent is not null group by parent
      ), own as (
        update resources p set children_count = p.children_count + d.n from d where p.id = d.parent and p.xmin = pg_current_xact_id()::xid returning p.id
      )
      insert into parent_changes as c (parent, added) select d.parent, d.n from d where d.parent not in (select o.id from own o)
      on conflict (xid, parent) do update set added = c.added + excluded.added;
    end if;
  else
    -- Without those that went themselves; by grouping, because a kept plan that joins them in pairs would take hours for very many.
    insert into parent_changes as c (parent, added)
    select g.id, sum(g.n) from (
      select parent as id, -1 as n, false as gone from removed where parent is not null
      union all
      select id, 0, true from removed
    ) g group by g.id having not bool_or(g.gone)
    on conflict (xid, parent) do update set added = c.added + excluded.added;
  end if;
  return null;
end $$;

-- As in 0022, but for the last step: the parents of what moved are counted at the commit, too.
create or replace function resources_edited() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  wide constant int := 500; -- as in note_changes
  loops constant text := current_setting('enable_nestloop');
  edits int;
  moved uuid[];
  referred uuid[];
  renamed uuid[];
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
  perform set_config('enable_nestloop', loops, true);

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
end $$;
