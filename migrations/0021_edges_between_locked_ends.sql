-- Whoever writes an edge has locked both of its ends and its query in the same transaction (lineage/store.ts). To look each of them up once
-- more for every edge guards nothing, and was a third of what writing edges took.
alter table lineage_edges
  drop constraint lineage_edges_upstream_fkey, drop constraint lineage_edges_downstream_fkey, drop constraint lineage_edges_query_fkey;

-- The edges of deleted resources go with them. They are looked up for each resource, and then by their ids: the planner cannot know how few
-- they are, and would rather read all edges once.
create function edges_removed() returns trigger language plpgsql as $$
begin
  delete from lineage_edges where id = any(array(
    select e.id from removed r cross join lateral (select e.id from lineage_edges e where e.upstream between r.id and r.id offset 0) e
    union all
    select e.id from removed r cross join lateral (select e.id from lineage_edges e where e.downstream between r.id and r.id offset 0) e
  ));
  return null;
end $$;
create trigger edges_removed after delete on resources referencing old table as removed for each statement execute function edges_removed();

create function edges_emptied() returns trigger language plpgsql as $$
begin
  truncate lineage_edges;
  return null;
end $$;
create trigger edges_emptied after truncate on resources for each statement execute function edges_emptied();
