-- Whether people may look at the first rows of its tables. Integrations that exist keep it; new ones begin without.
alter table integrations add column preview_enabled boolean not null default false;
update integrations set preview_enabled = true;

-- A deleted user stays for the names in history; the address is free for another.
alter table users add column deleted_at timestamptz;
drop index users_email;
create unique index users_email on users (lower(email)) where deleted_at is null;

-- Publishing publishes the containers along, so that viewers find the way to what they see: done here for what was published before.
-- The types are those of src/resources/kinds.ts that are containers.
with recursive shown as (
  select distinct r.parent, array(select t.id from teams t where t.closed and t.id = any(r.teams)) as closed
  from resources r where r.published and r.parent is not null
), above as (
  select p.id, p.parent, s.closed from shown s join resources p on p.id = s.parent
  where not p.published and (s.closed = '{}' or p.teams && s.closed) and p.entity_type in ('table', 'column', 'schema', 'database', 'cluster', 'dashboard', 'dashboard_group', 'job', 'job_group', 'test_suite', 'test', 'event', 'category')
  union
  select p.id, p.parent, a.closed from above a join resources p on p.id = a.parent
  where not p.published and (a.closed = '{}' or p.teams && a.closed) and p.entity_type in ('table', 'column', 'schema', 'database', 'cluster', 'dashboard', 'dashboard_group', 'job', 'job_group', 'test_suite', 'test', 'event', 'category')
), written as (
  update resources r set published = true, version = r.version + 1, updated_at = now() where r.id in (select a.id from above a)
  returning r.id, r.entity_type, r.title, r.icon, r.integration, r.version, r.updated_at
)
insert into activities (id, activity_type, performer_type, resource_id, resource_type, resource_title, resource_icon, integration_id, version, changes, logged_at)
select gen_random_uuid(), 'resource_updated', 'SYSTEM', w.id, w.entity_type, w.title, w.icon, w.integration, w.version,
  '[{"field": "published", "from": false, "to": true}]'::jsonb, w.updated_at
from written w;
