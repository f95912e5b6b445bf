import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { followAlerts, sendAlerts } from '../../src/notifications/alerts/send-alerts.ts'
import { buildDigests } from '../../src/notifications/deliveries/build-digests.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import { sendDueDeliveries } from '../../src/notifications/service/send-deliveries.ts'
import { followForWebhooks } from '../../src/notifications/webhooks/follow.ts'
import { notifyWebhookDisabled } from '../../src/notifications/webhooks/notify-disabled.ts'
import { PerReceiverSender } from '../../src/notifications/webhooks/send.ts'
import { CHANNELS, type Channel } from '../../src/platform/channels/channel.ts'
import { parseAllowlist } from '../../src/platform/outbound/address-policy.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import type { TestApp } from './test-app.ts'

/** Receivers for tests: a real mail server, a simulated Slack API and a webhook receiver, all on loopback. */
export interface ReceivedMail {
  readonly to: string
  readonly id: string
  readonly subject: string
  readonly raw: string
}

export interface MailServer extends AsyncDisposable {
  readonly url: string
  readonly mails: ReceivedMail[]
  /** The login it requires; undefined: none, and any is accepted. */
  login?: { readonly user: string; readonly password: string }
  /** The rejection of a recipient, or undefined to accept it. */
  reject: (to: string) => { code: number; text: string } | undefined
  /** Awaited between accepting a message and the response. */
  before: () => Promise<unknown>
  /** Closes all connections immediately, like a network failure. */
  cut(): void
}

export const createMailServer = async (port = 0): Promise<MailServer> => {
  const letters: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _, done) => {
      const wrong = it.login && (username !== it.login.user || password !== it.login.password)
      done(wrong ? Object.assign(new Error('Invalid login'), { responseCode: 535 }) : null, { user: username })
    },
    onRcptTo: ({ address }, _, done) => {
      const no = it.reject(address)
      done(no ? Object.assign(new Error(no.text), { responseCode: no.code }) : null)
    },
    onData: (stream, session, done) => {
      readText(stream)
        .then(async (raw) => {
          const header = (name: string) =>
            new RegExp(`^${name}: (.*(?:\r?\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replace(/\r?\n[ \t]/g, ' ') ?? ''
          for (const { address } of session.envelope.rcptTo)
            letters.push({ to: address, id: header('Message-ID'), subject: header('Subject'), raw })
          await it.before()
          done()
        })
        .catch(done)
    },
  })
  server.on('error', () => {}) // the sender may be killed while sending
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: own } = server.server.address() as AddressInfo
  const it: MailServer = {
    url: `smtp://127.0.0.1:${own}`,
    mails: letters,
    reject: () => undefined,
    before: async () => {},
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
  return it
}

export interface SlackPost {
  readonly channel: string
  readonly text: string
  readonly thread_ts?: string
  readonly attachments?: readonly { readonly image_url?: string; readonly blocks?: readonly object[] }[]
  readonly metadata?: { readonly event_type: string; readonly event_payload: { readonly id: string } }
  readonly ts: string
}

export interface SlackServer extends AsyncDisposable {
  readonly url: string
  readonly posts: SlackPost[]
  /** Messages that only one person sees. */
  readonly ephemeralMessages: { readonly user: string; readonly text: string }[]
  /** Previews of links. */
  readonly unfurls: { readonly channel?: string; readonly ts?: string; readonly unfurls: Record<string, { blocks: unknown[] }> }[]
  /** Members by ID; the team of the app is `T1`. */
  readonly people: Map<string, { readonly team_id: string; readonly profile: { readonly email: string } }>
  /** `lost`: the connection is closed before the response. `hangs`: there is never a response. */
  respond: () => { status?: number; headers?: Record<string, string>; body: object; lost?: boolean; hangs?: boolean }
}

/** Like Slack: read methods accept form data only, and a user is not a conversation. A direct message channel is called `D` plus the user's ID. */
const readConversation = (posts: readonly SlackPost[], type: string | undefined, text: string): object => {
  if (!type?.startsWith('application/x-www-form-urlencoded')) return { ok: false, error: 'invalid_arguments' }
  const requestedChannel = new URLSearchParams(text).get('channel') ?? ''
  if (/^[UW]/.test(requestedChannel)) return { ok: false, error: 'channel_not_found' }
  return { ok: true, messages: posts.filter(({ channel }) => (/^[UW]/.test(channel) ? `D${channel}` : channel) === requestedChannel) }
}

export const createSlackServer = async (): Promise<SlackServer> => {
  const posts: SlackPost[] = []
  const server = createServer(async (request, response) => {
    const json = { 'content-type': 'application/json' }
    const text = await readText(request)
    if (request.url === '/api/conversations.history' || request.url === '/api/conversations.replies')
      return response.writeHead(200, json).end(JSON.stringify(readConversation(posts, request.headers['content-type'], text)))
    if (request.url === '/api/users.info')
      return response.writeHead(200, json).end(JSON.stringify({ ok: true, user: it.people.get(new URLSearchParams(text).get('user')!) }))
    if (request.url === '/api/auth.test') {
      const known = request.headers.authorization === 'Bearer xoxb-test'
      const body = known ? { ok: true, team: 'Shop', team_id: 'T1' } : { ok: false, error: 'invalid_auth' }
      return response.writeHead(200, json).end(JSON.stringify(body))
    }
    const body = JSON.parse(text) as SlackPost & { users: string; user: string }
    if (request.url === '/api/chat.unfurl') {
      it.unfurls.push(JSON.parse(text))
      return response.writeHead(200, json).end(JSON.stringify({ ok: true }))
    }
    if (request.url === '/api/chat.postEphemeral') {
      it.ephemeralMessages.push(body)
      return response.writeHead(200, json).end(JSON.stringify({ ok: true }))
    }
    if (request.url === '/api/conversations.open')
      return response.writeHead(200, json).end(JSON.stringify({ ok: true, channel: { id: `D${body.users}` } }))
    const { status = 200, headers = {}, body: responseBody, lost = false, hangs = false } = it.respond()
    const ts = `1700000000.${String(posts.length + 1).padStart(6, '0')}`
    if (
      'ok' in responseBody &&
      responseBody.ok &&
      request.url === '/api/chat.postMessage' &&
      request.headers.authorization === 'Bearer xoxb-test'
    )
      posts.push({ ...body, ts })
    if (hangs) return
    if (lost) return request.socket.destroy()
    response.writeHead(status, { ...json, ...headers }).end(JSON.stringify({ ts, ...responseBody }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const it: SlackServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    posts,
    ephemeralMessages: [],
    unfurls: [],
    people: new Map(),
    respond: () => ({ body: { ok: true } }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return it
}

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A webhook receiver. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string
  readonly received: ReceivedWebhook[]
  respond: () => { status: number; headers?: Record<string, string>; body?: string } | 'hang up' | 'hang'
  /** Awaited before the response. */
  before: () => Promise<void>
}

export const createWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await readText(request) })
    await it.before()
    const reply = it.respond()
    if (reply === 'hang') return
    if (reply === 'hang up') request.socket.destroy()
    else response.writeHead(reply.status, reply.headers).end(reply.body ?? 'thanks')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const it: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    respond: () => ({ status: 200 }),
    before: async () => {},
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return it
}

/** Runs the webhook loop of the notifier with a clock that a test can set. */
export const createTestWebhookSender = (app: TestApp, allow: readonly string[], publicUrl?: string) => {
  let clockOffset = 0
  const ctx = () => ({ ...app.ctx, actor: SYSTEM, now: new Date(Date.now() + clockOffset) })
  const sender = new PerReceiverSender((error) => {
    throw error
  })
  return {
    ctx,
    later: (minutes: number) => {
      clockOffset += minutes * MINUTE
    },
    round: async () => {
      while (await followForWebhooks(ctx()));
      await sender.sendDue(ctx, { allowed: parseAllowlist(allow), publicUrl, onDisabled: notifyWebhookDisabled(['email']) }, () => false)
      await sender.drain()
    },
  }
}

const MINUTE = 60_000

/** Runs the notifier with a clock that a test can set. `round` does what the background loops do every few seconds. */
export const createTestNotifier = (app: TestApp, channels: readonly Channel[] = [], publicUrl?: string) => {
  let clockOffset = 0
  const ctx = () => ({ ...app.ctx, now: new Date(Date.now() + clockOffset) })
  const names = CHANNELS.filter((name) => channels.some((channel) => channel.name === name))
  const follow = async () => {
    while (await followChanges(ctx(), names));
    await followAlerts(ctx())
    while (await sendAlerts(ctx(), names));
  }
  return {
    ctx,
    follow,
    gather: () => buildDigests(ctx(), names),
    later: (minutes: number) => {
      clockOffset += minutes * MINUTE
    },
    send: () => sendDueDeliveries(ctx, { channels, publicUrl }, () => false),
    round: async () => {
      await follow()
      await buildDigests(ctx(), names)
      await sendDueDeliveries(ctx, { channels, publicUrl }, () => false)
    },
  }
}
