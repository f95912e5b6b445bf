import { sql } from 'kysely'
import { getSession } from '../../accounts/sign-in/sessions.ts'
import { findPasswordHash } from '../../accounts/sign-in/sign-in-rows.ts'
import { getCurrentUser } from '../../accounts/users/manage-users.ts'
import { isAssistantEnabled } from '../../assistant/settings/settings.ts'
import { toRecord } from '../../catalog/properties/find.ts'
import { listProperties } from '../../catalog/properties/property-rows.ts'
import { visibleTeamsSql } from '../../catalog/records/refs.ts'
import { countUnread } from '../../notifications/inbox/inbox.ts'
import type { Context } from '../../platform/context/context.ts'
import { can, integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import { readServices, type ServerConfig } from '../../platform/server-settings/services.ts'
import { listPinnedViews } from '../saved-views/pins.ts'
import { getInitials } from './names.ts'
import type { Bootstrap } from './schema.ts'

const MAX_NAMES = 1000

export type Settings = ServerConfig & { readonly version: string }

/** The data that the web app needs before it can render anything. */
export const getBootstrap = async (ctx: Context, settings: Settings): Promise<Bootstrap> => {
  const [me, workspace, session, unread_count, names, properties, pinned_views, empty, tour, assistant, services] = await Promise.all([
    getCurrentUser(ctx),
    ctx.db.selectFrom('workspaces').select(['id', 'name']).executeTakeFirstOrThrow(),
    getCurrentSession(ctx),
    countUnread(ctx),
    findWorkspaceNames(ctx),
    listProperties(ctx.db),
    listPinnedViews(ctx),
    isEmpty(ctx),
    hasTour(ctx),
    isAssistantEnabled(ctx),
    readServices(ctx, settings),
  ])
  return {
    me: { ...me, initials: getInitials(me.name) },
    workspace,
    session,
    unread_count,
    settings: {
      version: settings.version,
      public_url: settings.publicUrl ?? null,
      email: services.email !== undefined,
      slack: services.slack !== undefined,
      assistant: assistant && can(ctx.actor, 'assistant.use'),
    },
    ...names,
    properties: properties.map(toRecord),
    pinned_views,
    empty,
    tour,
  }
}

const getCurrentSession = async (ctx: Context): Promise<Bootstrap['session']> => {
  const { session_id, user_id } = ctx.actor
  if (!session_id || !user_id) return null
  return { ...(await getSession(ctx, session_id)), has_password: (await findPasswordHash(ctx.db, user_id)) !== undefined }
}

/** Names of tags, teams, groups and integrations that the caller can see. */
const findWorkspaceNames = async (ctx: Context): Promise<Pick<Bootstrap, 'tags' | 'teams' | 'groups' | 'integrations'>> => {
  const everyone = can(ctx.actor, 'people.read')
  const mine = (members: 'team_members' | 'group_members', key: 'team_id' | 'group_id') =>
    everyone
      ? sql<boolean>`true`
      : sql<boolean>`exists (select from ${sql.table(members)} m where m.${sql.ref(key)} = c.id and m.user_id = ${ctx.actor.user_id}::uuid)`
  const sources = can(ctx.actor, 'integrations.read')
  const [tags, teams, groups, integrations] = await Promise.all([
    ctx.db.selectFrom('tags').select(['id', 'name', 'color']).orderBy(sql`lower(name)`).limit(MAX_NAMES).execute(),
    ctx.db
      .selectFrom('teams as c')
      .select(['id', 'name', 'icon', 'closed'])
      .where(mine('team_members', 'team_id'))
      .orderBy(sql`lower(name)`)
      .limit(MAX_NAMES)
      .execute(),
    ctx.db
      .selectFrom('groups as c')
      .select(['id', 'name'])
      .where(mine('group_members', 'group_id'))
      .orderBy(sql`lower(name)`)
      .limit(MAX_NAMES)
      .execute(),
    sources
      ? ctx.db
          .selectFrom('integrations as i')
          .select(['id', 'name', 'type'])
          .where(integrationsVisibleTo(ctx.actor, 'i'))
          .orderBy(sql`lower(name)`)
          .orderBy('id')
          .limit(MAX_NAMES)
          .execute()
      : [],
  ])
  return { tags, teams, groups, integrations }
}

const isEmpty = async (ctx: Context): Promise<boolean> => {
  const where = sql.join([visibleTo(ctx.actor), ...visibleTeamsSql(ctx.actor)], sql` and `)
  const { rows } = await sql`select from resources r where ${where} limit 1`.execute(ctx.db, ctx.limits)
  return rows.length === 0
}

const hasTour = async ({ db, actor }: Context): Promise<boolean> => {
  if (!actor.session_id || !actor.user_id) return false
  const user = await db.selectFrom('users').select('toured_at').where('id', '=', actor.user_id).executeTakeFirst()
  return user?.toured_at === null
}

/** The tour was finished or skipped. */
export const endTour = async ({ db, actor, now }: Context): Promise<void> => {
  await db.updateTable('users').set({ toured_at: now }).where('id', '=', actor.user_id).where('toured_at', 'is', null).execute()
}
