import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { rejectDuplicate } from '../../platform/db/unique-violation.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { can, requirePermission } from '../../platform/permissions/permissions.ts'
import type { MemberGroup, MemberGroupCreate, MemberGroupEdit, MemberGroupQuery, NewMembers } from '../shared/schema.ts'
import { assertIdsExist, normalizeIds } from '../shared/sql.ts'
import {
  deleteMemberGroupRow,
  findMemberGroupRow,
  insertMemberGroupRow,
  listMemberGroupRows,
  lockMemberGroupRow,
  setMembers,
  updateMemberGroupRow,
} from './member-group-store.ts'
import type { MemberGroupType } from './member-group-types.ts'

/** Users with people.read see every team and group; others see their own. */
const membershipFilter = (ctx: Context): string | null | undefined => (can(ctx.actor, 'people.read') ? undefined : ctx.actor.user_id)

export const listMemberGroups = (ctx: Context, kind: MemberGroupType, { name }: MemberGroupQuery, page: PageRequest) =>
  listMemberGroupRows(ctx, kind, { name, member: membershipFilter(ctx) }, page)

export const getMemberGroup = async (ctx: Context, kind: MemberGroupType, id: string): Promise<MemberGroup> => {
  const group = await findMemberGroupRow(ctx, kind, id, membershipFilter(ctx))
  if (!group) throw notFound(kind.noun, id)
  return group
}

export const createMemberGroup = (ctx: Context, kind: MemberGroupType, create: MemberGroupCreate): Promise<MemberGroup> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'people.manage')
    const group = { id: newId(), ...applyMemberGroupEdit(kind, { ...kind.defaults, members: [] }, create) }
    await assertIdsExist(ctx, 'members', 'users', group.members)
    await rejectDuplicate(insertMemberGroupRow(ctx, kind, group), alreadyExists(kind, group.name), 'name')
    await setMembers(ctx, kind, group.id, [], group.members)
    await recordChange(ctx, kind, 'created', group, {}, group)
    return getMemberGroup(ctx, kind, group.id)
  })

export const editMemberGroup = (ctx: Context, kind: MemberGroupType, id: string, edit: MemberGroupEdit): Promise<MemberGroup> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockMemberGroup(ctx, kind, id)
    return saveMemberGroup(ctx, kind, before, applyMemberGroupEdit(kind, before, edit))
  })

export const deleteMemberGroup = (ctx: Context, kind: MemberGroupType, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const group = await lockMemberGroup(ctx, kind, id)
    await kind.assertDeletable?.(ctx, group)
    await deleteMemberGroupRow(ctx, kind, id)
    await recordChange(ctx, kind, 'deleted', group, group, {})
  })

/** `parent_id` is the activity that caused this one. */
export const addMembers = (
  ctx: Context,
  kind: MemberGroupType,
  id: string,
  added: NewMembers['members'],
  parent_id?: string,
): Promise<MemberGroup> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockMemberGroup(ctx, kind, id)
    return saveMemberGroup(ctx, kind, before, { ...before, members: normalizeIds([...before.members, ...added]) }, parent_id)
  })

export const removeMember = (ctx: Context, kind: MemberGroupType, id: string, user_id: string, parent_id?: string): Promise<MemberGroup> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockMemberGroup(ctx, kind, id)
    if (!before.members.includes(user_id)) throw notFound('member', user_id)
    return saveMemberGroup(ctx, kind, before, { ...before, members: before.members.filter((member) => member !== user_id) }, parent_id)
  })

const lockMemberGroup = async (ctx: Context, kind: MemberGroupType, id: string): Promise<MemberGroup> => {
  requirePermission(ctx.actor, 'people.manage')
  const group = await lockMemberGroupRow(ctx, kind, id)
  if (!group) throw notFound(kind.noun, id)
  requireIfMatch(ctx, computeEtag(group))
  return group
}

/** Saves and records the differences; without any, nothing is recorded. */
const saveMemberGroup = async (
  ctx: Context,
  kind: MemberGroupType,
  before: MemberGroup,
  after: MemberGroup,
  parent_id?: string,
): Promise<MemberGroup> => {
  if (diffFields(before, after, auditedFields(kind)).length === 0) return before
  await assertIdsExist(
    ctx,
    'members',
    'users',
    after.members.filter((member) => !before.members.includes(member)),
  )
  await rejectDuplicate(updateMemberGroupRow(ctx, kind, after), alreadyExists(kind, after.name), 'name')
  await setMembers(ctx, kind, after.id, before.members, after.members)
  await recordChange(ctx, kind, 'updated', after, before, after, parent_id)
  return getMemberGroup(ctx, kind, after.id)
}

/** Absent = unchanged, null = cleared, an array replaces the array. Fields this type does not have are ignored. */
const applyMemberGroupEdit = <T extends Omit<MemberGroup, 'id' | 'created_at' | 'updated_at'>>(
  kind: MemberGroupType,
  before: T,
  edit: MemberGroupEdit,
): T => {
  const provided = Object.entries(edit).filter(([field, value]) => Object.hasOwn(kind.defaults, field) && value !== undefined)
  const { name = before.name, members } = edit
  return {
    ...before,
    ...Object.fromEntries(provided),
    name: name.trim(),
    members: members === undefined ? before.members : normalizeIds(members),
  }
}

const alreadyExists = ({ noun }: MemberGroupType, name: string) =>
  noun === 'team'
    ? translatable('A team named "{name}" already exists.', { name })
    : translatable('A group named "{name}" already exists.', { name })
const auditedFields = ({ defaults: blank }: MemberGroupType): string[] => [...Object.keys(blank), 'members']

const recordChange = (
  ctx: Context,
  kind: MemberGroupType,
  verb: 'created' | 'updated' | 'deleted',
  { id, name, icon }: Pick<MemberGroup, 'id' | 'name' | 'icon'>,
  before: Partial<MemberGroup>,
  after: Partial<MemberGroup>,
  parent_id?: string,
): Promise<void> =>
  recordActivity(ctx, {
    parent_id,
    activity_type: `${kind.noun}_${verb}`,
    resource_id: id,
    resource_type: kind.noun,
    resource_title: name,
    resource_icon: icon,
    changes: diffFields(before, after, auditedFields(kind)).filter(({ from, to }) => (from ?? false) !== (to ?? false)),
  })
