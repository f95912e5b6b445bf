-- What flows where. One row says "data flows from upstream to downstream", once for every reason there is to say so:
-- a person's word (query is null), or a query that was read.

-- The queries that edges were derived from, each once, however many edges it gave.
create table lineage_queries (
  id bigint generated always as identity primary key,
  hash bytea not null,
  sql text not null,
  dialect text not null,
  engine_version text not null,
  -- Kind and span of each of its statements, in order.
  statements jsonb not null,
  created_at timestamptz not null
);
create unique index lineage_queries_once on lineage_queries (hash, dialect, engine_version);

create table lineage_edges (
  -- The entry upstream → downstream (DOWNSTREAM). Its mirror (UPSTREAM) is the same row under another ID; derived edges are no entries.
  id uuid primary key,
  mirror_id uuid,
  upstream uuid not null references resources on delete cascade,
  downstream uuid not null references resources on delete cascade,
  query bigint references lineage_queries,
  -- Of derived edges. `table`: between tables. `filter`: from a column to a table, whose rows it decides. The others are between columns.
  kind text collate "C" check (kind in ('table', 'identity', 'expression', 'aggregation', 'filter')),
  -- Which statement of the query, and where in its text.
  statement integer,
  span_start integer,
  span_end integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (upstream <> downstream),
  check ((query is null) = (mirror_id is not null)),
  check ((query is null) = (kind is null))
);
-- Walks in both directions find all they need in the index, and so do cascades from resources.
create unique index lineage_edges_down on lineage_edges (upstream, downstream, query) include (kind) nulls not distinct;
create index lineage_edges_up on lineage_edges (downstream, upstream, query) include (kind);
create index lineage_edges_query on lineage_edges (query) where query is not null;
-- The list of entries, in the order they were made: all, and those of one end.
create index lineage_edges_manual on lineage_edges (id) where query is null;
create unique index lineage_edges_mirror on lineage_edges (mirror_id) where query is null;
create index lineage_edges_manual_down on lineage_edges (upstream, id) where query is null;
create index lineage_edges_manual_up on lineage_edges (downstream, id) where query is null;

-- How many manual edges came or went, a row a statement: their sum is the count of all, without reading them.
create table lineage_tallies (
  xid xid8 not null default pg_current_xact_id(),
  n integer not null
);
create index lineage_tallies_xid on lineage_tallies (xid) include (n);

create function tally_lineage() returns trigger language plpgsql as $$
declare
  n integer;
begin
  if tg_op = 'INSERT' then select count(*) into n from added where query is null;
  else select -count(*) into n from removed where query is null;
  end if;
  if n <> 0 then insert into lineage_tallies (n) values (n); end if;
  return null;
end $$;
create trigger tally_lineage_added after insert on lineage_edges referencing new table as added for each statement execute function tally_lineage();
create trigger tally_lineage_removed after delete on lineage_edges referencing old table as removed for each statement execute function tally_lineage();
