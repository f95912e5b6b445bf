import { sql } from 'kysely'
import { editIncident } from '../../observability/incidents/incidents.ts'
import { findUserActor } from '../../platform/authentication/actors.ts'
import { callSlack, type SlackApi } from '../../platform/channels/slack-api.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'

/** A click on a button, as Slack sends it. */
export interface SlackAction {
  readonly user?: { readonly id?: string }
  readonly channel?: { readonly id?: string }
  readonly message?: { readonly ts?: string; readonly thread_ts?: string }
  readonly actions?: readonly { readonly action_id?: string; readonly value?: string }[]
}

const STATUSES = { incident_acknowledged: 'acknowledged', incident_resolved: 'resolved' } as const

/** Acknowledges or resolves an incident as the user who clicked, with their permissions. Tells the user in Slack if that fails. */
export const handleSlackAction = async (ctx: Context, click: SlackAction, slack: SlackApi): Promise<void> => {
  const { user, channel, message, actions } = click
  const status = STATUSES[actions?.[0]?.action_id as keyof typeof STATUSES]
  const incident = parseId(actions?.[0]?.value ?? '')
  if (!status || !incident || !user?.id || !channel?.id) return
  const reply = (text: string) => callSlack(slack, 'chat.postEphemeral', { channel: channel.id, user: user.id, text })
  const email = await findSlackEmail(slack, user.id)
  const person = email && (await findPerson(ctx, email))
  if (!person) {
    await reply('Tablinum has no account with the e-mail address of your Slack account, so you cannot do this here.')
    return
  }
  try {
    await editIncident({ ...ctx, actor: person.actor }, incident, { status })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await reply(error.message)
    return
  }
  // A resolution is sent to the channel like any other; an acknowledgement is not.
  const thread_ts = message?.thread_ts ?? message?.ts
  if (status === 'resolved') await reply('You resolved the incident.')
  else await callSlack(slack, 'chat.postMessage', { channel: channel.id, thread_ts, text: `Acknowledged by ${escapeText(person.name)}.` })
}

interface SlackUser {
  readonly deleted?: boolean
  readonly is_bot?: boolean
  readonly team_id?: string
  readonly profile?: { readonly email?: string }
}

/** The address of a member of our own workspace. Those of other workspaces (Slack Connect) are chosen by strangers. */
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

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
