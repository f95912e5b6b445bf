import type { SqlConnection } from '../connectors/shared/connector.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** Connections to sources, at most three per integration. */
    readonly sources: SourceConnectionPool
  }
}

/** Pool of open connections to sources: a few per integration, kept idle for a while for reuse. */
export interface SourceConnection {
  readonly id: string
  readonly version: string
  readonly sql: SqlConnection
}

export interface ConnectionRequest {
  readonly id: string
  /** Version of the settings: a connection opened with other settings is closed. */
  readonly version: string
  open(): Promise<SqlConnection>
}

const MAX_CONNECTIONS = 3 // per integration and process, to limit the load on the source
const IDLE_MS = 60_000

interface ConnectionSlots {
  busy: number
  readonly idle: { connection: SourceConnection; timer: NodeJS.Timeout }[]
  readonly waiting: (() => void)[]
}

export class SourceConnectionPool {
  readonly #slots = new Map<string, ConnectionSlots>()
  #closed = false

  async acquire({ id, version, open }: ConnectionRequest, signal: AbortSignal): Promise<SourceConnection> {
    if (this.#closed) throw new Error('This server is stopping.')
    const slots = this.#slots.get(id) ?? { busy: 0, idle: [], waiting: [] }
    this.#slots.set(id, slots)
    await waitForSlot(slots, signal)
    try {
      for (let idleConnection = slots.idle.pop(); idleConnection; idleConnection = slots.idle.pop()) {
        clearTimeout(idleConnection.timer)
        if (idleConnection.connection.version === version) return idleConnection.connection
        await close(idleConnection.connection)
      }
      return { id, version, sql: await open() }
    } catch (error) {
      this.#releaseSlot(slots, id)
      throw error
    }
  }

  async release(connection: SourceConnection, broken: boolean): Promise<void> {
    const slots = this.#slots.get(connection.id)!
    if (broken || this.#closed) await close(connection)
    else {
      const idleConnection = { connection, timer: setTimeout(() => this.#evict(slots, idleConnection), IDLE_MS).unref() }
      slots.idle.push(idleConnection)
    }
    this.#releaseSlot(slots, connection.id)
  }

  #releaseSlot(slots: ConnectionSlots, id: string): void {
    slots.busy -= 1
    slots.waiting.shift()?.()
    if (slots.busy === 0 && slots.idle.length === 0 && slots.waiting.length === 0) this.#slots.delete(id)
  }

  #evict(slots: ConnectionSlots, idleConnection: ConnectionSlots['idle'][number]): void {
    slots.idle.splice(slots.idle.indexOf(idleConnection), 1)
    void close(idleConnection.connection)
  }

  /** Connections in use are closed when they are released. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { idle } of this.#slots.values())
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer)
        await close(connection)
      }
  }
}

const close = async ({ sql: sqlConnection }: SourceConnection): Promise<void> => {
  try {
    await sqlConnection[Symbol.asyncDispose]()
  } catch {} // a broken connection may fail to close
}

/** Waits for a free slot, until the signal aborts. */
const waitForSlot = async (slots: ConnectionSlots, signal: AbortSignal): Promise<void> => {
  while (slots.busy >= MAX_CONNECTIONS) {
    signal.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<void>()
    slots.waiting.push(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    const left = slots.waiting.indexOf(resolve)
    if (left >= 0) slots.waiting.splice(left, 1)
  }
  slots.busy += 1
}
