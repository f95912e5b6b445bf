import { sql } from 'kysely'
import { endUserSessions } from '../../platform/authentication/session-callers.ts'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { rejectDuplicate } from '../../platform/db/unique-violation.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { type Activity, recordActivity } from '../../platform/history/record.ts'
import { asc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { listPermissions, requirePermission } from '../../platform/permissions/permissions.ts'
import { GROUP, TEAM } from '../member-groups/member-group-types.ts'
import { addMembers, removeMember } from '../member-groups/member-groups.ts'
import type { Me, User, UserEdit, UserInvite, UserQuery } from '../shared/schema.ts'
import { andSql, assertIdsExist, containsSql, normalizeIds } from '../shared/sql.ts'
import { revokeUserTokens } from '../tokens/manage-tokens.ts'

const AUDITED_FIELDS = ['email', 'first_name', 'last_name', 'role', 'disabled']

export const inviteUser = (ctx: Context, { email, role, first_name, last_name, teams, groups }: UserInvite): Promise<User> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'people.manage')
    const id = newId()
    const row = {
      id,
      email,
      role,
      ...trimNames({ first_name, last_name }),
      invited_by: ctx.actor.user_id,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    await rejectDuplicate(
      ctx.db.insertInto('users').values(row).execute(),
      translatable('A user with the e-mail address {email} already exists.', { email }),
      'email',
    )
    const invitation = newId()
    await recordActivity(ctx, { ...toUserActivity('user_invited', {}, await getUser(ctx, id)), id: invitation })
    for (const [field, kind, ids] of [
      ['teams', TEAM, normalizeIds(teams)],
      ['groups', GROUP, normalizeIds(groups)],
    ] as const) {
      await assertIdsExist(ctx, field, kind.table, ids)
      for (const group_id of ids) await addMembers(ctx, kind, group_id, [id], invitation)
    }
    return getUser(ctx, id)
  })

export const listUsers = (ctx: Context, { email, name, role, disabled }: UserQuery, page: PageRequest) =>
  readPage<User>(ctx, page, {
    select: RECORD,
    from: sql`users u`,
    where: andSql(
      sql`u.deleted_at is null`,
      containsSql(sql`u.email`, email),
      containsSql(NAME, name),
      role ? sql`u.role = ${role}` : undefined,
      disabled === undefined ? undefined : sql`(u.disabled_at is not null) = ${disabled}`,
    ),
    order: [asc('timestamp', 'u.created_at'), asc('id', 'u.id')],
  })

export const getUser = async (ctx: Context, id: string): Promise<User> => {
  const { rows } = await sql<User>`select ${RECORD} from users u where u.id = ${id} and u.deleted_at is null`.execute(ctx.db)
  if (!rows[0]) throw notFound('user', id)
  return rows[0]
}

/** The caller and their permissions with this token. */
export const getCurrentUser = async (ctx: Context): Promise<Me> => ({
  ...(await getUser(ctx, ctx.actor.user_id ?? '')),
  workspace_id: ctx.workspace_id,
  token_id: ctx.actor.token_id,
  scope: ctx.actor.scope,
  permissions: listPermissions(ctx.actor),
})

export const editUser = (ctx: Context, id: string, edit: UserEdit): Promise<User> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'people.manage')
    const admins = await lockUserAndAdmins(ctx, id)
    const before = await getUser(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    const { role = before.role, disabled = before.disabled } = edit
    const after: User = { ...before, ...trimNames(edit), role, disabled }
    if (diffFields(before, after, AUDITED_FIELDS).length === 0) return before
    if (admins.length === 1 && admins[0] === id && (after.disabled || after.role !== 'admin'))
      throw conflict(translatable('This is the last active admin. Make another user an admin first.'))
    const { first_name, last_name } = after
    const disabled_at = disabled === before.disabled ? {} : { disabled_at: disabled ? ctx.now : null }
    await ctx.db
      .updateTable('users')
      .set({ first_name, last_name, role, ...disabled_at, updated_at: nextUpdatedAtSql(ctx.now) })
      .where('id', '=', id)
      .execute()
    const activityId = newId()
    await recordActivity(ctx, { ...toUserActivity(getActivityType(before, after), before, after), id: activityId })
    if (disabled && !before.disabled) {
      await revokeUserTokens(ctx, id, { parent_id: activityId })
      await endUserSessions(ctx, id)
    }
    return getUser(ctx, id)
  })

/**
 * The name stays in history and as owner; memberships, password, tokens, sessions and conversations are deleted. Access ends immediately, and the
 * e-mail address can be used for another user. Use `disabled` for someone who may return.
 */
export const deleteUser = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { teams, groups, ...user } = await editUser(ctx, id, { disabled: true })
    const deletion = newId()
    await recordActivity(ctx, { ...toUserActivity('user_deleted', {}, { ...user, teams, groups }), id: deletion, changes: [] })
    const memberCtx = { ...ctx, if_match: undefined } // If-Match was for the user record
    for (const team of teams) await removeMember(memberCtx, TEAM, team, id, deletion)
    for (const group of groups) await removeMember(memberCtx, GROUP, group, id, deletion)
    await ctx.db.deleteFrom('passwords').where('user_id', '=', id).execute()
    await ctx.db.deleteFrom('assistant_conversations').where('user_id', '=', id).execute()
    await ctx.db
      .updateTable('users')
      .set({ deleted_at: ctx.now, updated_at: nextUpdatedAtSql(ctx.now) })
      .where('id', '=', id)
      .execute()
  })

const getActivityType = (before: User, after: User): string =>
  before.disabled === after.disabled ? 'user_updated' : after.disabled ? 'user_disabled' : 'user_enabled'

/**
 * Locks a user together with every active admin, always in the same order, and returns the admins. Of two requests that each demote
 * one of the last two admins, the second waits here and then sees only one.
 */
const lockUserAndAdmins = async (ctx: Context, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string; admin: boolean }>`
    select u.id, u.role = 'admin' and u.disabled_at is null as admin from users u
    where u.id = ${id} or (u.role = 'admin' and u.disabled_at is null)
    order by u.id for no key update
  `.execute(ctx.db)
  return rows.filter(({ admin }) => admin).map(({ id }) => id)
}

/** Trimmed names; an empty name becomes null. Absent stays absent. */
const trimNames = (names: Pick<UserEdit, 'first_name' | 'last_name'>): Partial<Record<'first_name' | 'last_name', string | null>> =>
  Object.fromEntries(
    (['first_name', 'last_name'] as const).flatMap((field) => (names[field] === undefined ? [] : [[field, names[field]?.trim() || null]])),
  )

const NAME = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)`
const RECORD = sql`
  u.id, u.created_at, u.updated_at, u.email, u.first_name, u.last_name, ${NAME} as name, ${NAME} as display_name, u.role,
  u.disabled_at is not null as disabled, u.disabled_at, u.invited_by, u.last_seen_at,
  array(select m.team_id from team_members m where m.user_id = u.id order by 1) as teams,
  array(select m.group_id from group_members m where m.user_id = u.id order by 1) as groups`

const toUserActivity = (activity_type: string, before: Partial<User>, after: User): Activity => ({
  activity_type,
  resource_id: after.id,
  resource_type: 'user',
  resource_title: after.name,
  changes: diffFields(before, after, AUDITED_FIELDS).filter(({ from, to }) => from !== null || to !== false),
})
