import { sql } from 'kysely'
import { nameOfUser } from '../access/names.ts'
import { can, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Owner } from './graph-schema.ts'
import { given, type Place } from './links.ts'

/** Owners of resources, inherited from parents. */

/** The owners and the parent of a resource. */
type Owned = Pick<Place, 'id' | 'parent' | 'users' | 'groups'>

interface Named {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
}

/** The owners of each resource that has any and that the caller sees. */
export const findOwners = async (ctx: Context, ids: readonly string[]): Promise<Map<string, Owner[]>> => {
  const rows = await readOwned(ctx, ids)
  const owners = await ownersOf(ctx, rows)
  return new Map(rows.flatMap(({ id }, i) => (owners[i] ? [[id, owners[i]]] : [])))
}

/** The owners of each resource, in order: its own, else those of its nearest visible parent that has any. */
export const ownersOf = async (ctx: Context, all: readonly Owned[]): Promise<(Owner[] | undefined)[]> => {
  const above = await readAbove(ctx, all)
  const owning = all.map((each) => {
    let at: Owned | undefined = each
    while (at && !at.users && !at.groups) at = at.parent === null ? undefined : above.get(at.parent)
    return at
  })
  const lists = await nameOwners(
    ctx,
    [...new Set(owning)].filter((each) => each !== undefined),
  )
  return owning.map((each) => each && lists.get(each))
}

/** The parents of these resources, up to the first with owners. Each is read once: thousands of tables share a few schemas. */
const readAbove = async (ctx: Context, all: readonly Owned[]): Promise<ReadonlyMap<string, Owned>> => {
  const found = new Map<string, Owned>()
  for (let rows = all; rows.length > 0; ) {
    const wanted = new Set<string>()
    for (const { parent, users, groups } of rows) if (parent && !users && !groups && !found.has(parent)) wanted.add(parent)
    rows = await readOwned(ctx, [...wanted])
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

const readOwned = async (ctx: Context, ids: readonly string[]): Promise<readonly Owned[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<Owned>`
    select r.id, r.parent, r.owners as users, r.owners_groups as groups
    from ${given(ids)} n(id) cross join lateral (select r.* from resources r where r.id = n.id offset 0) r where ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Resources that inherit from the same parent share one list. */
const nameOwners = async (ctx: Context, owning: readonly Owned[]): Promise<ReadonlyMap<Owned, Owner[]>> => {
  const people = await findNames(
    ctx,
    owning.flatMap(({ users }) => users ?? []),
    owning.flatMap(({ groups }) => groups ?? []),
  )
  const owner = (id: string, type: Owner['type']): Owner => ({
    id,
    type,
    name: people.get(id)?.name ?? null,
    email: people.get(id)?.email ?? null,
  })
  return new Map(
    owning.map((each) => [
      each,
      [...(each.users ?? []).map((id) => owner(id, 'user')), ...(each.groups ?? []).map((id) => owner(id, 'group'))],
    ]),
  )
}

/** Names of owners are visible to everyone who sees the resource; e-mail addresses only with `people.read`. */
const findNames = async (ctx: Context, users: readonly string[], groups: readonly string[]): Promise<Map<string, Named>> => {
  const known = can(ctx.actor, 'people.read')
  const [{ rows: people }, { rows: circles }] = await Promise.all([
    sql<Named>`
      select u.id, ${nameOfUser(ctx.actor, 'u')} as name, case when ${known} or u.id = ${ctx.actor.user_id}::uuid then u.email end as email
      from users u where u.id = any(${[...new Set(users)]}::uuid[])
    `.execute(ctx.db, ctx.limits),
    sql<Named>`
      select g.id, g.name, null as email from groups g where g.id = any(${[...new Set(groups)]}::uuid[])
    `.execute(ctx.db, ctx.limits),
  ])
  return new Map([...people, ...circles].map((row) => [row.id, row]))
}
