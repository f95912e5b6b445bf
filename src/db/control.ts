import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { sessionSettings } from './pool.ts'

type Listener = (payload: string) => void

const STATEMENT_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 1_000
const CHECK_EVERY_MS = 15_000 // a peer that vanished without a word is noticed by then

/**
 * One connection of the process that is always free: it receives notifications and ends statements that nobody waits for any more, also
 * when every pool is busy. It reconnects by itself and listens again to everything it listened to before.
 */
export class ControlConnection {
  readonly #url: string
  readonly #onLost: (error: unknown) => void
  readonly #listeners = new Map<string, Set<Listener>>()
  #client?: Promise<Client>
  #checking?: NodeJS.Timeout
  #closed = false

  constructor(url: string, onLost: (error: unknown) => void) {
    this.#url = url
    this.#onLost = onLost
  }

  /** Opens it, so that a loss is noticed from now on. */
  async start(): Promise<void> {
    await this.#connected()
    this.#checking = setInterval(() => void this.#check(), CHECK_EVERY_MS).unref()
  }

  /** Resolves, once it listens, to the function that stops it. */
  async listen(channel: string, listener: Listener): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners)
    listeners.add(listener)
    try {
      const client = await this.#connected()
      await client.query(`listen ${escapeIdentifier(channel)}`)
    } catch (error) {
      listeners.delete(listener)
      throw error
    }
    return () => listeners.delete(listener)
  }

  /** Ends what this server process is running. */
  async cancel(pid: number): Promise<void> {
    const client = await this.#connected()
    await client.query('select pg_cancel_backend($1::int)', [pid])
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#checking)
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  #connected(): Promise<Client> {
    if (this.#closed) return Promise.reject(new Error('This server is stopping.'))
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'tablinum control',
      connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
    })
    client.on('error', () => {}) // the end follows
    await client.connect()
    client.once('end', () => void this.#reconnect(client))
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload)
    })
    try {
      await client.query(sessionSettings(STATEMENT_TIMEOUT_MS))
      for (const channel of this.#listeners.keys()) await client.query(`listen ${escapeIdentifier(channel)}`)
    } catch (error) {
      void client.end()
      throw error
    }
    return client
  }

  async #reconnect(lost: Client): Promise<void> {
    const current = await this.#client?.catch(() => undefined)
    if (this.#closed || (current !== undefined && current !== lost)) return
    this.#client = undefined
    this.#onLost(new Error('The control connection was lost.'))
    for (let wait = FIRST_RETRY_MS; !this.#closed; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
      try {
        await this.#connected()
        return
      } catch {
        await sleep(wait, undefined, { ref: false })
      }
    }
  }

  async #check(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    // A statement that is not answered in time destroys the connection, and its end starts the next.
    await client
      ?.query('select 1')
      .catch(() => (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy())
  }
}
