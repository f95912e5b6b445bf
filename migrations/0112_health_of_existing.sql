-- What has a health now. All others are unknown, so that reads are exact and fast until it is stored.
insert into changed_health (resource_id)
select m.target from monitors m where m.is_enabled
union select m.table_id from monitors m where m.is_enabled and m.table_id is not null
union select n.target from monitor_incidents n where n.status <> 'resolved'
union select n.table_id from monitor_incidents n where n.status <> 'resolved' and n.table_id is not null
union select r.id from resources r where r.stale
union select r.id from resources r where r.deprecation is not null
union select e.downstream from resources r join lineage_edges e on e.upstream = r.id where r.deprecation is not null
union select a.resource_id from activities a where a.activity_type = 'schema_changed' and a.resource_id is not null and a.logged_at > now() - interval '8 days'
union select p.resource_id from incident_paths p
union select p.resource_id from deprecation_paths p;
