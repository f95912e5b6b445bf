import { editIncident } from '../../observability/incidents/incidents.ts'
import { escapeSlackText } from '../../platform/channels/escape-slack-text.ts'
import { callSlack, type SlackApi } from '../../platform/channels/slack-api.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { findSlackUser } from './slack-user.ts'

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
  const person = await findSlackUser(ctx, slack, user.id)
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
  else
    await callSlack(slack, 'chat.postMessage', { channel: channel.id, thread_ts, text: `Acknowledged by ${escapeSlackText(person.name)}.` })
}
