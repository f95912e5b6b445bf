-- Names as one would guess them. Functions that name others in their text are created again with the new names.

alter table resource_offers rename to resource_field_suggestions;
alter table resource_field_suggestions rename column said to reported_values;
alter table resource_origins rename column said to reported_values;
alter table resource_field_suggestions rename constraint resource_offers_pkey to resource_field_suggestions_pkey;
alter table resource_field_suggestions rename constraint resource_offers_integration_fkey to resource_field_suggestions_integration_fkey;
alter index resource_offers_integration rename to resource_field_suggestions_integration;

-- The trash holds copies of rows of these two tables, and which columns they had.
update trash set columns = replace(replace(columns::text, '"resource_offers"', '"resource_field_suggestions"'), '"said"', '"reported_values"')::jsonb;
update trash_rows set table_name = replace(table_name, 'resource_offers', 'resource_field_suggestions'),
  row = (row - 'said') || jsonb_build_object('reported_values', row -> 'said')
where table_name in ('resource_offers', 'resource_origins');

alter table idempotent_answers rename to idempotency_responses;
alter table idempotency_responses rename constraint idempotent_answers_pkey to idempotency_responses_pkey;
alter table idempotency_responses rename constraint idempotent_answers_answered to idempotency_responses_completed;
alter index idempotent_answers_created_at rename to idempotency_responses_created_at;

alter table worker_beats rename to worker_heartbeats;
alter table worker_heartbeats rename constraint worker_beats_pkey to worker_heartbeats_pkey;

alter table monitors rename column lesson to model_generation;
alter table monitor_runs rename column lane to partition;
alter index monitor_runs_lane rename to monitor_runs_partition;
alter index monitor_runs_asked rename to monitor_runs_requested;

alter index activities_documents_begun rename to activities_documents_created;
alter index lineage_queries_once rename to lineage_queries_unique;
alter index pii_suggestions_of rename to pii_suggestions_unique;

alter table parent_changes rename column place to location;
alter function place_key(text, text, text, text) rename to location_key;
alter function settle_parents() rename to apply_parent_changes;
alter trigger settle_parents on parent_changes rename to apply_parent_changes;
create or replace function apply_parent_changes() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  me constant xid8 := pg_current_xact_id();
  parents uuid[];
  renamed uuid[];
  outdated boolean;
begin
  -- The first call does the work of all and deletes the rows. The others look for their own row only: reading all of them again, which stay in
  -- the table until the commit, took a minute for 8,000 parents.
  perform from parent_changes where xid = me and parent = new.parent;
  if not found then return null; end if;
  select array_agg(parent) into parents from parent_changes where xid = me;
  perform from resources p where p.id = any(parents) order by p.id for no key update;
  select array_agg(p.id) filter (where c.location <> location_key(p.title_full, p.cluster, p.database, p.schema)),
    coalesce(bool_or(p.xmin <> me::xid and (c.published <> p.published
      or (c.restart and c.location <> location_key(p.title_full, p.cluster, p.database, p.schema)))), false)
  into renamed, outdated
  from parent_changes c join resources p on p.id = c.parent where c.xid = me;
  if outdated then raise serialization_failure using message = 'The parent was changed at the same time.'; end if;
  if renamed is not null then
    with recursive below as (
      select c.id,
        case when c.entity_type = 'database' then c.title else p.title_full || '.' || c.title end as title_full,
        case when c.entity_type = 'cluster' then c.title else p.cluster end as cluster,
        case when c.entity_type = 'database' then c.title else p.database end as database,
        case when c.entity_type = 'schema' then c.title when c.entity_type = 'database' then null else p.schema end as schema
      from resources p join resources c on c.parent = p.id where p.id = any(renamed) and c.xmin = me::xid
      union all
      select c.id,
        case when c.entity_type = 'database' then c.title else b.title_full || '.' || c.title end,
        case when c.entity_type = 'cluster' then c.title else b.cluster end,
        case when c.entity_type = 'database' then c.title else b.database end,
        case when c.entity_type = 'schema' then c.title when c.entity_type = 'database' then null else b.schema end
      from below b join resources c on c.parent = b.id
    )
    update resources r set title_full = b.title_full, cluster = b.cluster, database = b.database, schema = b.schema
    from below b
    where r.id = b.id and (r.title_full, r.cluster, r.database, r.schema) is distinct from (b.title_full, b.cluster, b.database, b.schema);
  end if;
  update resources p set children_count = p.children_count + c.added
  from parent_changes c where c.xid = me and p.id = c.parent and c.added <> 0;
  delete from parent_changes where xid = me;
  return null;
end $$;

alter table lineage_tallies rename to lineage_edge_counts;
alter index lineage_tallies_xid rename to lineage_edge_counts_xid;
alter function tally_lineage() rename to count_manual_edges;
alter trigger tally_lineage_added on lineage_edges rename to count_manual_edges_insert;
alter trigger tally_lineage_removed on lineage_edges rename to count_manual_edges_delete;
create or replace function count_manual_edges() returns trigger language plpgsql as $$
declare
  n integer;
begin
  if tg_op = 'INSERT' then select count(*) into n from added where query is null;
  else select -count(*) into n from removed where query is null;
  end if;
  if n <> 0 then insert into lineage_edge_counts (n) values (n); end if;
  return null;
end $$;

alter function edges_removed() rename to lineage_edges_delete;
alter function edges_emptied() rename to lineage_edges_truncate;
alter trigger edges_removed on resources rename to lineage_edges_delete;
alter trigger edges_emptied on resources rename to lineage_edges_truncate;

alter function note_changes() rename to log_resource_changes;
alter trigger note_changes_added on resources rename to log_resource_changes_insert;
alter trigger note_changes_removed on resources rename to log_resource_changes_delete;
alter function note_property_changes() rename to log_property_changes;
alter trigger note_property_changes_added on property_values rename to log_property_changes_insert;
alter trigger note_property_changes_edited on property_values rename to log_property_changes_update;
alter trigger note_property_changes_removed on property_values rename to log_property_changes_delete;

alter trigger count_children_added on resources rename to count_children_insert;
alter trigger count_children_removed on resources rename to count_children_delete;
alter trigger access_changed_edited on tokens rename to access_changed_update;
alter trigger access_changed_edited on users rename to access_changed_update;

alter function links_in(text) rename to parse_resource_links;
alter function links_emptied() rename to resource_links_truncate;
alter function links_written() rename to update_resource_links;
alter trigger links_added on search_texts rename to resource_links_insert;
alter trigger links_removed on search_texts rename to resource_links_delete;
alter trigger links_emptied on search_texts rename to resource_links_truncate;
create or replace function update_resource_links() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then delete from resource_links where resource_id = old.resource_id;
  else
    insert into resource_links (target, resource_id)
    select l.target, r.id from resources r cross join lateral parse_resource_links(r.definition) l (target) where r.id = new.resource_id;
  end if;
  return null;
end $$;
