import type { Readable } from 'node:stream'
import { type AbortableQueryOptions, sql } from 'kysely'
import type { Context } from '../context.ts'
import { connect, type Database } from '../db/connect.ts'
import type { CopyOut } from '../db/copy-out.ts'

const CONNECTIONS = 4

/**
 * Connections for what takes minutes: an import is one long transaction, and an export waits for its caller. They are few and not the
 * pool's own, so that the rest of the product never waits for them; whoever comes fifth waits for a turn.
 */
export class TransferPool {
  #main?: Database
  #own?: Database

  use(database: Database): void {
    this.#main = database
  }

  get database(): Database {
    this.#own ??= connect(this.#mainOne.url, { poolSize: CONNECTIONS, statementTimeoutMs: 0, name: 'tablinum transfer' })
    return this.#own
  }

  /** Cancelled over a connection of the main pool: ours may all be busy. */
  copyOut(wanted: Omit<CopyOut, 'cancel'>): Promise<Readable> {
    const cancel = (pid: number) => void sql`select pg_cancel_backend(${pid}::int)`.execute(this.#mainOne.db).catch(() => {})
    return this.database.copyOut({ ...wanted, cancel })
  }

  async close(): Promise<void> {
    await this.#own?.close()
    this.#own = undefined
  }

  get #mainOne(): Database {
    if (!this.#main) throw new Error('The transfer pool has no database.')
    return this.#main
  }
}

/** The context of a transfer: its own connections, and no deadline but the one given. */
export const forTransfer = (ctx: Context, signal?: AbortSignal): Context => {
  const limits: AbortableQueryOptions = signal ? { signal, inflightQueryAbortStrategy: 'cancel query' } : {}
  return { ...ctx, db: ctx.memory.of(TransferPool).database.db, limits }
}
