import { sql } from 'kysely'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { conflict, notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { diff } from '../history/diff.ts'
import { type Activity, recordActivity } from '../history/record.ts'
import { newId } from '../id.ts'
import { asc } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import { GROUP, TEAM } from './circle-kinds.ts'
import { addMembers, removeMember } from './circles.ts'
import { revokeTokensOf } from './manage-tokens.ts'
import { mustBeAble, permissionsOf } from './permissions.ts'
import type { Me, User, UserEdit, UserInvite, UserQuery } from './schema.ts'
import { endSessionsOf } from './sessions.ts'
import { all, contains, mustBeFree, mustExist, readIds, writtenAt } from './store.ts'

const TOLD = ['email', 'first_name', 'last_name', 'role', 'disabled']

export const inviteUser = (ctx: Context, { email, role, first_name, last_name, teams, groups }: UserInvite): Promise<User> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'people.manage')
    const id = newId()
    const row = {
      id,
      email,
      role,
      ...namesOf({ first_name, last_name }),
      invited_by: ctx.actor.user_id,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    await mustBeFree('email', `A user with the e-mail address ${email} already exists.`, ctx.db.insertInto('users').values(row).execute())
    const invitation = newId()
    await recordActivity(ctx, { ...entry('user_invited', {}, await readUser(ctx, id)), id: invitation })
    for (const [field, kind, ids] of [
      ['teams', TEAM, readIds(teams)],
      ['groups', GROUP, readIds(groups)],
    ] as const) {
      await mustExist(ctx, field, kind.table, ids)
      for (const circle_id of ids) await addMembers(ctx, kind, circle_id, [id], invitation)
    }
    return readUser(ctx, id)
  })

export const listUsers = (ctx: Context, { email, name, role, disabled }: UserQuery, page: PageRequest) =>
  readPage<User>(ctx, page, {
    select: RECORD,
    from: sql`users u`,
    where: all(
      sql`u.deleted_at is null`,
      contains(sql`u.email`, email),
      contains(NAME, name),
      role ? sql`u.role = ${role}` : undefined,
      disabled === undefined ? undefined : sql`(u.disabled_at is not null) = ${disabled}`,
    ),
    order: [asc('timestamp', 'u.created_at'), asc('id', 'u.id')],
  })

export const readUser = async (ctx: Context, id: string): Promise<User> => {
  const { rows } = await sql<User>`select ${RECORD} from users u where u.id = ${id} and u.deleted_at is null`.execute(ctx.db)
  if (!rows[0]) throw notFound('user', id)
  return rows[0]
}

/** The caller and their permissions with this token. */
export const readMe = async (ctx: Context): Promise<Me> => ({
  ...(await readUser(ctx, ctx.actor.user_id ?? '')),
  workspace_id: ctx.workspace_id,
  token_id: ctx.actor.token_id,
  scope: ctx.actor.scope,
  permissions: permissionsOf(ctx.actor),
})

export const editUser = (ctx: Context, id: string, edit: UserEdit): Promise<User> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'people.manage')
    const admins = await lockUserAndAdmins(ctx, id)
    const before = await readUser(ctx, id)
    mustMatch(ctx, etagOf(before))
    const { role = before.role, disabled = before.disabled } = edit
    const after: User = { ...before, ...namesOf(edit), role, disabled }
    if (diff(before, after, TOLD).length === 0) return before
    if (admins.length === 1 && admins[0] === id && (after.disabled || after.role !== 'admin'))
      throw conflict('This is the last active admin. Make another user an admin first.')
    const { first_name, last_name } = after
    const disabled_at = disabled === before.disabled ? {} : { disabled_at: disabled ? ctx.now : null }
    await ctx.db
      .updateTable('users')
      .set({ first_name, last_name, role, ...disabled_at, updated_at: writtenAt(ctx.now) })
      .where('id', '=', id)
      .execute()
    const edition = newId()
    await recordActivity(ctx, { ...entry(activityOf(before, after), before, after), id: edition })
    if (disabled && !before.disabled) {
      await revokeTokensOf(ctx, id, { parent_id: edition })
      await endSessionsOf(ctx, id)
    }
    return readUser(ctx, id)
  })

/**
 * The name stays in history and as owner; memberships, password, tokens and sessions are deleted. Access ends immediately, and the e-mail address
 * can be used for another user. Use `disabled` for someone who may return.
 */
export const deleteUser = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { teams, groups, ...user } = await editUser(ctx, id, { disabled: true })
    const deletion = newId()
    await recordActivity(ctx, { ...entry('user_deleted', {}, { ...user, teams, groups }), id: deletion, changes: [] })
    const within = { ...ctx, if_match: undefined } // If-Match was for the user record
    for (const team of teams) await removeMember(within, TEAM, team, id, deletion)
    for (const group of groups) await removeMember(within, GROUP, group, id, deletion)
    await ctx.db.deleteFrom('passwords').where('user_id', '=', id).execute()
    await ctx.db
      .updateTable('users')
      .set({ deleted_at: ctx.now, updated_at: writtenAt(ctx.now) })
      .where('id', '=', id)
      .execute()
  })

const activityOf = (before: User, after: User): string =>
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
const namesOf = (names: Pick<UserEdit, 'first_name' | 'last_name'>): Partial<Record<'first_name' | 'last_name', string | null>> =>
  Object.fromEntries(
    (['first_name', 'last_name'] as const).flatMap((field) => (names[field] === undefined ? [] : [[field, names[field]?.trim() || null]])),
  )

const NAME = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)`
const RECORD = sql`
  u.id, u.created_at, u.updated_at, u.email, u.first_name, u.last_name, ${NAME} as name, ${NAME} as display_name, u.role,
  u.disabled_at is not null as disabled, u.disabled_at, u.invited_by, u.last_seen_at,
  array(select m.team_id from team_members m where m.user_id = u.id order by 1) as teams,
  array(select m.group_id from group_members m where m.user_id = u.id order by 1) as groups`

const entry = (activity_type: string, before: Partial<User>, after: User): Activity => ({
  activity_type,
  resource_id: after.id,
  resource_type: 'user',
  resource_title: after.name,
  changes: diff(before, after, TOLD).filter(({ from, to }) => from !== null || to !== false),
})
