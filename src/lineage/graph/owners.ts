import { sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import type { Context } from '../../platform/context/context.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { idsTable, type NodeInfo } from '../edges/links.ts'
import type { Owner } from './graph-schema.ts'

/** Owners of resources, inherited from parents. */

/** The owners and the parent of a resource. */
type OwnedResource = Pick<NodeInfo, 'id' | 'parent' | 'users' | 'groups'>

interface OwnerName {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
}

/** The owners of each resource that has any and that the caller sees. */
export const findOwners = async (ctx: Context, ids: readonly string[]): Promise<Map<string, Owner[]>> => {
  const rows = await loadOwned(ctx, ids)
  const owners = await resolveOwners(ctx, rows)
  return new Map(rows.flatMap(({ id }, i) => (owners[i] ? [[id, owners[i]]] : [])))
}

/** The owners of each resource, in order: its own, else those of its nearest visible parent that has any. */
export const resolveOwners = async (ctx: Context, all: readonly OwnedResource[]): Promise<(Owner[] | undefined)[]> => {
  const above = await loadParents(ctx, all)
  const owning = all.map((each) => {
    let at: OwnedResource | undefined = each
    while (at && !at.users && !at.groups) at = at.parent === null ? undefined : above.get(at.parent)
    return at
  })
  const lists = await resolveOwnerNames(
    ctx,
    [...new Set(owning)].filter((each) => each !== undefined),
  )
  return owning.map((each) => each && lists.get(each))
}

/** The parents of these resources, up to the first with owners. Each is read once: thousands of tables share a few schemas. */
const loadParents = async (ctx: Context, all: readonly OwnedResource[]): Promise<ReadonlyMap<string, OwnedResource>> => {
  const found = new Map<string, OwnedResource>()
  for (let rows = all; rows.length > 0; ) {
    const ownerIds = new Set<string>()
    for (const { parent, users, groups } of rows) if (parent && !users && !groups && !found.has(parent)) ownerIds.add(parent)
    rows = await loadOwned(ctx, [...ownerIds])
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

const loadOwned = async (ctx: Context, ids: readonly string[]): Promise<readonly OwnedResource[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<OwnedResource>`
    select r.id, r.parent, r.owners as users, r.owners_groups as groups
    from ${idsTable(ids)} n(id) cross join lateral (select r.* from resources r where r.id = n.id offset 0) r where ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Resources that inherit from the same parent share one list. */
const resolveOwnerNames = async (ctx: Context, owning: readonly OwnedResource[]): Promise<ReadonlyMap<OwnedResource, Owner[]>> => {
  const people = await findOwnerNames(
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
const findOwnerNames = async (ctx: Context, users: readonly string[], groups: readonly string[]): Promise<Map<string, OwnerName>> => {
  const mayReadPeople = can(ctx.actor, 'people.read')
  const [{ rows: people }, { rows: groupRows }] = await Promise.all([
    sql<OwnerName>`
      select u.id, ${userNameSql(ctx.actor, 'u')} as name, case when ${mayReadPeople} or u.id = ${ctx.actor.user_id}::uuid then u.email end as email
      from users u where u.id = any(${[...new Set(users)]}::uuid[])
    `.execute(ctx.db, ctx.limits),
    sql<OwnerName>`
      select g.id, g.name, null as email from groups g where g.id = any(${[...new Set(groups)]}::uuid[])
    `.execute(ctx.db, ctx.limits),
  ])
  return new Map([...people, ...groupRows].map((row) => [row.id, row]))
}
