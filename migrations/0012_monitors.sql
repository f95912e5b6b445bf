-- Monitors measure a resource on a schedule. Each measurement keeps the limits it was judged by; what lies outside them opens an incident.

-- A target is no foreign key: a monitor goes out of sight with its target and comes back with it, measurements and all. What stays without
-- a target is swept out later (monitors/sweep.ts).
create table monitors (
  id uuid primary key,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by uuid,
  target uuid not null,
  key text collate "C", -- what it is known by where it is kept: in a file of monitors, in dbt
  name text not null,
  metric_type text not null,
  metric_config jsonb not null,
  schedule jsonb not null,
  frequency integer not null, -- hours between runs
  is_enabled boolean not null,
  condition_auto_sensitivity integer check (condition_auto_sensitivity between 1 and 10),
  condition_manual_min double precision,
  condition_manual_max double precision,
  notify_slack_channel text,
  status text not null check (status in ('pending', 'normal', 'incident', 'error')),
  last_attempted_at timestamptz,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error_message text,
  last_measurement uuid,
  last_measurement_value double precision,
  last_measured_at timestamptz,
  last_incident uuid,
  next_run_at timestamptz,
  -- Grows when its past is told anew: a mark, a back-fill, a measurement out of order. What a process remembers of it then no longer holds.
  lesson integer not null default 0,
  target_gone_at timestamptz,
  check (condition_auto_sensitivity is null or (condition_manual_min is null and condition_manual_max is null))
) with (fillfactor = 80);
create unique index monitors_key on monitors (key) where key is not null;
create index monitors_target on monitors (target);
create index monitors_created on monitors (created_at desc, id);
create index monitors_status on monitors (status, created_at desc, id);
create index monitors_next_run on monitors (next_run_at, id) where next_run_at is not null;

create table monitor_incidents (
  id uuid primary key,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  monitor uuid not null references monitors on delete cascade,
  target uuid not null,
  name text not null,
  summary text not null,
  status text not null check (status in ('active', 'acknowledged', 'resolved')),
  value double precision not null,
  lower_threshold double precision,
  upper_threshold double precision,
  explanation text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  last_notified_at timestamptz,
  acknowledged_at timestamptz,
  resolved_at timestamptz,
  assignee uuid,
  runs_outside integer not null default 1,
  runs_inside integer not null default 0, -- in a row, since the last one outside
  upstream_incident uuid, -- one that was open upstream when this one opened
  check ((resolved_at is not null) = (status = 'resolved'))
);
create unique index monitor_incidents_open on monitor_incidents (monitor) where status <> 'resolved';
create index monitor_incidents_monitor on monitor_incidents (monitor, created_at desc, id);
create index monitor_incidents_target on monitor_incidents (target, created_at desc, id);
create index monitor_incidents_created on monitor_incidents (created_at desc, id);
create index monitor_incidents_status on monitor_incidents (status, created_at desc, id);
create index monitor_incidents_upstream on monitor_incidents (upstream_incident) where upstream_incident is not null;

create table monitor_measurements (
  id uuid primary key,
  monitor uuid not null references monitors on delete cascade,
  measured_at timestamptz not null,
  updated_at timestamptz not null,
  value double precision not null,
  row_count bigint, -- rows behind a percentage
  lower_threshold double precision,
  upper_threshold double precision,
  explanation text,
  outside boolean not null,
  origin text not null check (origin in ('run', 'pushed', 'history')),
  marked text check (marked in ('normal', 'incident')),
  incident uuid references monitor_incidents on delete set null
);
create unique index monitor_measurements_monitor on monitor_measurements (monitor, measured_at desc);
create index monitor_measurements_incident on monitor_measurements (incident, measured_at desc) where incident is not null;
create index monitor_measurements_old on monitor_measurements using brin (measured_at);

create table incident_actions (
  id uuid primary key,
  incident uuid not null references monitor_incidents on delete cascade,
  type text not null,
  user_id uuid,
  comment text,
  created_at timestamptz not null
);
create index incident_actions_incident on incident_actions (incident, created_at, id);

-- What is to be measured, until it is: whoever writes a measurement takes the run away in the same transaction, so no run is lost or
-- counted twice, whoever dies when. A lane is worked off by one worker at a time (monitors/lanes.ts).
create table monitor_runs (
  id uuid primary key,
  monitor uuid not null references monitors on delete cascade,
  due_at timestamptz not null,
  job uuid, -- of the one who asked for it; without it, the clock did
  lane text collate "C" not null,
  relation uuid not null -- the table it reads: runs of one table are folded into one statement
);
create unique index monitor_runs_due on monitor_runs (monitor) where job is null; -- one that was missed is caught up once
create unique index monitor_runs_asked on monitor_runs (job, monitor) where job is not null;
create index monitor_runs_lane on monitor_runs (lane, (job is null), due_at, relation, id);
