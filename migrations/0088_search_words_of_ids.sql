-- Runs are titled with UUIDs: split where letters meet digits, each had about a hundred search words, and writing them took half of the time of writing
-- a run. Runs that exist keep theirs.
create or replace function search_title_lexemes(title text, OUT title_words text, OUT words tsvector, OUT heading text[]) returns record
language plpgsql immutable parallel safe as $function$
declare
  max_prefix constant int := 8; -- letters of a beginning
  max_heading_prefix constant int := 3;    -- and in the heading
  plain text := btrim(regexp_replace(search_normalize(left(title, 500)), '  +', ' ', 'g'));
  whole text := search_lower(plain);
  squeezed text := replace(whole, ' ', '');
  forms text;
  form text;
  stems text[];
  lexemes text[] := '{}';
begin
  -- The ID of a run: its groups are words, and nobody looks for the letters and digits in them.
  if title ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then
    title_words := ' ' || whole || ' ';
    for n in 1 .. max_prefix loop lexemes := lexemes || ('^' || left(squeezed, n)); end loop;
    heading := lexemes[1:max_heading_prefix];
    stems := tsvector_to_array(to_tsvector('search_stems', whole || ' ' || squeezed));
    words := array_to_tsvector(lexemes || string_to_array('=' || array_to_string(stems, ' ='), ' '));
    heading := heading || stems;
    return;
  end if;
  title_words := ' ' || search_lower(split_name_parts(plain, true)) || ' ';
  forms := title_words;
  if strpos(title_words, ' ' || whole || ' ') = 0 then forms := forms || whole; end if;
  for n in 1 .. least(max_prefix, length(squeezed)) loop lexemes := lexemes || ('^' || left(squeezed, n)); end loop;
  heading := lexemes[1:max_heading_prefix];
  foreach form in array (string_to_array(btrim(forms), ' '))[2:] loop
    for n in 1 .. least(max_prefix, length(form)) loop
      lexemes := lexemes || ('^' || left(form, n));
      if n <= max_heading_prefix then heading := heading || ('^' || left(form, n)); end if;
    end loop;
  end loop;
  if strpos(whole, ' ') > 0 and length(whole) <= 60 then forms := forms || ' ' || squeezed; end if;
  stems := tsvector_to_array(to_tsvector('search_stems', forms));
  if stems <> '{}' then lexemes := lexemes || string_to_array('=' || array_to_string(stems, ' ='), ' '); end if;
  words := array_to_tsvector(lexemes);
  heading := heading || stems;
end $function$;
