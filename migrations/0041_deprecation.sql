-- {reason, replacement_id, since}: people should stop using the resource.

-- `resource_changes.old` has the row type of `resources`; its content is transient.
drop table resource_changes;
alter table resources add column deprecation jsonb;
create table resource_changes (
  seq bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  resource_id uuid,
  old resources
);
create index resource_changes_xid on resource_changes (xid);

create index resources_deprecated_by_usage on resources (external_usage desc, id) where deprecation is not null;
