-- Lineage that a running connector has reported, until its items are in the catalog and it can be saved. Of one sync at a time for each integration.
create unlogged table reported_lineage (
  integration uuid not null references integrations (id) on delete cascade,
  key text collate "C" not null,
  number integer not null,
  kind text not null check (kind in ('into', 'through')),
  reported json not null,
  primary key (integration, key, number)
);
