-- What can be searched of a resource. It has a table of its own, so that an edit of the resource stays heap only (see 0001), and is
-- written by triggers in the transaction of the change: nothing that writes to resources, not even raw SQL, can leave it stale.
-- No foreign key: its check would lock each resource once more, a third of the cost of a load. The triggers keep the pair together.
create table resource_search (
  resource_id uuid primary key,
  used boolean not null,     -- has any usage: such are few, come first, and have an index of their own
  title_words text not null, -- ' order items ': folded, unaccented and split, for the order of words
  words tsvector not null,
  docs tsvector              -- the same and the words of the documentation, where there is one
);
-- In `words`:  order   a word of title or description, by its stem
--              =order  a word of the title
--              ^ord    how a word of the title begins, or the title run together (`orderit` finds `order_items`). Postgres could look
--                      for beginnings without these, but reads every word that begins so before it looks at anything else.
--              #table #u1 … #u20 #archived   the entity type, the usage, and whether it is archived: what leaves little of a frequent word

-- Words the catalog has ever seen, to correct typing errors. Not unique on purpose: a unique index would let a long import hold up
-- whoever writes the same new word. A word seen twice at the same moment stands here twice, and no harm is done.
create table search_vocabulary (word text collate "C" not null);

create text search dictionary search_stemmer (template = pg_catalog.snowball, language = english); -- no stop words: "the" can be a title
create text search configuration search_stems (parser = pg_catalog."default");
alter text search configuration search_stems add mapping for asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part,
  hword_numpart, email, protocol, url, host, url_path, file, sfloat, float, int, uint, version, tag, entity with search_stemmer;

-- Lower case beyond ASCII needs a collation that knows it, whatever the database's own is. Which one there is depends on the server.
do $$
declare
  best text := coalesce(
    (select format('collate pg_catalog.%I', collname) from pg_collation
     where collnamespace = 'pg_catalog'::regnamespace and collname in ('pg_c_utf8', 'und-x-icu', 'C.utf8')
     order by array_position(array['pg_c_utf8', 'und-x-icu', 'C.utf8'], collname::text) limit 1), '');
begin
  -- Without accents; everything that is no letter or digit becomes a space.
  execute format($f$
    create function search_plain(value text) returns text language plpgsql immutable parallel safe strict as $b$
    begin
      return regexp_replace(unaccent('unaccent', value), '[^A-Za-z0-9 \u00c0-\u1fff\u2c00-\u2fef\u3040-\ud7ff\uf900-\ufdff\ufe70-\uffef]+', ' ', 'g');
    end $b$;
    create function search_lower(value text) returns text language sql immutable parallel safe strict return lower(value %s);
  $f$, best);
end $$;

-- `orderItems2` → `order Items 2`; in prose, where numbers are only numbers, `orderItems2` → `order Items2`.
create function search_parts(value text, digits boolean) returns text language plpgsql immutable parallel safe strict as $$
begin
  if value ~ '[a-z0-9][A-Z]|[A-Z][A-Z][a-z]' then
    value := regexp_replace(value, '([a-z0-9])([A-Z])', '\1 \2', 'g');
    value := regexp_replace(value, '([A-Z])([A-Z][a-z])', '\1 \2', 'g');
  end if;
  if digits and value ~ '[A-Za-z][0-9]|[0-9][A-Za-z]' then
    value := regexp_replace(value, '([A-Za-z])([0-9])', '\1 \2', 'g');
    value := regexp_replace(value, '([0-9])([A-Za-z])', '\1 \2', 'g');
  end if;
  return value;
end $$;

-- A title as it is searched. Written for speed: it runs a million times in a load.
create function search_title(title text, out title_words text, out words tsvector) language plpgsql immutable parallel safe as $$
declare
  longest constant int := 8; -- letters of a beginning
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
  foreach form in array (string_to_array(btrim(forms), ' '))[2:] loop
    for n in 2 .. least(longest, length(form)) loop lexemes := lexemes || ('^' || left(form, n)); end loop;
  end loop;
  if strpos(whole, ' ') > 0 and length(whole) <= 60 then forms := forms || ' ' || squeezed; end if;
  stems := tsvector_to_array(to_tsvector('search_stems', forms));
  if stems <> '{}' then lexemes := lexemes || stems || string_to_array('=' || array_to_string(stems, ' ='), ' '); end if;
  words := array_to_tsvector(lexemes);
end $$;

-- Prose as words, `orderItems` both whole and in its parts. A tsvector holds a megabyte, so of a very long text the first part is searched.
create function search_prose(value text) returns text language plpgsql immutable parallel safe strict as $$
declare
  plain text := search_plain(left(value, 50000));
  parts text := search_parts(plain, false);
begin
  return search_lower(case when parts = plain then plain else parts || ' ' || plain end);
end $$;

create function search_words(prose text) returns tsvector language sql immutable parallel safe
return strip(to_tsvector('search_stems', coalesce(prose, '')));

-- Whether such a resource is found. For rows as they were, which are no longer in the table: the list counts with them.
create function search_finds(query tsquery, title text, description text, definition text) returns boolean language plpgsql immutable parallel safe as $$
declare
  words tsvector := (search_title(title)).words || search_words(search_prose(description));
begin
  return words @@ query or (definition <> '' and words || search_words(search_prose(definition)) @@ query);
end $$;

-- What was typed, word by word: as typed, its parts (`orderItems` → order, items), and their stems.
create function search_typed(typed text, out word text, out stem text, out parts text[], out part_stems text[]) returns setof record
language sql stable parallel safe
begin atomic
  select w.word, coalesce((ts_lexize('search_stemmer', w.word))[1], w.word), p.parts,
    array(select coalesce((ts_lexize('search_stemmer', part))[1], part) from unnest(p.parts) with ordinality u (part, n) order by n)
  from unnest(string_to_array(search_plain(typed), ' ')) with ordinality c (chunk, n),
    lateral (select search_lower(c.chunk) as word) w,
    lateral (select string_to_array(search_lower(search_parts(c.chunk, true)), ' ') as parts) p
  where c.chunk <> ''
  order by c.n;
end;

-- Words in these texts that the vocabulary does not have.
create function search_new_words(texts text[]) returns setof text language sql stable
begin atomic
  select w.word from (select distinct unnest(string_to_array(array_to_string(texts, ' '), ' ')) as word) w
  where length(w.word) between 4 and 30 and w.word !~ '[0-9]' and not exists (select from search_vocabulary v where v.word = w.word);
end;

-- Words of the catalog that this one may have been meant to be: the nearest, and those as near.
create function search_nearest(typed text) returns text[] language sql stable parallel safe set pg_trgm.similarity_threshold = 0.3 as $$
  select array_agg(word order by similarity desc, word) from (
    select word, max(similarity(word, typed)) as similarity from (
      select v.word, levenshtein_less_equal(v.word, typed, 2) as distance,
        min(levenshtein_less_equal(v.word, typed, 2)) over () as least
      from search_vocabulary v
      where v.word % typed and length(v.word) between length(typed) - 2 and length(typed) + 2
    ) near where distance = least and distance <= case when length(typed) < 5 then 1 else 2 end
    group by word order by similarity desc, word limit 3
  ) few
$$;

-- The steps of usage grow like Fibonacci's numbers: each leaves about two thirds of the one before, so a search can stop in time.
create function search_marks(entity_type text, external_usage int, archived boolean) returns text[] language sql immutable parallel safe
return (array['#u1', '#u2', '#u3', '#u4', '#u5', '#u6', '#u7', '#u8', '#u9', '#u10', '#u11', '#u12', '#u13', '#u14', '#u15', '#u16', '#u17', '#u18', '#u19', '#u20'])
  [1:width_bucket(external_usage, array[1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765, 10946])]
  || ('#' || entity_type) || case when archived then array['#archived'] end;

-- Few titles are new in a batch: thousands of columns are called `id`, so each title is read once.
create function search_added() returns trigger language plpgsql as $$
begin
  -- New words wait in a list that every search reads through. Single edits keep it short; an import is faster with a longer one.
  perform set_config('gin_pending_list_limit', case when exists (select from added offset 200) then '4MB' else '128kB' end, true);
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
create trigger search_added after insert on resources referencing new table as added for each statement execute function search_added();

-- For each row, because a statement trigger cannot say "when": edits of anything else then pay a comparison and no call.
create function search_edited() returns trigger language plpgsql as $$
declare
  t record := search_title(new.title);
  prose text := search_prose(new.description);
  said tsvector := t.words || search_words(prose);
begin
  perform set_config('gin_pending_list_limit', '128kB', true);
  update resource_search s set title_words = t.title_words,
    words = said || array_to_tsvector(search_marks(new.entity_type, new.external_usage, new.archived)),
    docs = case when new.definition <> '' then said || search_words(search_prose(new.definition)) end
  where s.resource_id = new.id;
  insert into search_vocabulary (word) select search_new_words(array[t.title_words, prose]);
  return null;
end $$;
create trigger search_edited after update on resources for each row
when (old.title is distinct from new.title or old.description is distinct from new.description or old.definition is distinct from new.definition)
execute function search_edited();

create function search_marked() returns trigger language plpgsql as $$
begin
  update resource_search s set used = new.external_usage > 0, words = ts_delete(s.words, search_marks(old.entity_type, old.external_usage, old.archived))
    || array_to_tsvector(search_marks(new.entity_type, new.external_usage, new.archived))
  where s.resource_id = new.id;
  return null;
end $$;
create trigger search_marked after update on resources for each row
when (search_marks(old.entity_type, old.external_usage, old.archived) <> search_marks(new.entity_type, new.external_usage, new.archived))
execute function search_marked();

create function search_removed() returns trigger language plpgsql as $$
begin
  delete from resource_search s using removed r where s.resource_id = r.id;
  return null;
end $$;
create trigger search_removed after delete on resources referencing old table as removed for each statement execute function search_removed();

create function search_emptied() returns trigger language plpgsql as $$
begin
  truncate resource_search;
  return null;
end $$;
create trigger search_emptied after truncate on resources for each statement execute function search_emptied();

insert into resource_search (resource_id, used, title_words, words, docs)
select r.id, r.external_usage > 0, t.title_words, w.words || array_to_tsvector(search_marks(r.entity_type, r.external_usage, r.archived)),
  case when r.definition <> '' then w.words || search_words(search_prose(r.definition)) end
from resources r cross join lateral search_title(r.title) t
cross join lateral (select t.words || search_words(search_prose(r.description)) as words offset 0) w;
insert into search_vocabulary (word)
select search_new_words(array(select title_words from resource_search union all select search_prose(description) from resources where description <> ''));

create index resource_search_words on resource_search using gin (words, docs);
create index resource_search_used on resource_search using gin (words) where used;
create index search_vocabulary_word on search_vocabulary (word);
create index search_vocabulary_parts on search_vocabulary using gin (word gin_trgm_ops);
-- The most used of very many resources with one title.
create index resources_title_by_usage on resources (lower(title) collate "C", external_usage desc, id);

-- How frequent a word is decides how it is looked for: keep more of them than the usual thousand.
alter table resource_search alter column words set statistics 500;
