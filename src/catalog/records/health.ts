import { type RawBuilder, sql } from 'kysely'
import type { ListField } from '../../platform/lists/field.ts'
import { type Actor, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import { computedSeveritySql } from './health-conditions.ts'

/**
 * The health of resources as SQL, cut to what the actor can see. `unknown` has no reason and nothing that checks it. Reasons in words are in
 * observability/health.
 *
 * It is stored for somebody who sees everything (`resource_health`). Nobody sees more, and everybody sees at least what follows from the resource
 * alone, so only where the two differ it depends on the actor. That, and what has changed since (`changed_health`), is computed by the reader
 * ([why](../../../docs/decisions/0046-stored-health.md)).
 */
export const HEALTH_STATUSES = ['incident', 'warning', 'ok', 'unknown'] as const
export type HealthStatus = (typeof HEALTH_STATUSES)[number]

const UNKNOWN = HEALTH_STATUSES.indexOf('unknown')
const KNOWN = [0, 1, 2]

/** `property_changes` lists changes of health under this ID. */
export const HEALTH_CHANGES = '00000000-0000-0000-0000-000000000001'

/** Instead of a severity, for callers who do not see everything: it depends on what they see, and stays the same until a change of health is logged. */
const DIFFERS = -1
/** Instead of a severity: it has changed since it was stored, or will without being logged. */
const NOT_STORED = -2

const IS_CURRENT = sql<boolean>`(h.valid_until is null or h.valid_until > now())`

/** Whether the stored row `h` is what this actor sees, unless it has changed since. */
const isValidSql = (actor: Actor): RawBuilder<boolean> =>
  sql<boolean>`${IS_CURRENT}${seesEverything(actor) ? sql`` : sql` and h.severity = h.own_severity`}`

/** The first condition is evaluated once: mostly nothing has changed. */
const isChangedSql = (id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from changed_health) and exists (select from changed_health q where q.resource_id = ${id}))`

/**
 * The stored severity of a row of `resources` under this alias, -1 if it differs from caller to caller, or -2 if it has to be computed. Short, for pages
 * whose few other rows are read by another statement.
 */
export const storedSeveritySql = (actor: Actor, alias: string): RawBuilder<number> => {
  const id = sql.ref(`${alias}.id`)
  const differs = seesEverything(actor) ? sql`` : sql`when h.valid_until is null then ${sql.lit(DIFFERS)}`
  return sql<number>`(case when ${isChangedSql(id)} then ${sql.lit(NOT_STORED)} else coalesce((
    select case when ${isValidSql(actor)} then h.severity ${differs} else ${sql.lit(NOT_STORED)} end from resource_health h where h.resource_id = ${id}
  ), ${sql.lit(UNKNOWN)}) end)`
}

/** 0 is an incident, 3 unknown. */
const severitySql = (actor: Actor, alias: string): RawBuilder<number> =>
  sql<number>`coalesce(nullif(greatest(${storedSeveritySql(actor, alias)}, ${sql.lit(DIFFERS)}), ${sql.lit(DIFFERS)}), ${computedSeveritySql(actor, alias)})`

/** The status of this severity. */
export const statusSql = (severity: RawBuilder<unknown>): RawBuilder<HealthStatus> =>
  sql<HealthStatus>`(${sql.lit(`{${HEALTH_STATUSES.join(',')}}`)}::text[])[1 + ${severity}]`

/** The status of a row of `resources` under this alias. */
export const healthSql = (actor: Actor, alias = 'r'): RawBuilder<HealthStatus> => statusSql(severitySql(actor, alias))

/** Whether what this caller sees can be cached until a change of health is logged. */
export const differs = (severity: number | undefined): boolean => severity === DIFFERS

/** Undefined if it is not stored. */
export const findStatus = (severity: number | undefined): HealthStatus | undefined =>
  severity === undefined ? undefined : HEALTH_STATUSES[severity]

const listSql = (severities: readonly number[]): RawBuilder<unknown> => sql.join(severities.map((severity) => sql.lit(severity)))

/** All resources (`id`) with one of these severities (`severity`), which are few: not unknown. */
export const knownHealthSql = (actor: Actor, severities: readonly number[] = KNOWN): RawBuilder<unknown> => {
  // What an actor sees lies between the two severities.
  const differing = seesEverything(actor)
    ? sql``
    : sql`union all select h.resource_id from resource_health h
        where h.severity <> h.own_severity and h.severity <= ${sql.lit(Math.max(...severities))} and h.own_severity >= ${sql.lit(Math.min(...severities))}`
  return sql`
    select h.resource_id as id, h.severity::int as severity from resource_health h
    where h.severity in (${listSql(severities)}) and ${isValidSql(actor)} and not exists (select from changed_health q where q.resource_id = h.resource_id)
    union all
    select s.id, s.severity from (
      select t.id, ${computedSeveritySql(actor, 't')} as severity from resources t
      where t.id = any(array(
        select q.resource_id from changed_health q union all select h.resource_id from resource_health h where h.valid_until <= now() ${differing}
      )) and ${visibleTo(actor, 't')} offset 0
    ) s where s.severity in (${listSql(severities)})`
}

/**
 * The condition on `r` that it has one of these statuses. It starts from the few resources that do: as an array, because Postgres would merge
 * a set with all resources. Almost all are unknown.
 */
const hasOneOfSql = (actor: Actor, statuses: readonly HealthStatus[]): RawBuilder<boolean> => {
  if (statuses.length === 0) return sql<boolean>`false`
  const severities = statuses.map((status) => HEALTH_STATUSES.indexOf(status))
  return severities.includes(UNKNOWN)
    ? sql<boolean>`${severitySql(actor, 'r')} in (${listSql(severities)})`
    : sql<boolean>`r.id = any(array(select k.id from (${knownHealthSql(actor, severities)}) k))`
}

/** The same for rows that something else finds: it looks each of them up in a set, which an array would be compared with one by one. */
export const hasFoundOneOfSql = (actor: Actor, statuses: readonly HealthStatus[]): RawBuilder<boolean> => {
  const severities = statuses.map((status) => HEALTH_STATUSES.indexOf(status))
  const others = KNOWN.filter((severity) => !severities.includes(severity))
  const isIn = (known: readonly number[]) =>
    known.length === 0 ? sql<boolean>`false` : sql<boolean>`r.id in (select k.id from (${knownHealthSql(actor, known)}) k)`
  return severities.includes(UNKNOWN) ? sql<boolean>`(not ${isIn(others)})` : sql<boolean>`((${isIn(severities)}) is true)`
}

/** Sorted by severity: incidents first. */
export const healthField = (actor: Actor): ListField => ({
  name: 'health',
  type: 'text',
  required: true,
  logged_as: HEALTH_CHANGES,
  reader: {
    expected: `one of ${HEALTH_STATUSES.join(', ')}`,
    read: (value) => HEALTH_STATUSES.find((status) => status === value),
  },
  value: (alias) => healthSql(actor, alias),
  // Written rows and their previous state are looked up one by one.
  has: (alias, values) => (alias === 'r' ? hasOneOfSql(actor, values as HealthStatus[]) : undefined),
  hasFound: (alias, values) => (alias === 'r' ? hasFoundOneOfSql(actor, values as HealthStatus[]) : undefined),
  sorted_as: { type: 'number', value: (alias) => severitySql(actor, alias) },
  few_values: { values: HEALTH_STATUSES, usual: 'unknown' },
})
