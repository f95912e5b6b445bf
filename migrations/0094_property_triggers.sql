-- One edit of values inserts, updates and deletes, mostly only one of them with rows: the triggers of the others now end at once.

create or replace function log_property_changes() returns trigger language plpgsql as $$
begin
  if exists (select from written) then
    insert into property_changes (property_id) select distinct property_id from written;
  end if;
  return null;
end $$;

create or replace function queue_search_context_of_properties() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then
    return null;
  end if;
  insert into search_context_changes (resource_id, properties_only)
  select distinct c.resource_id, true from changed c join resources r on r.id = c.resource_id where not is_part_of_parent(r.entity_type)
  on conflict do nothing;
  -- Deleted values add no words.
  if tg_op <> 'DELETE' then
    insert into search_vocabulary (word) select find_new_search_words(array(select search_prepare_text(v.value) from (select distinct value from changed) v));
  end if;
  return null;
end $$;
