-- Processes keep the words of a search with its results, so a new name of a tag, person, group or custom property has to invalidate them.
-- It is logged in property_changes as a change of the property 00000000-0000-0000-0000-000000000000, so that counts of lists stay valid.

create or replace function update_search_references() returns trigger language plpgsql as $$
declare
  old_name text;
  new_name text;
begin
  if tg_table_name = 'users' then
    if tg_op <> 'INSERT' then
      old_name := case when old.deleted_at is null then concat_ws(' ', old.first_name, old.last_name, split_part(old.email, '@', 1)) else '' end;
    end if;
    if tg_op <> 'DELETE' then
      new_name := case when new.deleted_at is null then concat_ws(' ', new.first_name, new.last_name, split_part(new.email, '@', 1)) else '' end;
    end if;
  else
    if tg_op <> 'INSERT' then old_name := old.name; end if;
    if tg_op <> 'DELETE' then new_name := new.name; end if;
  end if;
  if old_name is not distinct from new_name then
    return null;
  end if;
  insert into property_changes (property_id) values ('00000000-0000-0000-0000-000000000000');
  if tg_op = 'DELETE' then
    delete from search_references where target = old.id;
    return null;
  end if;
  insert into search_references (target, words) values (new.id, search_stem_vector(search_prepare_text(new_name)))
  on conflict (target) do update set words = excluded.words;
  insert into search_vocabulary (word) select find_new_search_words(array[search_prepare_text(new_name)]);
  return null;
end $$;

create function log_property_names() returns trigger language plpgsql as $$
begin
  insert into property_changes (property_id) values ('00000000-0000-0000-0000-000000000000');
  return null;
end $$;

create trigger log_property_names after insert or delete or update of name on custom_properties for each statement execute function log_property_names();
