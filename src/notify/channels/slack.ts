import { type Channel, type Message, NotDelivered } from './channel.ts'

export interface SlackOptions {
  readonly token: string
  /** `https://slack.com/api`, or the URL of a test server. */
  readonly url: string
}

const PATIENCE_MS = 20_000
const OURS = 'tablinum_message' // metadata type of our messages, used to find them again
const LONGEST_TEXT = 4_000 // Slack truncates longer texts; cutting at a line break reads better

/** Slack by `chat.postMessage`. It does not detect duplicates, so a message whose result is unknown is left to an admin. */
export const slackChannel = ({ token, url }: SlackOptions): Channel => ({
  name: 'slack',
  repeatable: false,
  send: async (message, handOver) => {
    await handOver()
    const images = message.sections.flatMap(({ image }) => image ?? [])
    const answer = await post(`${url.replace(/\/+$/, '')}/chat.postMessage`, token, {
      channel: message.to,
      text: asMarkdown(message),
      unfurl_links: false,
      unfurl_media: false,
      ...(message.thread?.receipt ? { thread_ts: message.thread.receipt } : {}),
      // Attachments instead of blocks, because Slack rejects a message with a block image it cannot fetch.
      ...(images.length > 0 ? { attachments: images.map(({ address, text }) => ({ image_url: address, fallback: text })) } : {}),
      metadata: { event_type: OURS, event_payload: { id: message.id } },
    })
    if (answer.status === 429)
      throw new NotDelivered('again', 'Slack rate limit reached.', 1000 * Number(answer.headers.get('retry-after') ?? 30))
    if (answer.status >= 500) throw new NotDelivered('again', `Slack returned status ${answer.status}.`)
    const { ok, error = 'unreadable', ts } = (await answer.json().catch(() => ({}))) as { ok?: boolean; error?: string; ts?: unknown }
    if (!ok) throw new NotDelivered(fateOf(error), `Slack returned an error: ${error}`)
    return typeof ts === 'string' ? ts : undefined
  },
  /** Needs the scope `channels:history`, for direct messages `im:write` and `im:history`. Without them nothing is found. */
  find: async ({ id, to, thread }, since) => {
    const api = url.replace(/\/+$/, '')
    const channel = USER.test(to) ? await openDirect(api, token, to) : to
    if (channel === undefined) return undefined
    const where = { channel, oldest: String(since.getTime() / 1000 - 60), include_all_metadata: 'true', limit: '200' }
    const [method, query] = thread?.receipt ? ['conversations.replies', { ...where, ts: thread.receipt }] : ['conversations.history', where]
    // Slack's read methods do not accept JSON.
    const answer = await post(`${api}/${method}`, token, new URLSearchParams(query)).catch(() => undefined)
    const { messages = [] } = ((await answer?.json().catch(() => undefined)) ?? {}) as { messages?: Said[] }
    const found = messages.find(({ metadata }) => metadata?.event_type === OURS && metadata.event_payload?.id === id)
    return found?.ts
  },
})

const USER = /^[UW][A-Z0-9]+$/

/** Messages can be posted to a user, but only a conversation can be read. */
const openDirect = async (api: string, token: string, user: string): Promise<string | undefined> => {
  const answer = await post(`${api}/conversations.open`, token, { users: user }).catch(() => undefined)
  const { channel } = ((await answer?.json().catch(() => undefined)) ?? {}) as { channel?: { id?: string } }
  return channel?.id
}

interface Said {
  readonly ts: string
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: { readonly id?: string } }
}

const post = async (url: string, token: string, body: object | URLSearchParams): Promise<Response> => {
  const form = body instanceof URLSearchParams
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(form ? {} : { 'content-type': 'application/json; charset=utf-8' }) },
      body: form ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error', // the token must not be sent to another host
    })
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
    throw new NotDelivered(
      UNREACHED.includes(code) ? 'again' : 'unknown',
      `Could not connect to Slack: ${code || (error as Error).message}`,
    )
  }
}

const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Configuration problems (the token) and outages are retried; errors about the message or the recipient are not. */
const PASSES = [
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
const MAY_HAVE_IT = ['internal_error', 'fatal_error', 'unreadable']
const fateOf = (error: string): NotDelivered['fate'] =>
  PASSES.includes(error) ? 'again' : MAY_HAVE_IT.includes(error) ? 'unknown' : 'never'

const asMarkdown = ({ sections, settings_link }: Message): string => {
  const lines = sections.flatMap(({ title, link, lines }) => [
    link ? `*<${link}|${escaped(title).replaceAll('|', '¦')}>*` : `*${escaped(title)}*`,
    ...lines.map((line) => `• ${escaped(line)}`),
  ])
  if (settings_link) lines.push(`_<${settings_link}|Notification settings>_`)
  const kept: string[] = []
  for (const line of lines) if (kept.join('\n').length + line.length < LONGEST_TEXT) kept.push(line)
  return kept.join('\n')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
