-- Which tables, or all tables of which integration, are profiled regularly.
create table profile_schedules (
  target uuid primary key,
  target_type text not null check (target_type in ('table', 'integration')),
  schedule jsonb not null,
  sample_rows integer not null,
  next_run_at timestamptz not null,
  last_run_at timestamptz,
  job uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index profile_schedules_due on profile_schedules (next_run_at);

-- One row for each profiled column, and for its table, and day: counts only, no values.
create table profile_history (
  resource_id uuid not null,
  day date not null,
  table_id uuid not null,
  profiled_at timestamptz not null,
  sampled text not null,
  rows_read bigint not null,
  row_count bigint,
  nulls bigint,
  distinct_values bigint,
  distinct_approximate boolean,
  primary key (resource_id, day)
);
create index profile_history_day on profile_history (day);

-- Uses of tables and dashboards in their source on each day; days without a row had none.
create table usage_history (
  resource_id uuid not null,
  day date not null,
  uses integer not null,
  primary key (resource_id, day)
);
create index usage_history_day on usage_history (day);
