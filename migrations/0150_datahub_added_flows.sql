-- Lineage that pipelines of DataHub report for resources of other integrations: it is withdrawn when they no longer report it.
create table datahub_added_flows (
  integration uuid not null references integrations (id) on delete cascade,
  key text collate "C" not null,
  resource_id uuid not null,
  flows jsonb not null,
  -- The sync that reported it first.
  sync_id uuid,
  primary key (integration, key)
);
