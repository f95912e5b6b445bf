import { type RawBuilder, sql } from 'kysely'
import type { ListField } from '../../platform/lists/field.ts'
import { type Actor, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'

/**
 * The health of resources as SQL, cut to what the actor can see. `unknown` has no reason and nothing that checks it. Reasons in words are in
 * observability/health.
 */
export const HEALTH_STATUSES = ['incident', 'warning', 'ok', 'unknown'] as const
export type HealthStatus = (typeof HEALTH_STATUSES)[number]

const SCHEMA_CHANGE_DAYS = 7

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

/** The IDs of the resources with such checks: of a target itself, which is visible if it is listed, and of the table of a visible column. */
const checkedIdsSql = (actor: Actor, checks: Checks): RawBuilder<unknown> => sql`
  select n.target from ${sql.table(checks.table)} n where ${checks.where} and n.target = n.table_id
  union all select unnest(array[n.table_id, n.target]) from ${visibleChecksSql(actor, checks)} and n.target <> n.table_id`

/** Monitors `n` whose last value is out of range, with a visible target `c`. */
export const outOfRangeMonitorsSql = (actor: Actor) => visibleChecksSql(actor, OUT_OF_RANGE_MONITORS)

/** Whether an open incident is upstream, connected through resources that the actor can see. */
const hasUpstreamIncidentSql = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<boolean> => {
  const affected = sql<boolean>`exists (select from incident_paths p where p.resource_id = ${id})`
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
 * What the resource reads directly and is deprecated (`u`), of what the actor can see. Written as a range of one value, so that the planner always
 * uses the index of the edges.
 */
export const deprecatedUpstreamSql = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  lineage_edges e join resources u on u.id = e.upstream
  where e.downstream between ${id} and ${id} and u.deprecation is not null and ${visibleTo(actor, 'u')}`

/** Whether something further upstream is deprecated, connected through resources that the actor can see. */
const hasDeprecatedFurtherUpstreamSql = (actor: Actor, id: RawBuilder<unknown>): RawBuilder<boolean> => {
  const affected = sql<boolean>`exists (select from deprecation_paths p where p.resource_id = ${id} and p.depth > 1)`
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

const conditionsSql = (actor: Actor, alias: string) => {
  const id = sql.ref(`${alias}.id`)
  const isColumn = sql`${sql.ref(`${alias}.entity_type`)} = 'column'`
  return {
    incident: sql<boolean>`(exists (select from ${visibleChecksSql(actor, OPEN_INCIDENTS)} and n.table_id = ${id})
      or ${isColumn} and exists (select from ${visibleChecksSql(actor, OPEN_INCIDENTS)} and n.target = ${id}))`,
    warning: sql<boolean>`(${sql.ref(`${alias}.stale`)} or ${sql.ref(`${alias}.deprecation`)} is not null or ${hasUpstreamIncidentSql(actor, id)}
      or exists (select from activities e where e.resource_id = ${id} and ${recentSchemaChangeSql('e')})
      or exists (select from ${deprecatedUpstreamSql(actor, id)}) or ${hasDeprecatedFurtherUpstreamSql(actor, id)}
      or exists (select from ${visibleChecksSql(actor, OUT_OF_RANGE_MONITORS)} and n.table_id = ${id})
      or ${isColumn} and exists (select from ${visibleChecksSql(actor, OUT_OF_RANGE_MONITORS)} and n.target = ${id}))`,
    ok: sql<boolean>`(exists (select from ${visibleChecksSql(actor, MEASURED_MONITORS)} and n.table_id = ${id})
      or ${isColumn} and exists (select from ${visibleChecksSql(actor, MEASURED_MONITORS)} and n.target = ${id}))`,
  }
}

/** The status of a row of `resources` under this alias. */
export const healthSql = (actor: Actor, alias = 'r'): RawBuilder<HealthStatus> => {
  const { incident, warning, ok } = conditionsSql(actor, alias)
  return sql<HealthStatus>`(case when ${incident} then 'incident' when ${warning} then 'warning' when ${ok} then 'ok' else 'unknown' end)`
}

/** Everything downstream of an open incident, connected through resources that the actor can see: the same as above, for all resources at once. */
const affectedSql = (actor: Actor): RawBuilder<unknown> =>
  seesEverything(actor)
    ? sql`select p.resource_id from incident_paths p`
    : sql`
      select d.id from (
        with recursive down as (
          select n.table_id as id, false as reached from ${visibleChecksSql(actor, OPEN_INCIDENTS)}
            and exists (select from resources t where t.id = n.table_id and ${visibleTo(actor, 't')})
          union
          select p.resource_id, true from down d join incident_paths p on p.upstream_id = d.id
            join resources t on t.id = p.resource_id and ${visibleTo(actor, 't')}
        )
        select id from down where reached
      ) d`

/** The same for something deprecated that is more than one step upstream. */
const readsDeprecatedSql = (actor: Actor): RawBuilder<unknown> =>
  seesEverything(actor)
    ? sql`select p.resource_id from deprecation_paths p where p.depth > 1`
    : sql`
      select d.id from (
        with recursive down as (
          select u.id, false as reached from resources u where u.deprecation is not null and ${visibleTo(actor, 'u')}
          union
          select p.resource_id, true from down d join deprecation_paths p on p.upstream_id = d.id
            join resources t on t.id = p.resource_id and ${visibleTo(actor, 't')}
        )
        select id from down where reached
      ) d`

/** The conditions as sets of IDs. None contains a null, which would make `not in` match nothing. */
const setsSql = (actor: Actor) => ({
  incident: checkedIdsSql(actor, OPEN_INCIDENTS),
  warning: sql`
    select s.id from resources s where s.stale union all select s.id from resources s where s.deprecation is not null
    union all select e.resource_id from activities e where e.resource_id is not null and ${recentSchemaChangeSql('e')}
    union all select e.downstream from resources u join lineage_edges e on e.upstream = u.id where u.deprecation is not null and ${visibleTo(actor, 'u')}
    union all ${readsDeprecatedSql(actor)}
    union all ${affectedSql(actor)}
    union all ${checkedIdsSql(actor, OUT_OF_RANGE_MONITORS)}`,
  ok: checkedIdsSql(actor, MEASURED_MONITORS),
})

/** 0 is an incident, 3 unknown. Each set is hashed once, which is cheaper for all resources than looking up each of them. */
const severitySql = (actor: Actor): RawBuilder<number> => {
  const { incident, warning, ok } = setsSql(actor)
  return sql<number>`(case when r.id in (${incident}) then 0 when r.id in (${warning}) then 1 when r.id in (${ok}) then 2 else 3 end)`
}

/**
 * The condition on `r` that it has one of these statuses. It starts from the few resources that may: as an array, because Postgres would merge
 * a set with all resources. Almost all are unknown.
 */
export const hasOneOfSql = (actor: Actor, statuses: readonly HealthStatus[]): RawBuilder<boolean> => {
  if (statuses.length === 0) return sql<boolean>`false`
  const severities = statuses.map((status) => HEALTH_STATUSES.indexOf(status))
  const exact = sql<boolean>`${severitySql(actor)} in (${sql.join(severities.map((severity) => sql.lit(severity)))})`
  const sets = setsSql(actor)
  const candidates = statuses.flatMap((status) => (status === 'unknown' ? [] : [sets[status]]))
  return candidates.length < statuses.length
    ? exact
    : sql<boolean>`(r.id = any(array(${sql.join(candidates, sql` union all `)})) and ${exact})`
}

/** The status of many rows `r`. */
export const healthOfManySql = (actor: Actor): RawBuilder<HealthStatus> =>
  sql<HealthStatus>`(${sql.lit(`{${HEALTH_STATUSES.join(',')}}`)}::text[])[1 + ${severitySql(actor)}]`

/** The IDs of the resources with another status than `unknown`. */
export const knownHealthSql = (actor: Actor): RawBuilder<unknown> => {
  const { incident, warning, ok } = setsSql(actor)
  return sql`${incident} union all ${warning} union all ${ok}`
}

/** Sorted by severity: incidents first. */
export const healthField = (actor: Actor): ListField => ({
  name: 'health',
  type: 'text',
  required: true,
  from_others: true,
  reader: {
    expected: `one of ${HEALTH_STATUSES.join(', ')}`,
    read: (value) => HEALTH_STATUSES.find((status) => status === value),
  },
  value: (alias) => healthSql(actor, alias),
  // The previous state of a row is not in the tables that the candidates come from.
  has: (alias, values) => (alias === 'r' ? hasOneOfSql(actor, values as HealthStatus[]) : undefined),
  sorted_as: { type: 'number', value: () => severitySql(actor) },
  usual: {
    value: 'unknown',
    sorted_as: HEALTH_STATUSES.indexOf('unknown'),
    other_values: ['incident', 'warning', 'ok'],
    others: knownHealthSql(actor),
  },
})
