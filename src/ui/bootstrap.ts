import { sql } from 'kysely'
import { readMe } from '../access/manage-users.ts'
import { can, openTo, visibleTo } from '../access/permissions.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { countUnread } from '../notify/inbox.ts'
import { toRecord } from '../properties/find.ts'
import { listProperties } from '../properties/store.ts'
import { reachableBy } from '../resources/refs.ts'
import { readSession } from '../sessions/sessions.ts'
import { findHash } from '../sessions/store.ts'
import { initialsOf } from './names.ts'
import type { Bootstrap } from './schema.ts'

const MOST_NAMED = 1000

export type Settings = Partial<Pick<Config, 'publicUrl' | 'smtpUrl' | 'slackBotToken'>> & { readonly version: string }

/** The data that the web app needs before it can render anything. */
export const readBootstrap = async (ctx: Context, settings: Settings): Promise<Bootstrap> => {
  const [me, workspace, session, unread_count, circles, properties, empty] = await Promise.all([
    readMe(ctx),
    ctx.db.selectFrom('workspaces').select(['id', 'name']).executeTakeFirstOrThrow(),
    sessionOf(ctx),
    countUnread(ctx),
    namedThings(ctx),
    listProperties(ctx.db),
    isEmpty(ctx),
  ])
  return {
    me: { ...me, initials: initialsOf(me.name) },
    workspace,
    session,
    unread_count,
    settings: {
      version: settings.version,
      public_url: settings.publicUrl ?? null,
      email: settings.smtpUrl !== undefined,
      slack: settings.slackBotToken !== undefined,
    },
    ...circles,
    properties: properties.map(toRecord),
    empty,
  }
}

const sessionOf = async (ctx: Context): Promise<Bootstrap['session']> => {
  const { session_id, user_id } = ctx.actor
  if (!session_id || !user_id) return null
  return { ...(await readSession(ctx, session_id)), has_password: (await findHash(ctx.db, user_id)) !== undefined }
}

/** Names of tags, teams, groups and integrations that the caller can see. */
const namedThings = async (ctx: Context): Promise<Pick<Bootstrap, 'tags' | 'teams' | 'groups' | 'integrations'>> => {
  const everyone = can(ctx.actor, 'people.read')
  const mine = (members: 'team_members' | 'group_members', key: 'team_id' | 'group_id') =>
    everyone
      ? sql<boolean>`true`
      : sql<boolean>`exists (select from ${sql.table(members)} m where m.${sql.ref(key)} = c.id and m.user_id = ${ctx.actor.user_id}::uuid)`
  const sources = can(ctx.actor, 'integrations.read')
  const [tags, teams, groups, integrations] = await Promise.all([
    ctx.db.selectFrom('tags').select(['id', 'name', 'color']).orderBy(sql`lower(name)`).limit(MOST_NAMED).execute(),
    ctx.db
      .selectFrom('teams as c')
      .select(['id', 'name', 'icon', 'closed'])
      .where(mine('team_members', 'team_id'))
      .orderBy(sql`lower(name)`)
      .limit(MOST_NAMED)
      .execute(),
    ctx.db
      .selectFrom('groups as c')
      .select(['id', 'name'])
      .where(mine('group_members', 'group_id'))
      .orderBy(sql`lower(name)`)
      .limit(MOST_NAMED)
      .execute(),
    sources
      ? ctx.db
          .selectFrom('integrations as i')
          .select(['id', 'name', 'type'])
          .where(openTo(ctx.actor, 'i'))
          .orderBy(sql`lower(name)`)
          .orderBy('id')
          .limit(MOST_NAMED)
          .execute()
      : [],
  ])
  return { tags, teams, groups, integrations }
}

const isEmpty = async (ctx: Context): Promise<boolean> => {
  const where = sql.join([visibleTo(ctx.actor), ...reachableBy(ctx.actor)], sql` and `)
  const { rows } = await sql`select from resources r where ${where} limit 1`.execute(ctx.db, ctx.limits)
  return rows.length === 0
}
