import { type RawBuilder, sql } from 'kysely'
import { getFieldsFor } from '../../catalog/records/fields.ts'
import { type HealthStatus, knownHealthSql, statusSql } from '../../catalog/records/health.ts'
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
import type { FilterJson, Scope, ScopeType } from './scope.ts'

export type GroupBy = Exclude<ScopeType, 'workspace'> | 'schema'
type Counted = 'table' | 'column'
/** What to join to a row `r` for the ID of its group, `g.id`. */
const GROUP_JOINS: Readonly<Record<GroupBy, (counted: Counted) => RawBuilder<unknown>>> = {
  integration: () => sql`cross join lateral (select r.integration as id) g`,
  team: () => sql`cross join unnest(r.teams) g (id)`,
  owner: () => sql`cross join unnest(coalesce(r.owners, '{}') || coalesce(r.owners_groups, '{}')) g (id)`,
  schema: (counted) =>
    counted === 'table'
      ? sql`join resources g on g.id = r.parent and g.entity_type = 'schema'`
      : sql`join resources t on t.id = r.parent join resources g on g.id = t.parent and g.entity_type = 'schema'`,
}

/** The numbers of what the caller can see in the scope. */
export const countNumbers = async (ctx: Context, scope: Scope): Promise<Numbers> =>
  (await countGroups(ctx, scope)).get(null) ?? buildZeroNumbers(scope.type)

/** The same for each group, those with the most tables first. Without `by`, everything is one group. */
export const countGroups = async (ctx: Context, scope: Scope, by?: GroupBy, limit = 1): Promise<Map<string | null, Numbers>> => {
  const tables = await readTables(ctx, scope, by, limit)
  const keys = by ? tables.map(({ key }) => key!) : undefined
  const [health, columns] = await Promise.all([readHealth(ctx, scope, by, keys), readColumns(ctx, scope, by, keys)])
  const byKey = new Map<string | null, Numbers>()
  // Without tables there may still be columns.
  for (const { key, ...numbers } of [...tables, ...(by ? [] : columns.map(({ key }) => ({ key })))])
    if (!byKey.has(key)) byKey.set(key, { ...buildZeroNumbers(by ?? scope.type), ...numbers })
  for (const { key, ...numbers } of [...health, ...columns]) if (byKey.has(key)) byKey.set(key, { ...byKey.get(key), ...numbers })
  return byKey
}

type GroupNumbers = Numbers & { readonly key: string | null }

const toSql = (ctx: Context, filter: FilterJson): RawBuilder<boolean> =>
  filterSql(parseFilter(JSON.stringify(filter), getFieldsFor(ctx.actor)), 'r')

const countsSql = (ctx: Context, names: readonly MetricName[]): RawBuilder<unknown> =>
  sql.join(
    names.map((name) => {
      const { where } = getMetric(name)
      return sql`count(*) ${where ? sql`filter (where ${toSql(ctx, where)})` : sql``} as ${sql.ref(name)}`
    }),
  )

/** Rows `r` that are counted, with their group as `key`. */
const fromSql = (
  ctx: Context,
  scope: Scope,
  entity_type: Counted,
  by: GroupBy | undefined,
  keys?: readonly string[],
  joined = sql``,
) => sql`
  from resources r ${joined} ${by ? GROUP_JOINS[by](entity_type) : sql``}
  where ${toSql(ctx, baseFilter(scope, entity_type))} and ${sql.join([visibleTo(ctx.actor), ...visibleTeamsSql(ctx.actor)], sql` and `)}
    ${by ? sql`and g.id is not null` : sql``} ${by && keys ? sql`and g.id = any(${keys}::uuid[])` : sql``}`

const keySql = (by: GroupBy | undefined): RawBuilder<unknown> => (by ? sql`g.id` : sql`null::uuid`)

const readTables = async (ctx: Context, scope: Scope, by: GroupBy | undefined, limit: number): Promise<GroupNumbers[]> => {
  const sized = (prefix: string, name: MetricName) => {
    const { where } = getMetric(name)
    const only = where ? sql`filter (where ${toSql(ctx, where)})` : sql``
    return sql`coalesce(sum(r.row_count) ${only}, 0)::float8 as ${sql.ref(`${prefix}rows`)}, coalesce(sum(r.byte_size) ${only}, 0)::float8 as ${sql.ref(`${prefix}bytes`)}`
  }
  const { rows } = await sql<GroupNumbers>`
    select ${keySql(by)} as key, ${countsSql(ctx, metricsOf('table'))},
      ${sized('', 'tables')}, ${sized('stale_', 'tables_stale')}, ${sized('unused_', 'tables_unused')},
      coalesce(sum(r.external_usage), 0)::float8 as queries, coalesce(sum(r.internal_usage), 0)::float8 as views
    ${fromSql(ctx, scope, 'table', by)}
    group by 1 order by tables desc, key limit ${sql.lit(limit)}
  `.execute(ctx.db, ctx.limits)
  return rows
}

const readHealth = async (
  ctx: Context,
  scope: Scope,
  by: GroupBy | undefined,
  keys: readonly string[] | undefined,
): Promise<GroupNumbers[]> => {
  const { rows } = await sql<{ key: string | null; health: HealthStatus; count: number }>`
    with k as materialized (${knownHealthSql(ctx.actor)})
    select ${keySql(by)} as key, ${statusSql(sql`coalesce(k.severity, 3)`)} as health, count(*) as count
    ${fromSql(ctx, scope, 'table', by, keys, sql`left join k on k.id = r.id`)} group by 1, 2
  `.execute(ctx.db, ctx.limits)
  return [...Map.groupBy(rows, ({ key }) => key)].map(([key, statuses]) => ({
    key,
    ...Object.fromEntries(statuses.map(({ health, count }) => [HEALTH_METRICS[health], count])),
  }))
}

const readColumns = async (
  ctx: Context,
  scope: Scope,
  by: GroupBy | undefined,
  keys: readonly string[] | undefined,
): Promise<GroupNumbers[]> => {
  if (!countsColumns(by ?? scope.type) || scope.type === 'owner') return []
  const { rows } = await sql<GroupNumbers>`
    select ${keySql(by)} as key, ${countsSql(ctx, metricsOf('column'))} ${fromSql(ctx, scope, 'column', by, keys)} group by 1
  `.execute(ctx.db, ctx.limits)
  return rows
}
