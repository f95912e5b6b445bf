import { type RawBuilder, sql } from 'kysely'
import { type Actor, can, visibleTo } from '../../platform/permissions/permissions.ts'

/** Which user names a caller can see: with people.read all of them, otherwise their own and those of owners of visible resources. */

/** Display name of the user under this alias. Without people.read, an e-mail address is cut at the @. */
export const userNameSql = (actor: Actor, alias: string): RawBuilder<string> => {
  const email = sql.ref(`${alias}.email`)
  const unnamed = can(actor, 'people.read') ? email : sql`split_part(${email}, '@', 1)`
  return sql<string>`coalesce(nullif(trim(concat_ws(' ', ${sql.ref(`${alias}.first_name`)}, ${sql.ref(`${alias}.last_name`)})), ''), ${unnamed}, '')`
}

/** Whether the user or group under this alias owns a resource the actor can see. Uses the reference index, so the size of the catalog does not matter. */
export const ownsVisibleResourceSql = (
  actor: Actor,
  alias: string,
  field: 'owners' | 'owners_groups',
): RawBuilder<boolean> => sql<boolean>`exists (
  select from resource_refs f join resources r on r.id = f.resource_id
  where f.target = ${sql.ref(`${alias}.id`)} and f.field = ${sql.lit(field)} and ${visibleTo(actor)})`
