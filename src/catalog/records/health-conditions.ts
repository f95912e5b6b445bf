import { type RawBuilder, sql } from 'kysely'
import { type Actor, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'

/**
 * The conditions that health follows from, cut to what the actor can see. They are computed for what changed and for what looks different to
 * callers who do not see everything; all others read what is stored (health.ts).
 */

/** How long a change of columns is recent. */
export const SCHEMA_CHANGE_DAYS = 7

/** The activity under this alias says that columns of a table changed lately. */
export const recentSchemaChangeSql = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.activity_type`)} = 'schema_changed' and ${sql.ref(`${alias}.logged_at`)} > now() - make_interval(days => ${sql.lit(SCHEMA_CHANGE_DAYS)})`

/** Incidents and monitors that determine health. Each has a `target` and the table it belongs to, which is the target itself or contains it. */
const OPEN_INCIDENTS = { table: 'monitor_incidents', where: sql<boolean>`n.status <> 'resolved'` }
const MEASURED_MONITORS = { table: 'monitors', where: sql<boolean>`n.is_enabled and n.last_measured_at is not null` }
/** Their last value is out of range. Without an open incident, somebody resolved it too early. */
const OUT_OF_RANGE_MONITORS = { table: 'monitors', where: sql<boolean>`n.is_enabled and n.status = 'incident'` }
type Checks = typeof OPEN_INCIDENTS

/** Checks `n` with a visible target `c`. */
const visibleChecksSql = (actor: Actor, { table, where }: Checks): RawBuilder<unknown> =>
  sql`${sql.table(table)} n join resources c on c.id = n.target where ${where} and ${visibleTo(actor, 'c')}`

/**
 * The column has this value. Written as a range, so that the planner always looks it up in the index: for an equation it may collect all rows first, which
 * takes longer for the few resources that are computed.
 */
const isSql = (column: string, id: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`${sql.ref(column)} between ${id} and ${id}`

/** Monitors `n` whose last value is out of range, with a visible target `c`. */
export const outOfRangeMonitorsSql = (actor: Actor) => visibleChecksSql(actor, OUT_OF_RANGE_MONITORS)

/** Whether an open incident is upstream, connected through resources that the actor can see. */
const hasUpstreamIncidentSql = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<boolean> => {
  const affected = sql<boolean>`exists (select from incident_paths p where ${isSql('p.resource_id', id)})`
  if (seesEverything(actor)) return affected
  return sql<boolean>`(case when ${affected} then exists (
    with recursive above as (
      select ${id} as id
      union
      select p.upstream_id from above a join incident_paths p on p.resource_id = a.id join resources u on u.id = p.upstream_id and ${visibleTo(actor, 'u')}
    )
    select from above a join monitor_incidents n on n.table_id = a.id and n.status <> 'resolved' join resources c on c.id = n.target
    where a.id <> ${id} and ${visibleTo(actor, 'c')}
  ) else false end)`
}

/**
 * What the resource reads directly and is deprecated (`u`), of what the actor can see. With `offset`, so that the planner never starts from everything
 * that is deprecated.
 */
export const deprecatedUpstreamSql = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  lineage_edges e cross join lateral (select u.id, u.deprecation, u.published, u.teams from resources u where u.id = e.upstream offset 0) u
  where ${isSql('e.downstream', id)} and u.deprecation is not null and ${visibleTo(actor, 'u')}`

/** Whether something further upstream is deprecated, connected through resources that the actor can see. */
const hasDeprecatedFurtherUpstreamSql = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<boolean> => {
  const affected = sql<boolean>`exists (select from deprecation_paths p where ${isSql('p.resource_id', id)} and p.depth > 1)`
  if (seesEverything(actor)) return affected
  return sql<boolean>`(case when ${affected} then exists (select from ${nearestDeprecatedSql(actor, id)}) else false end)`
}

/** The nearest deprecated resource (`a.id`) on each path that leads to this one through resources that the actor can see. */
export const nearestDeprecatedSql = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  with recursive above as (
    select ${id} as id, false as deprecated
    union
    select u.id, u.deprecation is not null from above a join deprecation_paths p on p.resource_id = a.id
      join resources u on u.id = p.upstream_id and ${visibleTo(actor, 'u')}
    where not a.deprecated
  )
  select b.id from above b where b.deprecated and b.id <> ${id}
) a`

/** Missing from its source, deprecated, or with recently changed columns. */
const ownWarningsSql = (
  alias: string,
): RawBuilder<boolean> => sql<boolean>`(${sql.ref(`${alias}.stale`)} or ${sql.ref(`${alias}.deprecation`)} is not null
  or exists (select from activities e where ${isSql('e.resource_id', sql.ref(`${alias}.id`))} and ${recentSchemaChangeSql('e')}))`

const conditionsSql = (actor: Actor, alias: string) => {
  const id = sql.ref(`${alias}.id`)
  const isColumn = sql`${sql.ref(`${alias}.entity_type`)} = 'column'`
  return {
    incident: sql<boolean>`(exists (select from ${visibleChecksSql(actor, OPEN_INCIDENTS)} and ${isSql('n.table_id', id)})
      or ${isColumn} and exists (select from ${visibleChecksSql(actor, OPEN_INCIDENTS)} and ${isSql('n.target', id)}))`,
    warning: sql<boolean>`(${ownWarningsSql(alias)} or ${hasUpstreamIncidentSql(actor, id)}
      or exists (select from ${deprecatedUpstreamSql(actor, id)}) or ${hasDeprecatedFurtherUpstreamSql(actor, id)}
      or exists (select from ${visibleChecksSql(actor, OUT_OF_RANGE_MONITORS)} and ${isSql('n.table_id', id)})
      or ${isColumn} and exists (select from ${visibleChecksSql(actor, OUT_OF_RANGE_MONITORS)} and ${isSql('n.target', id)}))`,
    ok: sql<boolean>`(exists (select from ${visibleChecksSql(actor, MEASURED_MONITORS)} and ${isSql('n.table_id', id)})
      or ${isColumn} and exists (select from ${visibleChecksSql(actor, MEASURED_MONITORS)} and ${isSql('n.target', id)}))`,
  }
}

const toSeveritySql = ({ incident, warning, ok }: Record<'incident' | 'warning' | 'ok', RawBuilder<boolean>>): RawBuilder<number> =>
  sql<number>`(case when ${incident} then 0 when ${warning} then 1 when ${ok} then 2 else 3 end)`

/** The severity of a row of `resources` under this alias, computed: 0 is an incident, 3 unknown. */
export const computedSeveritySql = (actor: Actor, alias: string): RawBuilder<number> => toSeveritySql(conditionsSql(actor, alias))

/** What follows from the row alone: no other resource has to be visible for it. */
export const ownSeveritySql = (alias: string): RawBuilder<number> => {
  const id = sql.ref(`${alias}.id`)
  const isColumn = sql`${sql.ref(`${alias}.entity_type`)} = 'column'`
  const has = ({ table, where }: Checks) =>
    sql<boolean>`exists (select from ${sql.table(table)} n where ${where} and ${isSql('n.target', id)} and (n.table_id = ${id} or ${isColumn}))`
  return toSeveritySql({
    incident: has(OPEN_INCIDENTS),
    warning: sql<boolean>`(${ownWarningsSql(alias)} or ${has(OUT_OF_RANGE_MONITORS)})`,
    ok: has(MEASURED_MONITORS),
  })
}
