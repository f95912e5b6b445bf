-- What sources say: every sync, what each source last said of each resource, and its words on their way into the catalog.

create table integration_syncs (
  id uuid primary key, -- of the job that does it
  integration uuid not null references integrations on delete cascade,
  status text not null check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED')),
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  error text,
  report jsonb,
  undone_at timestamptz
);
-- One at a time, over all instances.
create unique index integration_syncs_open on integration_syncs (integration) where status in ('PENDING', 'RUNNING');
create index integration_syncs_integration on integration_syncs (integration, created_at desc, id);

-- What the source last said of a resource. Where the resource says something else, a person does. No foreign key to the resource: checking
-- it would lock each row of a first sync once more; what stands for a deleted resource is swept out by the next sync.
create table resource_origins (
  resource_id uuid primary key,
  integration uuid not null references integrations on delete cascade,
  key text collate "C" not null,
  stable_id text collate "C", -- what the source knows it by, whatever it is called
  said jsonb not null,
  fingerprint text collate "C" not null,
  lineage text collate "C", -- of which definition its lineage was read
  gone_at timestamptz
);
create unique index resource_origins_key on resource_origins (integration, key);
create index resource_origins_stable_id on resource_origins (integration, stable_id) where stable_id is not null;
create index resource_origins_gone on resource_origins (integration, gone_at) where gone_at is not null;

-- Lost in a crash, and no harm: the next sync asks the source anew.
create unlogged table sync_items (
  sync_id uuid not null,
  number integer not null,
  entity_type text not null,
  key text collate "C" not null,
  stable_id text collate "C",
  fingerprint text collate "C" not null,
  lineage text collate "C",
  item jsonb, -- null: it says what it said last time
  primary key (sync_id, number)
);
create unique index sync_items_key on sync_items (sync_id, key);
