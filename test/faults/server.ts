import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { ADMIN_TOKEN } from '../database.ts'

/** The server as in production: a separate process that can be killed. */
export interface Server extends AsyncDisposable {
  readonly pid: number
  readonly address: string
  /** Everything it has written so far to stdout and stderr. */
  said(): string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; body: Body }>
  signal(signal: NodeJS.Signals): void
  /** Its exit code or signal. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any

const PATIENCE_MS = 120_000 // a start while many other tests run
const INHERITED = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** A request on a separate connection that closes with the response. (`fetch` keeps connections open.) */
export const callOnce = async (
  { address }: Server,
  method: string,
  path: string,
  body: unknown,
): Promise<{ status?: number; body: Body }> => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
  const asked = request(`${address}/api/v1${path}`, { method, headers, agent: false })
  asked.end(JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: JSON.parse(await readText(answer)) }
}

export const aServer = async (env: Record<string, string>, ...args: string[]): Promise<Server> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/server.ts'), ...args], {
    env: { ...INHERITED, PORT: '0', TABLINUM_ADMIN_TOKEN: ADMIN_TOKEN, TABLINUM_RATE_LIMIT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
    })
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const address = await ready(child, () => said)
  return {
    pid: child.pid!,
    address,
    ended,
    said: () => said,
    signal: (signal) => void child.kill(signal),
    call: async (method, path, body, headers = {}) => {
      const answer = await fetch(`${address}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}

const ready = (child: ChildProcess, said: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const [, address] = /ready at (http:\S+)/.exec(said()) ?? []
      if (address) done(() => resolve(address))
    }
    const timer = setTimeout(() => done(() => reject(new Error(`The server did not become ready: ${said()}`))), PATIENCE_MS)
    const onExit = () => done(() => reject(new Error(`The server exited: ${said()}`)))
    const done = (then: () => void) => {
      clearTimeout(timer)
      child.stderr!.off('data', look)
      child.off('exit', onExit)
      then()
    }
    child.stderr!.on('data', look)
    child.once('exit', onExit)
  })
