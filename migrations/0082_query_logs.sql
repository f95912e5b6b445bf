-- Uploaded query logs: each different statement once, and when it was executed by whom.
create table query_log_statements (
  integration uuid not null references integrations (id) on delete cascade,
  hash bytea not null, -- SHA-256 of the statement without its literals, and of its database and schema
  sql text not null,
  database text,
  schema text,
  untimed_calls bigint not null default 0, -- executions without a time
  primary key (integration, hash)
);

create table query_log_executions (
  integration uuid not null,
  hash bytea not null,
  at timestamptz not null,
  user_name text not null, -- empty: unknown
  duration_ms float8,
  primary key (integration, hash, at, user_name),
  foreign key (integration, hash) references query_log_statements (integration, hash) on delete cascade
);
create index query_log_executions_at on query_log_executions (integration, at);

-- A file that was uploaded before is not counted again.
create table query_log_uploads (
  integration uuid not null references integrations (id) on delete cascade,
  digest bytea not null,
  uploaded_at timestamptz not null,
  report jsonb not null,
  primary key (integration, digest)
);
