import { type RawBuilder, sql } from 'kysely'
import { getFieldsFor } from '../../catalog/records/fields.ts'
import { HEALTH_STATUSES, knownHealthSql } from '../../catalog/records/health.ts'
import { visibleTeamsSql } from '../../catalog/records/refs.ts'
import type { Context } from '../../platform/context/context.ts'
import { parseFilter } from '../../platform/lists/filter.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import {
  baseFilter,
  buildZeroNumbers,
  countsColumns,
  getMetric,
  HEALTH_METRICS,
  type MetricName,
  metricsOf,
  type Numbers,
} from './metrics.ts'
import { type FilterJson, type Scope, type ScopeType, scopeFilters } from './scope.ts'

export type GroupBy = Exclude<ScopeType, 'workspace'> | 'schema'
/** What to join to a table `r`, or to a row `c` of `column_counts`, for the ID of its group, `g.id`. */
const GROUP_JOINS: Readonly<Record<GroupBy, (alias: 'r' | 'c') => RawBuilder<unknown>>> = {
  integration: (alias) => sql`cross join lateral (select ${sql.ref(`${alias}.integration`)} as id) g`,
  team: (alias) => sql`cross join unnest(${sql.ref(`${alias}.teams`)}) g (id)`,
  owner: () => sql`cross join unnest(coalesce(r.owners, '{}') || coalesce(r.owners_groups, '{}')) g (id)`,
  schema: (alias) =>
    alias === 'r'
      ? sql`cross join lateral (select r.parent as id) g`
      : sql`join (select t.id as table_id, t.parent as id from resources t) g on g.table_id = c.parent`,
}

/** The numbers of what the caller can see in the scope. */
export const countNumbers = async (ctx: Context, scope: Scope): Promise<Numbers> =>
  (await countGroups(ctx, scope)).get(null) ?? buildZeroNumbers(scope.type)

/** The same for each group, those with the most tables first. Without `by`, everything is one group. */
export const countGroups = async (ctx: Context, scope: Scope, by?: GroupBy, limit = 1): Promise<Map<string | null, Numbers>> => {
  const tables = await readTables(ctx, scope, by, limit)
  const keys = by ? tables.map(({ key }) => key!) : undefined
  const columns = await readColumns(ctx, scope, by, keys)
  const byKey = new Map<string | null, Numbers>()
  // Without tables there may still be columns.
  for (const { key, ...numbers } of [...tables, ...(by ? [] : columns.map(({ key }) => ({ key })))])
    if (!byKey.has(key)) byKey.set(key, { ...buildZeroNumbers(by ?? scope.type), ...numbers })
  for (const { key, ...numbers } of columns) if (byKey.has(key)) byKey.set(key, { ...byKey.get(key), ...numbers })
  return byKey
}

const SIZE_NAMES: Readonly<Record<string, string>> = { row_count: 'rows', byte_size: 'bytes' }
type GroupNumbers = Numbers & { readonly key: string | null }

const toSql = (ctx: Context, filter: FilterJson, alias = 'r'): RawBuilder<boolean> =>
  filterSql(parseFilter(JSON.stringify(filter), getFieldsFor(ctx.actor)), alias)

/** The condition of a metric on a row `r`. */
const conditionSql = (ctx: Context, name: MetricName): RawBuilder<unknown> => {
  const { where } = getMetric(name)
  return where ? toSql(ctx, where) : sql`true`
}

const countsSql = (names: readonly MetricName[], condition: (name: MetricName) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql`count(*) filter (where ${condition(name)}) as ${sql.ref(name)}`))

/** Tables `r` that are counted, with their group `g`. */
const tablesSql = (ctx: Context, scope: Scope, by: GroupBy | undefined) => sql`
  from resources r ${by ? GROUP_JOINS[by]('r') : sql``}
  where ${toSql(ctx, baseFilter(scope, 'table'))} and ${sql.join([visibleTo(ctx.actor), ...visibleTeamsSql(ctx.actor)], sql` and `)}
    ${scope.type === 'owner' ? sql`and ${isOwnedSql(scope.id)}` : sql``} ${by ? sql`and g.id is not null` : sql``}`

/** Tested once for each group instead of for each table. Parents are mostly schemas. */
const isGroupSql = (by: GroupBy | undefined): RawBuilder<unknown> =>
  by === 'schema' ? sql`having exists (select from resources s where s.id = c.key and s.entity_type = 'schema')` : sql``

const keySql = (by: GroupBy | undefined): RawBuilder<unknown> => (by ? sql`g.id` : sql`null::uuid`)

/** Implied by the filter of the scope: Postgres starts from the few resources of the owner. */
const isOwnedSql = (id: string): RawBuilder<boolean> =>
  sql<boolean>`r.id in (select f.resource_id from resource_refs f where f.target = ${id}::uuid and f.field in ('owners', 'owners_groups'))`

/**
 * Conditions are evaluated below `offset 0`: otherwise descriptions and definitions are joined and sorted with the rows, on disk. Health is counted
 * in the same statement, because reading the tables takes most of its time.
 */
const readTables = async (ctx: Context, scope: Scope, by: GroupBy | undefined, limit: number): Promise<GroupNumbers[]> => {
  const sized = (prefix: string, name: MetricName) =>
    sql.join(
      ['row_count', 'byte_size'].map(
        (column) =>
          sql`coalesce(sum(c.${sql.ref(column)}) filter (where c.${sql.ref(name)}), 0)::float8 as ${sql.ref(`${prefix}${SIZE_NAMES[column]}`)}`,
      ),
    )
  const health = HEALTH_STATUSES.map(
    (status, severity) => sql`count(*) filter (where coalesce(k.severity, 3) = ${sql.lit(severity)}) as ${sql.ref(HEALTH_METRICS[status])}`,
  )
  const { rows } = await sql<GroupNumbers>`
    with k as materialized (${knownHealthSql(ctx.actor)}), counted as (
      select ${keySql(by)} as key, r.id, ${sql.join(metricsOf('table').map((name) => sql`${conditionSql(ctx, name)} as ${sql.ref(name)}`))},
        r.row_count, r.byte_size, r.external_usage, r.internal_usage
      ${tablesSql(ctx, scope, by)} offset 0
    )
    select c.key, ${countsSql(metricsOf('table'), (name) => sql`c.${sql.ref(name)}`)}, ${sql.join(health)},
      ${sized('', 'tables')}, ${sized('stale_', 'tables_stale')}, ${sized('unused_', 'tables_unused')},
      coalesce(sum(c.external_usage), 0)::float8 as queries, coalesce(sum(c.internal_usage), 0)::float8 as views
    from counted c left join k on k.id = c.id group by 1 ${isGroupSql(by)} order by tables desc, key limit ${sql.lit(limit)}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/**
 * From the counts that triggers keep for each table, because a million columns take a second
 * ([why](../../../docs/decisions/0030-insights.md)). What can be seen of them and their scope depend on fields that are in `column_counts` too.
 */
const readColumns = async (
  ctx: Context,
  scope: Scope,
  by: GroupBy | undefined,
  keys: readonly string[] | undefined,
): Promise<GroupNumbers[]> => {
  if (!countsColumns(by ?? scope.type) || scope.type === 'owner') return []
  const where = [
    visibleTo(ctx.actor, 'c'),
    ...scopeFilters(scope).map((filter) => toSql(ctx, filter, 'c')),
    ...(keys ? [sql`g.id = any(${keys}::uuid[])`] : []),
  ]
  const { rows } = await sql<GroupNumbers>`
    select ${keySql(by)} as key, ${sql.join(metricsOf('column').map((name) => sql`sum(c.${sql.ref(name)}) as ${sql.ref(name)}`))}
    from column_counts c ${by ? GROUP_JOINS[by]('c') : sql``} where ${sql.join(where, sql` and `)} group by 1
  `.execute(ctx.db, ctx.limits)
  return rows
}
