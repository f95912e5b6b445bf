-- What DataHub's connectors reported: the newest value of each aspect. The items of a sync are built from all of them.
create table datahub_aspects (
  integration uuid not null references integrations (id) on delete cascade,
  urn_hash bytea not null, -- SHA-256: a URN can be too long for an index entry
  aspect text not null,
  urn text not null,
  entity_type text not null,
  value jsonb not null,
  changed_at timestamptz not null,
  primary key (integration, urn_hash, aspect)
);
create index datahub_aspects_changed on datahub_aspects (integration, changed_at);
