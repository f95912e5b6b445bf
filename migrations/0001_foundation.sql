-- The catalog, the people who use it, and everything that is remembered about both.
-- A null array means an empty one: at a million rows the empty arrays would be a quarter of the table.

create extension if not exists pg_trgm;
create extension if not exists fuzzystrmatch;
create extension if not exists unaccent;

create table workspaces (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index one_workspace on workspaces ((true));

create table users (
  id uuid primary key,
  email text not null,
  first_name text,
  last_name text,
  role text not null check (role in ('admin', 'editor', 'viewer', 'guest')),
  disabled_at timestamptz,
  invited_by uuid references users,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table tokens (
  id uuid primary key,
  user_id uuid not null references users,
  name text not null,
  hint text not null,
  hash bytea not null unique,
  scope text not null check (scope in ('read', 'write', 'admin')),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index tokens_user on tokens (user_id);

create table teams (
  id uuid primary key,
  name text not null,
  description text,
  icon text,
  closed boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index teams_name on teams (lower(name));

create table team_members (
  team_id uuid not null references teams on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

create table groups (
  id uuid primary key,
  name text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index groups_name on groups (lower(name));

create table group_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (group_id, user_id)
);
create index group_members_user on group_members (user_id);

create table integrations (
  id uuid primary key,
  name text not null,
  type text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table resources (
  id uuid primary key,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  external_usage integer not null default 0,
  internal_usage integer not null default 0,
  children_count integer not null default 0,
  definition_version integer not null default 0,
  published boolean not null default false,
  archived boolean not null default false,
  pii boolean not null default false,
  verified boolean not null default false,
  stale boolean not null default false,
  forced_unstale_by_user boolean not null default false,
  parent uuid references resources,
  integration uuid references integrations,
  entity_type text not null,
  native_type text,
  icon text,
  title text not null,
  title_cased text not null,
  title_full text not null,
  cluster text,
  database text,
  schema text,
  description text,
  definition text,
  url text,
  databuilder_id text,
  archived_at timestamptz,
  stale_at timestamptz,
  external_updated_at timestamptz,
  multiplayer_last_modified timestamptz,
  multiplayer_last_modified_by uuid,
  base_entity_id uuid,
  row_count bigint,
  byte_size bigint,
  question_status text,
  question_priority text,
  question_answered_by uuid,
  question_assigned_to uuid,
  owners uuid[],
  owners_groups uuid[],
  collections uuid[],
  tags uuid[],
  teams uuid[],
  subscribers uuid[],
  bookmarked_by uuid[],
  internal_users uuid[],
  external_users text[],
  sources text[],
  display_metadata jsonb,
  details jsonb
) with (fillfactor = 85);

-- Updates of a resource must stay "heap only" (they then touch no index at all), so what changes with every edit
-- (updated_at, version) is in no index, and the texts are indexed in resource_search.
create index resources_by_usage on resources (external_usage desc, id);
create index resources_published_by_usage on resources (external_usage desc, id) where published;
create index resources_type_by_usage on resources (entity_type, external_usage desc, id);
create index resources_integration_by_usage on resources (integration, external_usage desc, id) where integration is not null;
create index resources_verified_by_usage on resources (external_usage desc, id) where verified;
create index resources_pii_by_usage on resources (external_usage desc, id) where pii;
create index resources_stale_by_usage on resources (external_usage desc, id) where stale;
create index resources_archived_by_usage on resources (external_usage desc, id) where archived;
create index resources_parent on resources (parent) where parent is not null;
create index resources_title on resources (lower(title) collate "C", id);
create index resources_title_parts on resources using gin (title gin_trgm_ops);
create index resources_owners on resources using gin (owners) where owners is not null;
create index resources_tags on resources using gin (tags) where tags is not null;
create index resources_collections on resources using gin (collections) where collections is not null;
create index resources_teams on resources using gin (teams) where teams is not null;
create index resources_subscribers on resources using gin (subscribers) where subscribers is not null;
create index resources_bookmarked_by on resources using gin (bookmarked_by) where bookmarked_by is not null;
create unique index resources_databuilder_id on resources (integration, databuilder_id) where databuilder_id is not null;

-- children_count is kept by the database, so no door can forget it.
create function count_children() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where parent is not null) then return null; end if;
    update resources p set children_count = p.children_count + d.n
    from (select parent, count(*) as n from added where parent is not null group by parent) d where p.id = d.parent;
  elsif tg_op = 'DELETE' then
    update resources p set children_count = p.children_count - d.n
    from (select parent, count(*) as n from removed where parent is not null group by parent) d where p.id = d.parent;
  -- The updates above come through here as well: without a moved row there is nothing to do, and the chain ends.
  elsif exists (select from added a join removed r using (id) where a.parent is distinct from r.parent) then
    update resources p set children_count = p.children_count + d.n
    from (
      select parent, sum(n) as n from (
        select a.parent, 1 as n from added a join removed r using (id) where a.parent is distinct from r.parent
        union all
        select r.parent, -1 from added a join removed r using (id) where a.parent is distinct from r.parent
      ) moves where parent is not null group by parent
    ) d where p.id = d.parent;
  end if;
  return null;
end $$;
create trigger count_children_added after insert on resources referencing new table as added for each statement execute function count_children();
create trigger count_children_moved after update on resources referencing old table as removed new table as added for each statement execute function count_children();
create trigger count_children_removed after delete on resources referencing old table as removed for each statement execute function count_children();

-- What changed lately: the id, and the row as it was (null for a new one). An exact count taken under one snapshot is
-- brought up to date with the few rows written since (resources/count.ts). A wide change is one row without an id: count anew.
create table resource_changes (
  seq bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  resource_id uuid,
  old resources
);
create index resource_changes_xid on resource_changes (xid);
-- Rows of transactions older than the oldest snapshot anybody still counts from can go.
create table resource_change_horizons (at timestamptz not null, oldest_xid xid8 not null);

create function note_changes() returns trigger language plpgsql as $$
declare
  wide constant int := 500;
  n int;
begin
  if tg_op = 'INSERT' then
    select count(*) into n from (select from added limit wide + 1) few;
    if n > wide then insert into resource_changes (resource_id) values (null);
    else insert into resource_changes (resource_id) select id from added;
    end if;
  else
    select count(*) into n from (select from removed limit wide + 1) few;
    if n > wide then insert into resource_changes (resource_id) values (null);
    else insert into resource_changes (resource_id, old) select r.id, row(r.*)::resources from removed r;
    end if;
  end if;
  return null;
end $$;
create trigger note_changes_added after insert on resources referencing new table as added for each statement execute function note_changes();
create trigger note_changes_edited after update on resources referencing old table as removed for each statement execute function note_changes();
create trigger note_changes_removed after delete on resources referencing old table as removed for each statement execute function note_changes();

create table resource_views (
  resource_id uuid not null references resources on delete cascade,
  day date not null,
  user_id uuid not null references users on delete cascade,
  views integer not null,
  primary key (resource_id, day, user_id)
);
create index resource_views_day on resource_views (day);

-- One row for each write: it is the audit entry, and with a version it is the version history item too.
create table activities (
  id uuid primary key,
  xid xid8 not null default pg_current_xact_id(),
  parent_id uuid,
  activity_type text not null,
  performer_id uuid,
  performer_type text not null check (performer_type in ('USER', 'API', 'SYSTEM', 'INTEGRATION')),
  resource_id uuid,
  resource_type text,
  resource_title text,
  resource_icon text,
  integration_id uuid,
  related_resource_ids uuid[],
  related_resource_type text,
  version integer,
  changes jsonb,
  logged_at timestamptz not null
);
create index activities_logged_at on activities (logged_at, id);
create index activities_xid on activities (xid);
create index activities_resource on activities (resource_id, logged_at, id) where resource_id is not null;
create index activities_performer_type on activities (performer_type, logged_at, id);
-- Who once stood under a parent and left it: children_count of the past is counted from here.
create index activities_parent_left on activities ((jsonb_path_query_first(changes, '$[*] ? (@.field == "parent").from') #>> '{}'))
  where (jsonb_path_query_first(changes, '$[*] ? (@.field == "parent").from') #>> '{}') is not null;
create unique index activities_version on activities (resource_id, version) where version is not null;

create table background_jobs (
  id uuid primary key,
  kind text not null,
  title text not null,
  user_id uuid,
  status text not null check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED')),
  progress smallint not null default 0 check (progress between 0 and 100),
  failed boolean not null default false,
  has_artifact boolean not null default false,
  logs text not null default '',
  started timestamptz,
  completed timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index background_jobs_created_at on background_jobs (created_at desc, id);

create table idempotent_answers (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotent_answers_created_at on idempotent_answers (created_at);

-- Lost in a crash, and no harm: a minute later it would be empty anyway.
create unlogged table rate_windows (
  token_id uuid not null,
  minute bigint not null,
  requests bigint not null,
  primary key (token_id, minute)
);

create table worker_beats (worker_id text primary key, at timestamptz not null);
