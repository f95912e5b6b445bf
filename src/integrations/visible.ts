import { type RawBuilder, sql } from 'kysely'
import { type Actor, viewOf } from '../access/permissions.ts'

/**
 * Whether no closed team keeps this integration (under this alias) from the actor. Guests pass: they see resources of integrations that are in
 * none of their teams, and what they see they may also preview.
 */
export const openTo = (actor: Actor, alias: string): RawBuilder<boolean> => {
  const { foreign_teams, closed_teams } = viewOf(actor)
  const teams = sql.ref(`${alias}.teams`)
  return foreign_teams.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(${teams} is null or not ${teams} && ${foreign_teams}::uuid[] or ${teams} && ${closed_teams}::uuid[])`
}
