-- As in 0023, but the calls of one commit take time in proportion to the parents, not to their square.
create or replace function settle_parents() returns trigger language plpgsql set enable_seqscan = off as $$
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
  select array_agg(p.id) filter (where c.place <> place_key(p.title_full, p.cluster, p.database, p.schema)),
    coalesce(bool_or(p.xmin <> me::xid and (c.published <> p.published
      or (c.restart and c.place <> place_key(p.title_full, p.cluster, p.database, p.schema)))), false)
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

-- Finds the entry of the trash that a resource is in, by whatever it was deleted with.
create index trash_rows_resource on trash_rows (((row ->> 'id')::uuid)) where table_name = 'resources';

-- A monitor's own SQL is of whoever wrote it last, not of whoever created the monitor (0026). Where history does not tell, it is of nobody we
-- know (the nil UUID), and so runs with the rights of an editor without teams; null would run it with the rights of the product.
with written as (
  select distinct on (m.id) m.id as monitor, a.performer_id, a.performer_type
  from activities a cross join unnest(a.related_resource_ids) m (id)
  where a.activity_type in ('monitor_created', 'monitor_updated') and a.changes @? '$[*] ? (@.field == "query_select" || @.field == "where")'
  order by m.id, a.logged_at desc, a.id desc
)
update monitors m set statement_by = case
    when w.performer_id is not null then w.performer_id
    when w.performer_type in ('SYSTEM', 'INTEGRATION') then null
    else '00000000-0000-0000-0000-000000000000'
  end
from monitors o left join written w on w.monitor = o.id
where m.id = o.id and (o.metric_type = 'custom_sql' or o.metric_config ? 'where');
