import { type Context, inTransaction, mustMatch } from '../context.ts'
import { notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { diff } from '../history/diff.ts'
import { recordActivity } from '../history/record.ts'
import { newId } from '../id.ts'
import type { PageRequest } from '../lists/page.ts'
import type { CircleKind } from './circle-kinds.ts'
import { findCircle, insertCircle, listRows, lockCircle, removeRow, setMembers, updateCircle } from './circle-store.ts'
import { can, mustBeAble } from './permissions.ts'
import type { Circle, CircleCreate, CircleEdit, CircleQuery, NewMembers } from './schema.ts'
import { mustBeFree, mustExist, readIds } from './store.ts'

/** Users with people.read see every team and group; others see their own. */
const seenBy = (ctx: Context): string | null | undefined => (can(ctx.actor, 'people.read') ? undefined : ctx.actor.user_id)

export const listCircles = (ctx: Context, kind: CircleKind, { name }: CircleQuery, page: PageRequest) =>
  listRows(ctx, kind, { name, member: seenBy(ctx) }, page)

export const readCircle = async (ctx: Context, kind: CircleKind, id: string): Promise<Circle> => {
  const circle = await findCircle(ctx, kind, id, seenBy(ctx))
  if (!circle) throw notFound(kind.noun, id)
  return circle
}

export const createCircle = (ctx: Context, kind: CircleKind, create: CircleCreate): Promise<Circle> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'people.manage')
    const circle = { id: newId(), ...applyEdit(kind, { ...kind.blank, members: [] }, create) }
    await mustExist(ctx, 'members', 'users', circle.members)
    await mustBeFree('name', taken(kind, circle.name), insertCircle(ctx, kind, circle))
    await setMembers(ctx, kind, circle.id, [], circle.members)
    await tell(ctx, kind, 'created', circle, {}, circle)
    return readCircle(ctx, kind, circle.id)
  })

export const editCircle = (ctx: Context, kind: CircleKind, id: string, edit: CircleEdit): Promise<Circle> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lock(ctx, kind, id)
    return write(ctx, kind, before, applyEdit(kind, before, edit))
  })

export const removeCircle = (ctx: Context, kind: CircleKind, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const circle = await lock(ctx, kind, id)
    await kind.mayGo?.(ctx, circle)
    await removeRow(ctx, kind, id)
    await tell(ctx, kind, 'deleted', circle, circle, {})
  })

/** `parent_id` is the activity that caused this one. */
export const addMembers = (ctx: Context, kind: CircleKind, id: string, added: NewMembers['members'], parent_id?: string): Promise<Circle> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lock(ctx, kind, id)
    return write(ctx, kind, before, { ...before, members: readIds([...before.members, ...added]) }, parent_id)
  })

export const removeMember = (ctx: Context, kind: CircleKind, id: string, user_id: string, parent_id?: string): Promise<Circle> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lock(ctx, kind, id)
    if (!before.members.includes(user_id)) throw notFound('member', user_id)
    return write(ctx, kind, before, { ...before, members: before.members.filter((member) => member !== user_id) }, parent_id)
  })

const lock = async (ctx: Context, kind: CircleKind, id: string): Promise<Circle> => {
  mustBeAble(ctx.actor, 'people.manage')
  const circle = await lockCircle(ctx, kind, id)
  if (!circle) throw notFound(kind.noun, id)
  mustMatch(ctx, etagOf(circle))
  return circle
}

/** Saves and records the differences; without any, nothing is recorded. */
const write = async (ctx: Context, kind: CircleKind, before: Circle, after: Circle, parent_id?: string): Promise<Circle> => {
  if (diff(before, after, told(kind)).length === 0) return before
  await mustExist(
    ctx,
    'members',
    'users',
    after.members.filter((member) => !before.members.includes(member)),
  )
  await mustBeFree('name', taken(kind, after.name), updateCircle(ctx, kind, after))
  await setMembers(ctx, kind, after.id, before.members, after.members)
  await tell(ctx, kind, 'updated', after, before, after, parent_id)
  return readCircle(ctx, kind, after.id)
}

/** Absent = unchanged, null = cleared, an array replaces the array. Fields this type does not have are ignored. */
const applyEdit = <T extends Omit<Circle, 'id' | 'created_at' | 'updated_at'>>(kind: CircleKind, before: T, edit: CircleEdit): T => {
  const given = Object.entries(edit).filter(([field, value]) => Object.hasOwn(kind.blank, field) && value !== undefined)
  const { name = before.name, members } = edit
  return {
    ...before,
    ...Object.fromEntries(given),
    name: name.trim(),
    members: members === undefined ? before.members : readIds(members),
  }
}

const taken = ({ noun }: CircleKind, name: string): string => `A ${noun} named "${name}" already exists.`
const told = ({ blank }: CircleKind): string[] => [...Object.keys(blank), 'members']

const tell = (
  ctx: Context,
  kind: CircleKind,
  verb: 'created' | 'updated' | 'deleted',
  { id, name, icon }: Pick<Circle, 'id' | 'name' | 'icon'>,
  before: Partial<Circle>,
  after: Partial<Circle>,
  parent_id?: string,
): Promise<void> =>
  recordActivity(ctx, {
    parent_id,
    activity_type: `${kind.noun}_${verb}`,
    resource_id: id,
    resource_type: kind.noun,
    resource_title: name,
    resource_icon: icon,
    changes: diff(before, after, told(kind)).filter(({ from, to }) => (from ?? false) !== (to ?? false)),
  })
