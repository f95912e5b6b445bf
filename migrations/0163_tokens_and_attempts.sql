-- Refresh tokens belong to the application they were issued to. All refresh tokens of a connection begin with the same secret, so that the second use of
-- any of them is detected, not only of the last one.
alter table tokens add column client_id text;
alter table tokens add column refresh_family bytea;
-- small table
create index tokens_refresh_family on tokens (refresh_family) where refresh_family is not null;

-- Deleting a resource looks for its rows.
select add_background_index('index_added_flows', 'datahub_added_flows_resource on datahub_added_flows (resource_id)', 'datahub_added_flows');

-- Which attempt of a sync writes: one that was paused and whose place another one has taken must not write any more.
alter table integration_syncs add column attempt uuid;
