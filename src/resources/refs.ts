import { type RawBuilder, sql } from 'kysely'
import { type Actor, viewOf } from '../access/permissions.ts'

/** Resources by whom and what they refer to: the table `resource_refs`, which triggers keep. */

/** That the row `r` refers to one of these in this field. */
export const refersTo = (field: string, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`r.id in (select f.resource_id from resource_refs f where f.target = any(${ids}::uuid[]) and f.field = ${sql.lit(field)})`

/** A guest sees the few resources of its teams: found by them, instead of among all. Says nothing that `visibleTo` does not say. */
export const reachableBy = (actor: Actor): RawBuilder<boolean>[] => {
  const { only_teams } = viewOf(actor)
  return only_teams ? [refersTo('teams', only_teams)] : []
}
