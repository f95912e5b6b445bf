import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connect.ts'

/** Every resource whose stored path or children count differs from the tree. Empty when all are correct. */
export const findWrongLocations = async (db: Db) => {
  const { rows } = await sql<{ id: string; title_full: string; expected: string; children_count: number; children: number }>`
    with recursive tree as (
      select r.id, r.title as title_full,
        case when r.entity_type = 'cluster' then r.title end as cluster,
        case when r.entity_type = 'database' then r.title end as database,
        case when r.entity_type = 'schema' then r.title end as schema
      from resources r where r.parent is null
      union all
      select c.id, case when c.entity_type = 'database' then c.title else p.title_full || '.' || c.title end,
        case when c.entity_type = 'cluster' then c.title else p.cluster end,
        case when c.entity_type = 'database' then c.title else p.database end,
        case when c.entity_type = 'schema' then c.title when c.entity_type <> 'database' then p.schema end
      from tree p join resources c on c.parent = p.id
    )
    select r.id, r.title_full, t.title_full as expected, r.children_count, (select count(*) from resources c where c.parent = r.id) as children
    from resources r left join tree t on t.id = r.id
    where (r.title_full, r.cluster, r.database, r.schema) is distinct from (t.title_full, t.cluster, t.database, t.schema)
      or r.children_count <> (select count(*) from resources c where c.parent = r.id)
  `.execute(db)
  return rows
}

/** Resources whose recorded versions are not exactly 1, 2, … up to the current one: a partly written change. */
export const findWrongVersions = async (db: Db) => {
  const { rows } = await sql<{ id: string; version: number; versions: number[] }>`
    select r.id, r.version, array_agg(a.version order by a.version) as versions
    from resources r left join activities a on a.resource_id = r.id and a.version is not null
    group by r.id
    having array_agg(a.version order by a.version) <> array(select generate_series(1, r.version))
  `.execute(db)
  return rows
}
