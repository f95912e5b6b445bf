-- What sources say of things that are another source's, what they said makes a table, and what is pushed to us.

-- A second voice: dbt knows what a column means, the warehouse that it is there. What it last said is kept as resource_origins keeps it for
-- the source a resource belongs to. No foreign key to the resource, as there: what stands for a deleted one is swept out by the next sync.
create table resource_offers (
  resource_id uuid not null,
  integration uuid not null references integrations on delete cascade,
  said jsonb not null,
  fingerprint text collate "C" not null,
  primary key (resource_id, integration)
);
create index resource_offers_integration on resource_offers (integration);

-- The queries a source gave as the makers of a table. When it gives others, the edges of these go, and nobody else's.
create table source_queries (
  integration uuid not null references integrations on delete cascade,
  target uuid not null,
  fingerprint text collate "C" not null,
  hashes text[] not null,
  primary key (integration, target)
);

-- The artifacts of a dbt project as they were last sent or fetched, packed with gzip: whichever instance does the sync finds them here.
create table dbt_artifacts (
  integration uuid not null references integrations on delete cascade,
  name text collate "C" not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (integration, name)
);
alter table dbt_artifacts alter column body set storage external; -- packed already

-- What flows through a job, as its events last told, and through a run that is not over: its events come one by one, each with a part of it.
-- No foreign key to the resource: what stands for a deleted one is swept out every hour.
create table openlineage_flows (
  resource_id uuid primary key, -- of the job, the run, or the dataset that told of itself
  flows jsonb not null
);
