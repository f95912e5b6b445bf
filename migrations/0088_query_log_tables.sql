-- How far a query log was read from a table of another integration.
create table query_log_positions (
  integration uuid not null primary key references integrations (id) on delete cascade,
  source text not null, -- which table; another one is read from its beginning
  position text not null, -- the newest time that was read, as the source writes it
  read_at timestamptz not null
);
