-- When a person gets no messages: {timezone, days, from, to, except_critical}. What is due then is held back until the end.
alter table notification_settings add column quiet_hours jsonb;
alter table deliveries add column held_until timestamptz;

-- A sample of the rows that a check counted, of columns that are not personal data. Stored for two weeks.
create table failing_rows (
  measurement uuid primary key references monitor_measurements (id) on delete cascade,
  table_id uuid not null,
  column_ids uuid[] not null,
  rows jsonb not null, -- cells in the order of column_ids
  counts jsonb, -- of duplicates and missing references: how many rows have these values
  truncated boolean not null,
  captured_at timestamptz not null
);
create index failing_rows_captured on failing_rows (captured_at);
