import { type RawBuilder, sql } from 'kysely'
import { type Actor, can, visibleTo } from './permissions.ts'

/** Who may be named to whom. Whoever reads people knows everybody; others know themselves and those who own what they see. */

/** What the user under this alias is called. E-mail addresses are for those who may read people; others get what stands before the @. */
export const nameOfUser = (actor: Actor, alias: string): RawBuilder<string> => {
  const email = sql.ref(`${alias}.email`)
  const unnamed = can(actor, 'people.read') ? email : sql`split_part(${email}, '@', 1)`
  return sql<string>`coalesce(nullif(trim(concat_ws(' ', ${sql.ref(`${alias}.first_name`)}, ${sql.ref(`${alias}.last_name`)})), ''), ${unnamed}, '')`
}

/** That the user or group under this alias owns something the actor sees. Found by the reference, whatever the size of the catalog. */
export const ownsVisible = (actor: Actor, alias: string, field: 'owners' | 'owners_groups'): RawBuilder<boolean> => sql<boolean>`exists (
  select from resource_refs f join resources r on r.id = f.resource_id
  where f.target = ${sql.ref(`${alias}.id`)} and f.field = ${sql.lit(field)} and ${visibleTo(actor)})`
