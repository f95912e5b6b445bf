import { type RawBuilder, sql } from 'kysely'
import { type Actor, getVisibilityKey } from '../../platform/permissions/permissions.ts'

/** Finds resources by what they reference. Triggers maintain the table `resource_refs`. */

/** The row `r` references one of these IDs in this field. */
export const refersToSql = (field: string, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`r.id in (select f.resource_id from resource_refs f where f.target = any(${ids}::uuid[]) and f.field = ${sql.lit(field)})`

/**
 * The same for one ID that many rows reference, all of which are read: as an array they are found with one pass through the index, as a set
 * each is looked up from its root.
 */
export const refersToOneSql = (field: string, id: string): RawBuilder<boolean> =>
  sql<boolean>`r.id = any(array(select f.resource_id from resource_refs f where f.target = ${id}::uuid and f.field = ${sql.lit(field)}))`

/**
 * Guests only see resources of their teams, which is a small set: this condition lets Postgres start from the teams. It is implied by
 * `visibleTo`.
 */
export const visibleTeamsSql = (actor: Actor): RawBuilder<boolean>[] => {
  const { only_teams } = getVisibilityKey(actor)
  return only_teams ? [refersToSql('teams', only_teams)] : []
}
