import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { findCombinedCode } from '../support/combined-code.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** The server in its own process, which can be killed. */
export interface TestServer extends AsyncDisposable {
  readonly pid: number
  readonly address: string
  /** Everything it has printed and logged so far. */
  output(): string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; body: JsonBody }>
  signal(signal: NodeJS.Signals): void
  /** How it exited. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type JsonBody = any

const INHERITED = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** A request on its own connection, closed after the response. (`fetch` keeps connections open.) */
export const callOnce = async (
  { address }: TestServer,
  method: string,
  path: string,
  body: unknown,
): Promise<{ status?: number; body: JsonBody }> => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
  const clientRequest = request(`${address}/api/v1${path}`, { method, headers, agent: false })
  clientRequest.end(JSON.stringify(body))
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: JSON.parse(await readText(response)) }
}

export const startTestServer = async (env: Record<string, string>, ...args: string[]): Promise<TestServer> =>
  startServerProcess([process.execPath, join(await findCombinedCode(), 'src/server.js'), ...args], env)

export const startServerProcess = async ([command, ...args]: readonly string[], env: Record<string, string>): Promise<TestServer> => {
  const child = spawn(command!, args, {
    env: { ...INHERITED, PORT: '0', TABLINUM_ADMIN_TOKEN: ADMIN_TOKEN, TABLINUM_RATE_LIMIT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const address = await waitUntilReady(child, () => output)
  return {
    pid: child.pid!,
    address,
    ended,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(`${address}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}

const waitUntilReady = (child: ChildProcess, getOutput: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const checkOutput = () => {
      const [, address] = /ready at (http:\S+)/.exec(getOutput()) ?? []
      if (address) done(() => resolve(address))
    }
    const timer = setTimeout(() => done(() => reject(new Error(`The server is not ready: ${getOutput()}`))), PATIENCE_MS)
    const onExit = () => done(() => reject(new Error(`The server ended: ${getOutput()}`)))
    const done = (then: () => void) => {
      clearTimeout(timer)
      child.stderr!.off('data', checkOutput)
      child.off('exit', onExit)
      then()
    }
    child.stderr!.on('data', checkOutput)
    child.once('exit', onExit)
  })
