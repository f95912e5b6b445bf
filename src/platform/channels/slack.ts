import { type Channel, DeliveryError, type Message } from './channel.ts'
import { escapeSlackText } from './escape-slack-text.ts'
import { callSlack, type SlackApi } from './slack-api.ts'

export interface SlackOptions extends SlackApi {
  /** Show buttons: Slack is configured to send their clicks to this server. */
  readonly interactive?: boolean
}

const METADATA_EVENT_TYPE = 'tablinum_message' // metadata type of our messages, used to find them again
const MAX_TEXT_LENGTH = 4_000 // Slack truncates longer texts; cutting at a line break reads better

/** Slack by `chat.postMessage`. It does not detect duplicates, so a message whose result is unknown is left to an admin. */
export const createSlackChannel = ({ interactive = false, ...api }: SlackOptions): Channel => ({
  name: 'slack',
  send: async (message, beforeSubmit) => {
    await beforeSubmit()
    const attachments = [
      ...message.sections.flatMap(({ image }) => (image ? [{ image_url: image.address, fallback: image.text }] : [])),
      ...(interactive && message.actions_for ? [renderButtons(message.actions_for)] : []),
    ]
    const response = await callSlack(api, 'chat.postMessage', {
      channel: message.to,
      text: renderSlackText(message),
      unfurl_links: false,
      unfurl_media: false,
      ...(message.thread?.receipt ? { thread_ts: message.thread.receipt } : {}),
      // Attachments instead of blocks, because Slack rejects a message with a block image it cannot fetch.
      ...(attachments.length > 0 ? { attachments } : {}),
      metadata: { event_type: METADATA_EVENT_TYPE, event_payload: { id: message.id } },
    })
    if (response.status === 429)
      throw new DeliveryError('again', 'Slack rate limit reached.', { after_ms: 1000 * Number(response.headers.get('retry-after') ?? 30) })
    if (response.status >= 500) throw new DeliveryError('again', `Slack returned status ${response.status}.`)
    const { ok, error = 'unreadable', ts } = (await response.json().catch(() => ({}))) as { ok?: boolean; error?: string; ts?: unknown }
    if (!ok) throw new DeliveryError(classifySlackError(error), `Slack returned an error: ${error}`)
    return { receipt: typeof ts === 'string' ? ts : undefined, response: { status: response.status, body: 'ok' } }
  },
  /** Needs the scope `channels:history`, for direct messages `im:write` and `im:history`. Without them nothing is found. */
  find: async ({ id, to, thread }, since) => {
    const channel = USER_ID_PATTERN.test(to) ? await openDirectMessage(api, to) : to
    if (channel === undefined) return undefined
    const where = { channel, oldest: String(since.getTime() / 1000 - 60), include_all_metadata: 'true', limit: '200' }
    const [method, query] = thread?.receipt
      ? (['conversations.replies', { ...where, ts: thread.receipt }] as const)
      : (['conversations.history', where] as const)
    // Slack's read methods do not accept JSON.
    const response = await callSlack(api, method, new URLSearchParams(query)).catch(() => undefined)
    const { messages = [] } = ((await response?.json().catch(() => undefined)) ?? {}) as { messages?: SlackMessage[] }
    const found = messages.find(({ metadata }) => metadata?.event_type === METADATA_EVENT_TYPE && metadata.event_payload?.id === id)
    return found?.ts
  },
})

const USER_ID_PATTERN = /^[UW][A-Z0-9]+$/

/** Messages can be posted to a user, but only a conversation can be read. */
const openDirectMessage = async (api: SlackApi, user: string): Promise<string | undefined> => {
  const response = await callSlack(api, 'conversations.open', { users: user }).catch(() => undefined)
  const { channel } = ((await response?.json().catch(() => undefined)) ?? {}) as { channel?: { id?: string } }
  return channel?.id
}

interface SlackMessage {
  readonly ts: string
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: { readonly id?: string } }
}

/** Configuration problems (the token) and outages are retried; errors about the message or the recipient are not. */
const RETRYABLE_ERRORS = [
  'ratelimited',
  'rate_limited',
  'service_unavailable',
  'team_access_not_granted',
  'request_timeout',
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
]
const UNKNOWN_RESULT_ERRORS = ['internal_error', 'fatal_error', 'unreadable']
const classifySlackError = (error: string): DeliveryError['fate'] =>
  RETRYABLE_ERRORS.includes(error) ? 'again' : UNKNOWN_RESULT_ERRORS.includes(error) ? 'unknown' : 'never'

/** Clicks are handled by `web-api/slack`. */
const renderButtons = (incident: string): object => ({
  fallback: 'Acknowledge or resolve',
  blocks: [
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'incident_acknowledged', value: incident, text: { type: 'plain_text', text: 'Acknowledge' } },
        { type: 'button', action_id: 'incident_resolved', value: incident, text: { type: 'plain_text', text: 'Resolve' } },
      ],
    },
  ],
})

export const renderSlackText = ({ sections, settings_link }: Pick<Message, 'sections' | 'settings_link'>): string => {
  const lines = sections.flatMap(({ title, link, lines }) => [
    link ? `*<${link}|${escapeSlackText(title).replaceAll('|', '¦')}>*` : `*${escapeSlackText(title)}*`,
    ...lines.map((line) => `• ${escapeSlackText(line)}`),
  ])
  if (settings_link) lines.push(`_<${settings_link}|Notification settings>_`)
  const fitting: string[] = []
  for (const line of lines) if (fitting.join('\n').length + line.length < MAX_TEXT_LENGTH) fitting.push(line)
  return fitting.join('\n')
}
