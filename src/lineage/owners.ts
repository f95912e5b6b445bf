import { sql } from 'kysely'
import { nameOfUser } from '../access/names.ts'
import { can, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Owner } from './graph-schema.ts'
import { given, type Place } from './links.ts'

/** Whose things these are. */

/** Of a resource: who owns it, and what stands above it. */
type Owned = Pick<Place, 'id' | 'parent' | 'users' | 'groups'>

interface Named {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
}

/** The owners of each, as far as it has some and the caller sees it. */
export const findOwners = async (ctx: Context, ids: readonly string[]): Promise<Map<string, Owner[]>> => {
  const rows = await readOwned(ctx, ids)
  const owners = await ownersOf(ctx, rows)
  return new Map(rows.flatMap(({ id }, i) => (owners[i] ? [[id, owners[i]]] : [])))
}

/** One after the other, the owners of each: its own, else those of the nearest thing above it that has some and that the caller sees. */
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

/** What stands above these, as far as it takes to find owners. Thousands of tables stand in a few schemas: each is read once. */
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

/** A schema's thousand tables share one list. */
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

/** Whoever sees what they own may know their names; addresses are for those who may read people. */
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
