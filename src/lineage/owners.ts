import { sql } from 'kysely'
import { can, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Owner } from './graph-schema.ts'

/** Whose things these are. */

interface OwnersRow {
  readonly id: string
  readonly users: readonly string[] | null
  readonly groups: readonly string[] | null
}

interface Named {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
}

/** The owners of each, else those of the nearest thing above it that has some and that the caller sees. */
export const findOwners = async (ctx: Context, ids: readonly string[]): Promise<Map<string, Owner[]>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<OwnersRow>`
    with recursive above as (
      select r.id, r.parent, r.owners, r.owners_groups, 0 as n from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
      union all
      select a.id, r.parent, r.owners, r.owners_groups, a.n + 1 from above a join resources r on r.id = a.parent
      where a.owners is null and a.owners_groups is null and ${visibleTo(ctx.actor)}
    )
    select id, owners as users, owners_groups as groups from above where owners is not null or owners_groups is not null
  `.execute(ctx.db, ctx.limits)
  const people = await findNames(
    ctx,
    rows.flatMap(({ users }) => users ?? []),
    rows.flatMap(({ groups }) => groups ?? []),
  )
  const owner = (id: string, type: Owner['type']): Owner => ({
    id,
    type,
    name: people.get(id)?.name ?? null,
    email: people.get(id)?.email ?? null,
  })
  return new Map(
    rows.map(({ id, users, groups }) => [
      id,
      [...(users ?? []).map((each) => owner(each, 'user')), ...(groups ?? []).map((each) => owner(each, 'group'))],
    ]),
  )
}

/** As everywhere, names are for those who may read people; one's own one knows. */
const findNames = async (ctx: Context, users: readonly string[], groups: readonly string[]): Promise<Map<string, Named>> => {
  const known = can(ctx.actor, 'people.read')
  const [{ rows: people }, { rows: circles }] = await Promise.all([
    sql<Named>`
      select u.id, coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), u.email) as name, u.email
      from users u where u.id = any(${[...new Set(users)]}::uuid[]) and (${known} or u.id = ${ctx.actor.user_id}::uuid)
    `.execute(ctx.db, ctx.limits),
    sql<Named>`
      select g.id, g.name, null as email from groups g where g.id = any(${[...new Set(groups)]}::uuid[])
        and (${known} or exists (select from group_members m where m.group_id = g.id and m.user_id = ${ctx.actor.user_id}::uuid))
    `.execute(ctx.db, ctx.limits),
  ])
  return new Map([...people, ...circles].map((row) => [row.id, row]))
}
