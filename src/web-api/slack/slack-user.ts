import { sql } from 'kysely'
import { findUserActor } from '../../platform/authentication/actors.ts'
import { callSlack, type SlackApi } from '../../platform/channels/slack-api.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'

/** The user of Tablinum with the e-mail address of a Slack account. */
export const findSlackUser = async (ctx: Context, slack: SlackApi, id: string): Promise<{ name: string; actor: Actor } | undefined> => {
  const email = await findSlackEmail(slack, id)
  return email === undefined ? undefined : findPerson(ctx, email)
}

interface SlackUser {
  readonly deleted?: boolean
  readonly is_bot?: boolean
  readonly team_id?: string
  readonly profile?: { readonly email?: string }
}

/** The address of a member of our own workspace. Those of other workspaces (Slack Connect) are chosen outside of it. */
const findSlackEmail = async (slack: SlackApi, id: string): Promise<string | undefined> => {
  const [{ user }, { team_id }] = await Promise.all([
    readSlack<{ user?: SlackUser }>(slack, 'users.info', { user: id }),
    readSlack<{ team_id?: string }>(slack, 'auth.test', {}),
  ])
  if (!user || user.deleted || user.is_bot || team_id === undefined || user.team_id !== team_id) return undefined
  return user.profile?.email
}

const readSlack = async <T extends object>(slack: SlackApi, method: string, query: Record<string, string>): Promise<Partial<T>> => {
  const response = await callSlack(slack, method, new URLSearchParams(query))
  const body = (await response.json().catch(() => ({}))) as Partial<T> & { ok?: boolean }
  return body.ok ? body : {}
}

const findPerson = async (ctx: Context, email: string): Promise<{ name: string; actor: Actor } | undefined> => {
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as name from users u
    where lower(u.email) = lower(${email}) and u.disabled_at is null`.execute(ctx.db)
  const [row] = rows
  const actor = row && (await findUserActor(ctx.db, row.id))
  return actor && { name: row.name, actor }
}
