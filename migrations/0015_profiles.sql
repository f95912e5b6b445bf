-- What data looks like: profiles of columns, what in them may be personal, and how queries use tables. No foreign keys to resources: each would
-- be one more check for every resource that is deleted; what stands for a deleted one is swept out by the clock.

create table column_profiles (
  resource_id uuid primary key, -- the column
  table_id uuid not null,
  profiled_at timestamptz not null,
  job uuid,
  sampled text not null check (sampled in ('all', 'random', 'first')),
  rows_read bigint not null,
  nulls bigint not null,
  distinct_values bigint,
  distinct_approximate boolean not null,
  withheld text check (withheld in ('pii', 'suspected')), -- why no value is kept
  min text,
  max text,
  mean double precision,
  histogram jsonb,
  top_values jsonb
);
create index column_profiles_table on column_profiles (table_id);

create table pii_suggestions (
  id uuid primary key,
  resource_id uuid not null, -- the column
  integration uuid not null references integrations on delete cascade,
  class text not null,
  confidence double precision not null check (confidence between 0 and 1),
  evidence jsonb not null, -- shapes and counts, never a value
  status text not null check (status in ('open', 'accepted', 'rejected')),
  decided_at timestamptz,
  decided_by uuid, -- null: by rule
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Rejected once it stays rejected, until it looks like something else.
create unique index pii_suggestions_of on pii_suggestions (resource_id, class);
create index pii_suggestions_list on pii_suggestions (status, confidence desc, id);
create index pii_suggestions_integration on pii_suggestions (integration, status, confidence desc, id);

create table pii_rules (
  integration uuid primary key references integrations on delete cascade,
  accept_from double precision check (accept_from between 0 and 1), -- null: people decide
  scan_after_sync boolean not null,
  scanned_at timestamptz, -- when the scan that came last began
  updated_at timestamptz not null
);

-- Which tables and columns a query of a source's history reads, and how often it was asked, as the source counts.
create table query_reads (
  query_id uuid not null,
  resource_id uuid not null,
  primary key (query_id, resource_id)
);
create index query_reads_resource on query_reads (resource_id);

create table query_uses (
  query_id uuid not null,
  counted_at timestamptz not null,
  integration uuid not null references integrations on delete cascade,
  calls bigint not null,
  since timestamptz, -- from when on the source has counted
  hours integer, -- it counts no further back than this
  users text[],
  primary key (query_id, counted_at)
);
create index query_uses_integration on query_uses (integration, counted_at);

alter table sync_items add column used jsonb;
