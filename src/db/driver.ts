import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type ControlConnectionProvider,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type postgres from 'postgres'
import { type Reserved, reserve } from './reserve.ts'

type Client = postgres.Sql
type Pending = ReturnType<Client['unsafe']> & { readonly state?: { readonly pid: number | null } | null }

/**
 * Kysely on postgres.js. A single statement goes to the pool as it is (postgres.js then pipelines it);
 * only a transaction takes a connection for itself.
 */
export class PostgresJsDriver implements Driver {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async init() {}

  async acquireConnection() {
    return new Connection(this.#client)
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel }: TransactionSettings) {
    await (connection as Connection).begin(isolationLevel)
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(COMMIT)
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(ROLLBACK)
  }

  async releaseConnection(connection: DatabaseConnection) {
    ;(connection as Connection).release()
  }

  async destroy() {
    await this.#client.end({ timeout: 5 })
  }
}

const SHORT_MS = 200
const cancelling = (pid: number, text: string): CompiledQuery =>
  CompiledQuery.raw(
    `select pg_cancel_backend(a.pid) from pg_stat_activity a
     where a.pid = $1 and a.state = 'active' and left(a.query, 200) = left($2, 200) and a.query_start < clock_timestamp() - interval '${SHORT_MS / 2} ms'`,
    [pid, text],
  )
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

class Connection implements DatabaseConnection {
  readonly #client: Client
  #own?: Reserved
  #underWay?: { readonly pending: Pending; readonly text: string }

  constructor(client: Client) {
    this.#client = client
  }

  async begin(isolation = 'read committed') {
    this.#own = await reserve(this.#client)
    // Not waited for: the first statement goes out right behind it. Should it fail, so does that one.
    this.#own.unsafe(`begin isolation level ${isolation}`).catch(() => {})
  }

  release() {
    this.#own?.release()
    this.#own = undefined
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const pending = (this.#own ?? this.#client).unsafe(text, parameters as never[], { prepare: worthPreparing(text) })
    this.#underWay = { pending, text }
    const taken = new Taken<R>()
    try {
      const asked = pending.forEach((row) => void taken.rows.push(row as R)) as Promise<{ count: number | null }>
      const { count } = this.#own ? await this.#own.orEnd(asked) : await asked
      return { rows: taken.rows, numAffectedRows: BigInt(count ?? 0) }
    } finally {
      this.#underWay = undefined
      taken.rows = []
      Object.assign(pending, FORGOTTEN)
    }
  }

  /**
   * Asks Postgres to end what nobody waits for any more. Not with `pending.cancel()`: that ends whatever its connection is about when the
   * request for it arrives, and others' statements are queued behind this one. What is short ends by itself; what goes on is named, and
   * the server looks whether it still is that.
   */
  async cancelQuery(elsewhere: ControlConnectionProvider) {
    const mine = this.#underWay
    await sleep(SHORT_MS)
    while (mine && mine === this.#underWay) {
      const { pid } = mine.pending.state ?? {}
      if (pid) await elsewhere(async (connection) => void (await connection.executeQuery(cancelling(pid, mine.text))))
      await sleep(SHORT_MS)
    }
  }

  async *streamQuery<R>({ sql: text, parameters }: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    const rows = (this.#own ?? this.#client).unsafe(text, parameters as never[]).cursor(chunkSize)
    for await (const chunk of rows) yield { rows: chunk as unknown as R[] }
  }
}

/**
 * A query of postgres.js lives longer than its answer, so it is given nothing to hold: V8 makes a function that is assigned to a property
 * (`this.resolve = …` in its constructor) among the old objects, and keeps what an old object reaches until it goes through the whole heap.
 * Every row was copied twice for nothing, in pauses of 10 to 30 ms.
 */
class Taken<R> {
  rows: R[] = []
}
const FORGOTTEN = { args: [], parameters: [] }

/** Of the connection, not of the statement. */
export const isLost = (error: unknown): boolean => String((error as { code?: unknown } | undefined)?.code).startsWith('CONNECTION_')

// Planning a page of the catalog costs more than running it, so a statement seen twice is kept prepared.
// Filters come in endless shapes and each prepared one stays in every server process: hence the limits, and
// a fresh choice every hour (connections live no longer, and take their prepared statements with them).
const PREPARED_AT_MOST = 400
const SEEN_AT_MOST = 4_000
const CHOSEN_FOR_MS = 3_600_000
const prepared = new Set<string>()
const seenOnce = new Set<string>()
let chosenAt = 0

const worthPreparing = (text: string): boolean => {
  if (prepared.has(text)) return true
  const now = performance.now()
  if (now - chosenAt > CHOSEN_FOR_MS) {
    prepared.clear()
    seenOnce.clear()
    chosenAt = now
  }
  if (seenOnce.size > SEEN_AT_MOST) seenOnce.clear()
  if (!seenOnce.has(text)) seenOnce.add(text)
  else if (prepared.size < PREPARED_AT_MOST) prepared.add(text)
  return prepared.has(text)
}
