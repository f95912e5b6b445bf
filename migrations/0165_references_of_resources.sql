-- The parents and integrations of resources are checked once for a statement instead of by two foreign keys for each row
-- (docs/decisions/0052-references-of-resources.md). Whoever inserts a row locks them as a foreign key does, so that they cannot be deleted until
-- the transaction ends; whoever deletes one holds its lock and then sees every row that refers to it.
alter table resources drop constraint resources_parent_fkey, drop constraint resources_integration_fkey;

create function check_resource_references() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  parents uuid[];
  used uuid[];
begin
  if tg_op = 'INSERT' then
    parents := array(select parent from added where parent is not null group by parent);
    used := array(select integration from added where integration is not null group by integration);
  else
    parents := array_remove(array[new.parent], null);
    used := array_remove(array[new.integration], null);
  end if;
  if parents <> '{}' and cardinality(parents) > (select count(*) from (select from resources p where p.id = any(parents) order by p.id for key share) p) then
    raise foreign_key_violation using message = 'The parent of a resource does not exist.', table = 'resources', constraint = 'resources_parent_fkey';
  end if;
  if used <> '{}' and cardinality(used) > (select count(*) from (select from integrations i where i.id = any(used) order by i.id for key share) i) then
    raise foreign_key_violation using message = 'The integration of a resource does not exist.', table = 'resources', constraint = 'resources_integration_fkey';
  end if;
  return null;
end $$;

create trigger check_references_insert after insert on resources referencing new table as added
  for each statement execute function check_resource_references();
create trigger check_references_update after update of parent, integration on resources for each row
  when ((old.parent, old.integration) is distinct from (new.parent, new.integration)) execute function check_resource_references();

create function check_resource_unreferenced() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_table_name = 'integrations' then
    if exists (select from resources r where r.integration = old.id) then
      raise foreign_key_violation using message = 'The integration still has resources.', table = 'resources', constraint = 'resources_integration_fkey';
    end if;
  elsif exists (select from removed d cross join lateral (select from resources c where c.parent = d.id limit 1) c) then
    raise foreign_key_violation using message = 'The resource still has children.', table = 'resources', constraint = 'resources_parent_fkey';
  end if;
  return null;
end $$;

create trigger check_references_delete after delete on resources referencing old table as removed
  for each statement execute function check_resource_unreferenced();
create trigger check_references_delete after delete on integrations for each row execute function check_resource_unreferenced();
