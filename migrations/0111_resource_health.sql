-- All locks at once, in the order in which writes take them: processes of the version before are at work.
lock table resources, lineage_edges, incident_paths, deprecation_paths, monitors, monitor_incidents, activities in share row exclusive mode;

-- The health of every resource that has another one than `unknown`, as somebody who sees everything sees it: 0 incident, 1 warning, 2 ok.
create table resource_health (
  resource_id uuid primary key,
  severity smallint not null,
  -- What follows from the resource itself alone, which is the same for everyone who sees it; 3 is unknown.
  own_severity smallint not null,
  -- When its last change of columns is no longer recent.
  valid_until timestamptz
);
create index resource_health_severity on resource_health (severity, resource_id);
create index resource_health_valid_until on resource_health (valid_until) where valid_until is not null;

-- Resources whose health may have changed since it was stored; a reader computes theirs. Plain inserts, so that no transaction waits for another.
create table changed_health (resource_id uuid not null) with (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000);
create index changed_health_resource on changed_health (resource_id);

-- Health changed, or what a caller who does not see everything sees of it: cached counts and pages end. Once for each transaction.
create function log_health_change() returns void language plpgsql as $$
begin
  if not exists (
    select from property_changes c where c.property_id = '00000000-0000-0000-0000-000000000001' and c.xid = pg_current_xact_id()
  ) then
    insert into property_changes (property_id) values ('00000000-0000-0000-0000-000000000001');
  end if;
end $$;

create function queue_health(ids uuid[]) returns void language plpgsql as $$
begin
  insert into changed_health (resource_id) select distinct i.id from unnest(ids) i (id) where i.id is not null;
  if found then
    perform log_health_change();
  end if;
end $$;

-- Incidents and monitors.
create function queue_health_of_checks() returns trigger language plpgsql as $$
begin
  perform queue_health(array[old.target, old.table_id, new.target, new.table_id]);
  return null;
end $$;

create trigger queue_health_insert after insert on monitor_incidents for each row when (new.status <> 'resolved') execute function queue_health_of_checks();
create trigger queue_health_delete after delete on monitor_incidents for each row when (old.status <> 'resolved') execute function queue_health_of_checks();
create trigger queue_health_update after update on monitor_incidents for each row
  when ((old.status = 'resolved') <> (new.status = 'resolved') or old.target <> new.target or old.table_id is distinct from new.table_id)
  execute function queue_health_of_checks();

create trigger queue_health_insert after insert on monitors for each row
  when (new.is_enabled and (new.last_measured_at is not null or new.status = 'incident')) execute function queue_health_of_checks();
create trigger queue_health_delete after delete on monitors for each row
  when (old.is_enabled and (old.last_measured_at is not null or old.status = 'incident')) execute function queue_health_of_checks();
create trigger queue_health_update after update on monitors for each row
  when (old.is_enabled <> new.is_enabled or (old.status = 'incident') <> (new.status = 'incident')
    or (old.last_measured_at is null) <> (new.last_measured_at is null) or old.target <> new.target or old.table_id is distinct from new.table_id)
  execute function queue_health_of_checks();

-- Changed columns.
create function queue_health_of_activity() returns trigger language plpgsql as $$
begin
  perform queue_health(array[new.resource_id]);
  return null;
end $$;
create trigger queue_health after insert on activities for each row
  when (new.activity_type = 'schema_changed' and new.resource_id is not null) execute function queue_health_of_activity();

-- Resources. What reads a deprecated one directly is found by its edges.
create function queue_health_of_edited() returns trigger language plpgsql as $$
begin
  if old.stale <> new.stale or (old.deprecation is null) <> (new.deprecation is null) or old.entity_type <> new.entity_type then
    perform queue_health(array[new.id]);
  end if;
  if (old.deprecation is null) <> (new.deprecation is null) then
    perform queue_health(array(select e.downstream from lineage_edges e where e.upstream between new.id and new.id));
  end if;
  -- Others' health may be seen through it, unless it has none and is on no path.
  if (old.published, old.teams) is distinct from (new.published, new.teams) and (
    exists (select from resource_health h where h.resource_id = new.id) or exists (select from changed_health c where c.resource_id = new.id)
    or exists (select from deprecation_paths p where p.resource_id = new.id)
  ) then
    perform log_health_change();
  end if;
  return null;
end $$;
create trigger queue_health_update after update on resources for each row
  when (old.stale <> new.stale or (old.deprecation is null) <> (new.deprecation is null) or old.entity_type <> new.entity_type
    or old.published <> new.published or old.teams is distinct from new.teams)
  execute function queue_health_of_edited();

-- Restored from the trash, where versions continue: its monitors, history and paths are still there.
create function queue_health_of_inserted() returns trigger language plpgsql as $$
begin
  if new.stale or new.deprecation is not null
    or exists (select from monitors m where m.target = new.id) or exists (select from monitors m where m.table_id = new.id)
    or exists (select from monitor_incidents n where n.table_id = new.id and n.status <> 'resolved')
    or exists (select from activities a where a.resource_id = new.id and a.activity_type = 'schema_changed')
    or exists (select from incident_paths p where p.resource_id = new.id) or exists (select from deprecation_paths p where p.resource_id = new.id) then
    perform queue_health(array[new.id] || array(select m.table_id from monitors m where m.target = new.id)
      || array(select n.table_id from monitor_incidents n where n.target = new.id and n.status <> 'resolved'));
  end if;
  return null;
end $$;
create trigger queue_health_insert after insert on resources for each row
  when (new.version > 1 or new.stale or new.deprecation is not null) execute function queue_health_of_inserted();

-- The name of the trigger comes before `delete_lineage_edges`: it reads the edges.
create function queue_health_of_deleted() returns trigger language plpgsql set enable_seqscan to off as $$
begin
  perform queue_health(array(
    select h.resource_id from removed r cross join lateral (select h.resource_id from resource_health h where h.resource_id = r.id offset 0) h
    union all
    select c.resource_id from removed r cross join lateral (select c.resource_id from changed_health c where c.resource_id = r.id offset 0) c
    union all
    select p.resource_id from removed r cross join lateral (select p.resource_id from deprecation_paths p where p.resource_id = r.id offset 0) p
    union all
    select m.table_id from removed r cross join lateral (select m.table_id from monitors m where m.target = r.id offset 0) m where m.table_id <> r.id
    union all
    select n.table_id from removed r
    cross join lateral (select n.table_id from monitor_incidents n where n.target = r.id and n.status <> 'resolved' offset 0) n where n.table_id <> r.id
    union all
    select e.downstream from (select d.id from removed d where d.deprecation is not null) r
    cross join lateral (select e.downstream from lineage_edges e where e.upstream between r.id and r.id offset 0) e
  ));
  return null;
end $$;
create trigger change_health_delete after delete on resources referencing old table as removed for each statement execute function queue_health_of_deleted();

create function truncate_health() returns trigger language plpgsql as $$
begin
  truncate resource_health, changed_health;
  perform log_health_change();
  return null;
end $$;
create trigger truncate_health after truncate on resources for each statement execute function truncate_health();

-- Lineage: only what reads something deprecated. Few edges are looked up one by one; of many, the plan depends on how many there are.
create function queue_health_of_edges() returns trigger language plpgsql set enable_seqscan to off as $$
declare
  few constant int := 100;
  ids uuid[];
begin
  if exists (select from changed offset few) then
    execute 'select array(select c.downstream from changed c where c.upstream in (select u.id from resources u where u.deprecation is not null))' into ids;
  else
    select array_agg(c.downstream) into ids from changed c
    cross join lateral (select u.id from resources u where u.id = c.upstream and u.deprecation is not null offset 0) u;
  end if;
  if ids is not null then
    perform queue_health(ids);
  end if;
  return null;
end $$;
create trigger queue_health_insert after insert on lineage_edges referencing new table as changed for each statement execute function queue_health_of_edges();
create trigger queue_health_delete after delete on lineage_edges referencing old table as changed for each statement execute function queue_health_of_edges();

-- Stored paths.
create function queue_health_of_paths() returns trigger language plpgsql as $$
begin
  perform queue_health(array(select c.resource_id from changed c));
  return null;
end $$;
create trigger queue_health_insert after insert on incident_paths referencing new table as changed for each statement execute function queue_health_of_paths();
create trigger queue_health_delete after delete on incident_paths referencing old table as changed for each statement execute function queue_health_of_paths();
create trigger queue_health_insert after insert on deprecation_paths referencing new table as changed for each statement execute function queue_health_of_paths();
create trigger queue_health_update after update on deprecation_paths referencing new table as changed for each statement execute function queue_health_of_paths();
create trigger queue_health_delete after delete on deprecation_paths referencing old table as changed for each statement execute function queue_health_of_paths();
