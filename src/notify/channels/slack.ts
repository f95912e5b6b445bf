import { type Channel, type Message, NotDelivered } from './channel.ts'

export interface SlackOptions {
  readonly token: string
  /** `https://slack.com/api`, or where a test listens. */
  readonly url: string
}

const PATIENCE_MS = 20_000
const LONGEST_TEXT = 4_000 // Slack cuts longer ones anyway; whole lines are better

/** Slack by `chat.postMessage`. It takes the same message twice, so one whose fate is unknown is left to a person. */
export const slackChannel = ({ token, url }: SlackOptions): Channel => ({
  name: 'slack',
  repeatable: false,
  send: async (message, handOver) => {
    await handOver()
    const answer = await post(`${url.replace(/\/+$/, '')}/chat.postMessage`, token, {
      channel: message.to,
      text: asMarkdown(message),
      unfurl_links: false,
      unfurl_media: false,
    })
    if (answer.status === 429)
      throw new NotDelivered('again', 'Slack asks for a pause.', 1000 * Number(answer.headers.get('retry-after') ?? 30))
    if (answer.status >= 500) throw new NotDelivered('again', `Slack answers ${answer.status}.`)
    const { ok, error = 'unreadable' } = (await answer.json().catch(() => ({}))) as { ok?: boolean; error?: string }
    if (!ok) throw new NotDelivered(fateOf(error), `Slack says: ${error}`)
  },
})

const post = async (url: string, token: string, body: object): Promise<Response> => {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error', // the token is for Slack alone
    })
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
    throw new NotDelivered(UNREACHED.includes(code) ? 'again' : 'unknown', `Slack cannot be reached: ${code || (error as Error).message}`)
  }
}

const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** What is ours to mend (the token) or passes (an outage) is tried again; what speaks of this message or this receiver is not. */
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
  if (settings_link) lines.push(`_<${settings_link}|What you are sent>_`)
  const kept: string[] = []
  for (const line of lines) if (kept.join('\n').length + line.length < LONGEST_TEXT) kept.push(line)
  return kept.join('\n')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
