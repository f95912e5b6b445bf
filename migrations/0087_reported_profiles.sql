-- Profiles that a pipeline reported (OpenLineage) rather than Tablinum computed, with the run that did.
alter table column_profiles add column source text; -- null: computed here
alter table column_profiles add column reported_by uuid; -- the run
alter table column_profiles add column quantiles jsonb; -- only pipelines report them

alter table profile_history add column source text;
alter table profile_history add column reported_by uuid;
-- Of the last run of the day that wrote the table.
alter table profile_history add column rows_written bigint;
alter table profile_history add column bytes_written bigint;
