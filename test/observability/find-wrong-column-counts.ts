import { sql } from 'kysely'
import { COUNTED_COLUMNS } from '../../src/catalog/listing/count.ts'
import { getFieldsFor } from '../../src/catalog/records/fields.ts'
import { metricFilter, metricsOf } from '../../src/observability/insights/metrics.ts'
import type { Db } from '../../src/platform/db/connect.ts'
import { parseFilter } from '../../src/platform/lists/filter.ts'
import { filterSql } from '../../src/platform/lists/filter-sql.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'

const NAMES = metricsOf('column')

/** Tables whose stored counts of columns are not those of the filters that list the columns. Empty when all are correct. */
export const findWrongColumnCounts = async (db: Db) => {
  const counted = NAMES.map((name) => {
    const filter = parseFilter(JSON.stringify(metricFilter({ type: 'workspace' }, name)), getFieldsFor(SYSTEM))
    return sql`-count(*) filter (where ${filterSql(filter, 'r')})`
  })
  const { rows } = await sql<{ parent: string | null }>`
    select d.parent, d.integration, d.published, d.teams, ${sql.join(NAMES.map((name) => sql`sum(d.${sql.ref(name)}) as ${sql.ref(name)}`))}
    from (
      select c.parent, c.integration, c.published, c.teams, ${sql.join(NAMES.map((name) => sql.ref(`c.${name}`)))} from column_counts c
      union all
      select r.parent, r.integration, r.published, r.teams, ${sql.join(counted)} from resources r group by 1, 2, 3, 4
    ) d group by 1, 2, 3, 4 having ${sql.join(
      NAMES.map((name) => sql`sum(d.${sql.ref(name)}) <> 0`),
      sql` or `,
    )}`.execute(db)
  return rows
}

/** Combinations whose stored number of resources is wrong. Empty when all are correct. */
export const findWrongResourceCounts = async (db: Db) => {
  const group = sql.join(COUNTED_COLUMNS.map((column) => sql.ref(column)))
  const { rows } = await sql<{ entity_type: string }>`
    select ${group}, sum(n) as n from (
      select ${group}, n from resource_counts
      union all
      select ${group}, -1 from resources
    ) d group by ${group} having sum(n) <> 0`.execute(db)
  return rows
}
