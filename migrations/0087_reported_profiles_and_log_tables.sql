-- Profiles that a pipeline reported (OpenLineage) rather than Tablinum computed, with the run that did.
alter table column_profiles add column source text; -- null: computed here
alter table column_profiles add column reported_by uuid; -- the run
alter table column_profiles add column quantiles jsonb; -- only pipelines report them

alter table profile_history add column source text;
alter table profile_history add column reported_by uuid;
-- Of the last run of the day that wrote the table.
alter table profile_history add column rows_written bigint;
alter table profile_history add column bytes_written bigint;

-- How far a query log was read from a table of another integration.
create table query_log_positions (
  integration uuid not null primary key references integrations (id) on delete cascade,
  source text not null, -- which table; another one is read from its beginning
  position text not null, -- the newest time that was read, as the source writes it
  read_at timestamptz not null
);
