import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { throwConnectionError } from './driver.ts'
import { destroyConnection, initializeConnection, KEEP_ALIVE_OPTIONS } from './pool.ts'

interface Listener {
  readonly onPayload: (payload: string) => void
  /** Called after a reconnect: notifications sent in between were missed. */
  readonly onResumed?: () => void
}

/** How soon an unresponsive server is detected. */
export interface ControlTiming {
  readonly checkEveryMs: number
  readonly answerWithinMs: number
}

const CONTROL_TIMING: ControlTiming = { checkEveryMs: 5_000, answerWithinMs: 10_000 }
const MIN_RETRY_MS = 100
const MAX_RETRY_MS = 1_000
const CLOSE_TIMEOUT_MS = 1_000

/**
 * One connection per process that is always available: it receives notifications and cancels abandoned statements, even when every pool
 * is busy. It reconnects automatically and listens to all channels again.
 */
export class ControlConnection {
  readonly #url: string
  readonly #onLost: (error: unknown) => void
  readonly #timing: ControlTiming
  readonly #listeners = new Map<string, Set<Listener>>()
  #client?: Promise<Client>
  #last: Promise<unknown> = Promise.resolve()
  #checking?: NodeJS.Timeout
  #closed = false

  constructor(url: string, onLost: (error: unknown) => void, timing = CONTROL_TIMING) {
    this.#url = url
    this.#onLost = onLost
    this.#timing = timing
  }

  /** Opens the connection; from now on a loss is detected. */
  async start(): Promise<void> {
    await this.#connected()
    this.#checking = setInterval(() => void this.#check(), this.#timing.checkEveryMs).unref()
  }

  /** Resolves once it listens; returns a function that stops listening. */
  async listen(channel: string, onPayload: Listener['onPayload'], onResumed?: Listener['onResumed']): Promise<() => void> {
    const listener = { onPayload, onResumed }
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners) // every new connection listens to it from now on
    await this.#query(`listen ${escapeIdentifier(channel)}`)
    listeners.add(listener) // only now: before, the caller is not ready for notifications
    return () => listeners.delete(listener)
  }

  /** Cancels the running statement of this server process. */
  async cancel(pid: number): Promise<void> {
    await this.#query('select pg_cancel_backend($1::int)', [pid])
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#checking)
    const client = await this.#client?.catch(() => undefined)
    if (!client) return
    await Promise.race([client.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    destroyConnection(client)
  }

  /** Runs statements sequentially. */
  #query(text: string, values?: unknown[]): Promise<unknown> {
    const mine = this.#last.then(async () => (await this.#connected()).query(text, values)).catch(throwConnectionError)
    this.#last = mine.catch(() => {})
    return mine
  }

  #connected(): Promise<Client> {
    if (this.#closed) return Promise.reject(new Error('The server is shutting down.'))
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #connect(): Promise<Client> {
    const { answerWithinMs } = this.#timing
    const client = new Client({
      connectionString: this.#url,
      application_name: 'tablinum control',
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      ...KEEP_ALIVE_OPTIONS,
    })
    let established = false
    client.on('error', () => {}) // an `end` event follows
    client.once('end', () => {
      if (established) void this.#reconnect()
    })
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { onPayload } of this.#listeners.get(channel) ?? []) onPayload(payload)
    })
    try {
      await client.connect()
      await initializeConnection(client, answerWithinMs)
      for (const channel of this.#listeners.keys()) await client.query(`listen ${escapeIdentifier(channel)}`)
    } catch (error) {
      destroyConnection(client)
      throw error
    }
    established = true
    return client
  }

  async #reconnect(): Promise<void> {
    this.#client = undefined
    if (this.#closed) return
    this.#onLost(new Error('The control connection was lost.'))
    for (let wait = MIN_RETRY_MS; !this.#closed; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      try {
        await this.#connected()
        for (const listeners of this.#listeners.values()) for (const { onResumed } of listeners) onResumed?.()
        return
      } catch {
        await sleep(wait, undefined, { ref: false })
      }
    }
  }

  /** A statement without a timely response destroys the connection, which triggers a reconnect. */
  async #check(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    if (client) await this.#query('select 1').catch(() => destroyConnection(client))
  }
}
