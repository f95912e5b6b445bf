-- What is searched of a resource, in two rows: one of its title, one of what is written about it. A changed row is put into its indexes
-- anew with all of its words, and two thirds of them were the title's, which hardly ever changes. Now an edit of a description, by far the
-- most frequent, writes neither of them. Written by triggers and without foreign keys, as before (see 0002).
create table search_titles (
  resource_id uuid primary key,
  used boolean not null,     -- has any usage: such are few, come first, and have an index of their own (which a new number need not touch)
  usage int not null,        -- this and `archived` as in resources, whose wide rows a search does not have to fetch for all it finds
  archived boolean not null,
  title_words text not null, -- ' order items ': folded, unaccented and split, for the order of words
  words tsvector not null
);
-- In `words`:  =order  a word of the title, by its stem
--              ^ord    how a word of the title begins, or the title run together (`orderit` finds `order_items`), up to eight letters.
--                      Postgres could look for beginnings without these, but reads every word that begins so before it looks at anything else.
--              #table #u1 … #u20 #archived   the entity type, the usage, and whether it is archived: what leaves little of a frequent word

create table search_texts (  -- only of resources that have a description or a documentation
  resource_id uuid primary key,
  words tsvector not null,
  docs tsvector              -- where there is a documentation: its words, those of the description, and all of the title's
);
-- In `words`:  order   a word of title or description, by its stem
--              ^ord    how a word of the title begins, up to three letters; whether it goes on as typed is looked up in search_titles
--              #table  as above
-- What is not the description's has the weight A, and stays when only that is written.

drop table resource_search;
drop function search_title(text);

-- A title as it is searched: in its own row, and (`heading`) in that of the texts. Written for speed: it runs a million times in a load.
create function search_title(title text, out title_words text, out words tsvector, out heading text[]) language plpgsql immutable parallel safe as $$
declare
  longest constant int := 8; -- letters of a beginning
  near constant int := 3;    -- and in the heading
  plain text := btrim(regexp_replace(search_plain(left(title, 500)), '  +', ' ', 'g'));
  whole text := search_lower(plain);
  squeezed text := replace(whole, ' ', '');
  forms text;
  form text;
  stems text[];
  lexemes text[] := '{}';
begin
  title_words := ' ' || search_lower(search_parts(plain, true)) || ' ';
  forms := title_words;
  if strpos(title_words, ' ' || whole || ' ') = 0 then forms := forms || whole; end if;
  for n in 1 .. least(longest, length(squeezed)) loop lexemes := lexemes || ('^' || left(squeezed, n)); end loop;
  heading := lexemes[1:near];
  foreach form in array (string_to_array(btrim(forms), ' '))[2:] loop
    for n in 2 .. least(longest, length(form)) loop
      lexemes := lexemes || ('^' || left(form, n));
      if n <= near then heading := heading || ('^' || left(form, n)); end if;
    end loop;
  end loop;
  if strpos(whole, ' ') > 0 and length(whole) <= 60 then forms := forms || ' ' || squeezed; end if;
  stems := tsvector_to_array(to_tsvector('search_stems', forms));
  if stems <> '{}' then lexemes := lexemes || string_to_array('=' || array_to_string(stems, ' ='), ' '); end if;
  words := array_to_tsvector(lexemes);
  heading := heading || stems;
end $$;

-- Lexemes with the weight A. None of them has a quote in it.
create function search_weighted(lexemes text[]) returns tsvector language sql immutable parallel safe
return ('''' || array_to_string(lexemes, ''':1A ''') || ''':1A')::tsvector;

-- The words of a documentation with everything else that is said about a resource.
create function search_docs(title tsvector, heading text[], description tsvector, definition text) returns tsvector language sql immutable parallel safe
return case when definition <> '' then title || array_to_tsvector(heading) || coalesce(description, '') || search_words(search_prose(definition)) end;

create or replace function search_finds(query tsquery, title text, description text, definition text) returns boolean language plpgsql immutable parallel safe as $$
declare
  t record := search_title(title);
  words tsvector := t.words || array_to_tsvector(t.heading) || search_words(search_prose(description));
begin
  return words @@ query or (definition <> '' and words || search_words(search_prose(definition)) @@ query);
end $$;

-- Few titles are new in a batch: thousands of columns are called `id`, so each title is read once.
create or replace function search_added() returns trigger language plpgsql set enable_nestloop = off as $$ -- see resources_edited
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
  return null;
end $$;

-- As in 0010, but for what is searched. `told` are those of whom everything is written anew, `retold` those with another description and
-- nothing else: the many.
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

  -- This update comes through here as well: nothing moved by it, and so the chain ends.
  if moved is not null then
    update resources p set children_count = p.children_count + d.n
    from (
      select parent, sum(n) as n from (
        select parent, 1 as n from added where id in (select unnest(moved))
        union all
        select parent, -1 from removed where id in (select unnest(moved))
      ) moves where parent is not null group by parent
    ) d where p.id = d.parent;
  end if;
  return null;
end $$;

create or replace function search_removed() returns trigger language plpgsql as $$
begin
  delete from search_titles s using removed r where s.resource_id = r.id;
  delete from search_texts s using removed r where s.resource_id = r.id;
  return null;
end $$;

create or replace function search_emptied() returns trigger language plpgsql as $$
begin
  truncate search_titles, search_texts;
  return null;
end $$;

insert into search_titles (resource_id, used, usage, archived, title_words, words)
select r.id, r.external_usage > 0, r.external_usage, r.archived, t.title_words, t.words || array_to_tsvector(search_marks(r.entity_type, r.external_usage, r.archived))
from resources r cross join lateral search_title(r.title) t;
insert into search_texts (resource_id, words, docs)
select r.id, search_weighted(t.heading || search_marks(r.entity_type, r.external_usage, r.archived)) || coalesce(p.words, ''),
  search_docs(t.words, t.heading, p.words, r.definition)
from resources r cross join lateral search_title(r.title) t
cross join lateral (select search_words(search_prose(r.description)) as words offset 0) p
where r.description <> '' or r.definition <> '';

create index search_titles_words on search_titles using gin (words) with (gin_pending_list_limit = 4096);
create index search_titles_used on search_titles using gin (words) with (gin_pending_list_limit = 4096) where used;
create index search_texts_words on search_texts using gin (words, docs) with (gin_pending_list_limit = 4096);
alter table search_titles alter column words set statistics 500;
alter table search_texts alter column words set statistics 500;

-- Links in documentation (see 0014): a row with `docs` is never changed, but goes and comes.
create or replace function links_written() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then delete from resource_links where resource_id = old.resource_id;
  else
    insert into resource_links (target, resource_id)
    select l.target, r.id from resources r cross join lateral links_in(r.definition) l (target) where r.id = new.resource_id;
  end if;
  return null;
end $$;
create trigger links_added after insert on search_texts for each row when (new.docs is not null) execute function links_written();
create trigger links_removed after delete on search_texts for each row when (old.docs is not null) execute function links_written();
create trigger links_emptied after truncate on search_texts for each statement execute function links_emptied();
