import { sql } from 'kysely'
import { can, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Owner } from './graph-schema.ts'
import { given } from './links.ts'

/** Whose things these are. */

interface OwnersRow {
  readonly id: string
  readonly parent: string | null
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
  const above = await readAbove(ctx, ids)
  const rows = ids.flatMap((id) => {
    let at = above.get(id)
    while (at && !at.users && !at.groups) at = at.parent === null ? undefined : above.get(at.parent)
    return at ? [{ ...at, id }] : []
  })
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

/** These and what stands above them, as far as it takes to find owners. Thousands of tables stand in a few schemas: each is read once. */
const readAbove = async (ctx: Context, ids: readonly string[]): Promise<Map<string, OwnersRow>> => {
  const found = new Map<string, OwnersRow>()
  for (let wanted = new Set(ids); wanted.size > 0; ) {
    const { rows } = await sql<OwnersRow>`
      select r.id, r.parent, r.owners as users, r.owners_groups as groups
      from ${given([...wanted])} n(id) cross join lateral (select r.* from resources r where r.id = n.id offset 0) r where ${visibleTo(ctx.actor)}
    `.execute(ctx.db, ctx.limits)
    for (const row of rows) found.set(row.id, row)
    wanted = new Set(rows.flatMap(({ parent, users, groups }) => (users || groups || !parent || found.has(parent) ? [] : parent)))
  }
  return found
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
