-- Health of a resource: open incidents of its own and upstream, recent schema changes. Incidents and monitors of a column count for its table,
-- so both know the table; otherwise every row of a list would look up all of its columns.

-- The table of a column or nested field; any other resource itself.
create function table_of(resource uuid) returns uuid language sql stable as $$
  with recursive above as (
    select r.id, r.parent, r.entity_type, 0 as n from resources r where r.id = resource
    union all
    select p.id, p.parent, p.entity_type, a.n + 1 from above a join resources p on p.id = a.parent where a.entity_type = 'column' and a.n < 20
  )
  select coalesce((select a.id from above a order by a.n desc limit 1), resource)
$$;

alter table monitors add column table_id uuid;
update monitors set table_id = table_of(target);
create index monitors_table on monitors (table_id);

alter table monitor_incidents add column table_id uuid;
update monitor_incidents set table_id = table_of(target);
create index monitor_incidents_open_table on monitor_incidents (table_id) where status <> 'resolved';
create index monitor_incidents_open_target on monitor_incidents (target) where status <> 'resolved';

create function set_table_id() returns trigger language plpgsql as $$
begin
  new.table_id := coalesce(new.table_id, table_of(new.target));
  return new;
end $$;
create trigger set_table_id before insert on monitors for each row execute function set_table_id();
create trigger set_table_id before insert on monitor_incidents for each row execute function set_table_id();

create function move_monitors() returns trigger language plpgsql as $$
begin
  update monitors m set table_id = table_of(m.target)
  where m.target = new.id or m.target in (select r.id from resources r where r.parent = new.id);
  update monitor_incidents n set table_id = table_of(n.target)
  where n.target = new.id or n.target in (select r.id from resources r where r.parent = new.id);
  return null;
end $$;
create trigger move_monitors after update of parent on resources for each row
when (old.parent is distinct from new.parent and new.entity_type = 'column') execute function move_monitors();

-- The lineage downstream of all tables with an open incident: one row for each step. Refreshed when an incident opens or ends, and every minute.
create table incident_paths (
  resource_id uuid not null,
  upstream_id uuid not null,
  primary key (resource_id, upstream_id)
);
create index incident_paths_down on incident_paths (upstream_id, resource_id);

create index activities_schema_changed on activities (resource_id, logged_at) where activity_type = 'schema_changed';
