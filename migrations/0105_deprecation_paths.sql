-- The lineage downstream of all deprecated resources: one row for each step, with its distance from the nearest one. Refreshed every minute.
create table deprecation_paths (
  resource_id uuid not null,
  upstream_id uuid not null,
  depth integer not null,
  primary key (resource_id, upstream_id)
);
create index deprecation_paths_down on deprecation_paths (upstream_id, resource_id);
