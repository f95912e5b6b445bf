-- The lineage that a running connector has reported, until the items that it names are in the catalog and it can be saved. Each attempt of a sync is
-- a run of its own, so that two that overlap do not see each other's rows. Unlogged, because a sync that was interrupted reads its source again; a run
-- whose rows are gone after a crash of Postgres fails. Each run has a row of the kind `started`, so that this is also noticed if nothing was reported.
create unlogged table reported_lineage (
  run uuid not null,
  integration uuid not null references integrations (id) on delete cascade,
  key text collate "C" not null,
  number integer not null,
  kind text not null check (kind in ('started', 'into', 'through')),
  reported json,
  primary key (run, key, number)
);
create index reported_lineage_integration on reported_lineage (integration);
