import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { CHANNELS, type Channel } from '../src/notify/channels/channel.ts'
import { deliverMessages } from '../src/notify/deliver.ts'
import { followChanges } from '../src/notify/follow.ts'
import { gatherMessages } from '../src/notify/gather.ts'
import type { House } from './house.ts'

/** The other side of the channels: a real mail server and something that answers as Slack does, both on loopback. */
export interface Letter {
  readonly to: string
  readonly id: string
  readonly subject: string
  readonly raw: string
}

export interface MailServer extends AsyncDisposable {
  readonly url: string
  readonly letters: Letter[]
  /** What it says to a recipient, or nothing to accept. */
  refuse: (to: string) => { code: number; text: string } | undefined
  /** Awaited between taking a letter and saying so. */
  before: () => Promise<unknown>
  /** Ends every connection at once, as a network that breaks. */
  cut(): void
}

export const aMailServer = async (port = 0): Promise<MailServer> => {
  const letters: Letter[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _, done) => {
      const no = it.refuse(address)
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
  server.on('error', () => {}) // a sender that is killed in the middle
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: own } = server.server.address() as AddressInfo
  const it: MailServer = {
    url: `smtp://127.0.0.1:${own}`,
    letters,
    refuse: () => undefined,
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
}

export interface Slack extends AsyncDisposable {
  readonly url: string
  readonly posts: SlackPost[]
  answer: () => { status?: number; headers?: Record<string, string>; body: object }
}

export const aSlack = async (): Promise<Slack> => {
  const posts: SlackPost[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request)) as SlackPost
    const { status = 200, headers = {}, body: answer } = it.answer()
    if ('ok' in answer && answer.ok && request.url === '/api/chat.postMessage' && request.headers.authorization === 'Bearer xoxb-test')
      posts.push({ channel: body.channel, text: body.text })
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const it: Slack = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    posts,
    answer: () => ({ body: { ok: true } }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return it
}

const MINUTE = 60_000

/** A house with a postman whose clock a test can move. `round` does what the background does every few seconds. */
export const aPostman = (house: House, channels: readonly Channel[] = [], publicUrl?: string) => {
  let ahead = 0
  const ctx = () => ({ ...house.ctx, now: new Date(Date.now() + ahead) })
  const names = CHANNELS.filter((name) => channels.some((channel) => channel.name === name))
  const follow = async () => {
    while (await followChanges(ctx(), names));
  }
  return {
    ctx,
    follow,
    gather: () => gatherMessages(ctx(), names),
    later: (minutes: number) => {
      ahead += minutes * MINUTE
    },
    send: () => deliverMessages(ctx, { channels, publicUrl }, () => false),
    round: async () => {
      await follow()
      await gatherMessages(ctx(), names)
      await deliverMessages(ctx, { channels, publicUrl }, () => false)
    },
  }
}
