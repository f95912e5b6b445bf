-- Every word of a title is found by its first letter too: `fct_o` finds `fct_orders` while it is typed. Before, later words were found from
-- their second letter on. Only search_title changes (`for n in 1`); what it wrote is written anew, indexes last.
create or replace function search_title(title text, out title_words text, out words tsvector, out heading text[]) language plpgsql immutable parallel safe as $$
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
    for n in 1 .. least(longest, length(form)) loop
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

drop index search_titles_words, search_titles_used, search_texts_words;
truncate search_titles, search_texts;
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
analyze search_titles, search_texts;
