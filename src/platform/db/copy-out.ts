import { pipeline, type Readable, Transform } from 'node:stream'
import { createQueryId, type Kysely, PostgresQueryCompiler, type RawBuilder } from 'kysely'
import { to } from 'pg-copy-streams'
import { toCsvLine } from '../core/csv.ts'
import { markDatabaseError, throwDatabaseError } from './database-error.ts'
import { isConnectionLost, throwConnectionError } from './driver.ts'
import type { ConnectionPool } from './pool.ts'
import type { Tables } from './tables.ts'

export interface CopyOutOptions {
  readonly query: RawBuilder<unknown>
  /** Options of `copy … with (…)`. */
  readonly options: string
  /** Of a CSV, whose rows then end with CRLF (RFC 4180). Postgres ends them with LF, and its own header has the first 63 bytes of a name. */
  readonly header?: readonly string[]
  /** Settings for this statement only. */
  readonly settings?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Cancels the statement of this server process over another connection. */
  readonly cancel: (pid: number) => void
}

/**
 * Streams the rows of a query in one snapshot with COPY: nothing is buffered in memory, and a slow reader slows Postgres down. Destroying the
 * stream or aborting the signal cancels the statement.
 */
export const copyOut = async (pool: ConnectionPool, db: Kysely<Tables>, request: CopyOutOptions): Promise<Readable> => {
  const { query, options, settings = {}, signal } = request
  const client = await pool.acquire().catch(throwConnectionError)
  let released = false
  const release = (destroy: boolean) => {
    if (!released) client.release(destroy)
    released = true
  }
  try {
    signal?.throwIfAborted() // it may have waited for a connection
    const { parameters } = query.compile(db)
    const { rows } = await client.query<{ literals: string[] }>(QUOTE_PARAMS_SQL, [JSON.stringify(parameters)])
    const text = new LiteralCompiler(rows[0]!.literals).compileQuery(query.toOperationNode(), createQueryId()).sql
    await client.query('begin')
    for (const [name, value] of Object.entries(settings)) await client.query(`set local ${name} = ${value}`)
    const copying = client.query(to(`copy (${text}) to stdout with (${options})`))
    const abort = () => copying.destroy(signal?.reason instanceof Error ? signal.reason : undefined)
    signal?.addEventListener('abort', abort, { once: true })
    // The stream only emits `error`. Unless it is destroyed, a disconnected reader would hold the connection. It emits a second error when the
    // connection is closed afterwards, which would crash the process without a listener.
    copying.on('error', (error) => copying.destroy(markDatabaseError(error)))
    let complete = false
    copying.once('end', () => {
      complete = true
      signal?.removeEventListener('abort', abort)
      // All rows were sent; the transaction has changed nothing.
      void client.query('rollback').then(
        () => release(false),
        () => release(true),
      )
    })
    copying.once('close', () => {
      if (complete) return // the connection may already belong to another caller
      signal?.removeEventListener('abort', abort)
      request.cancel(client.pid)
      release(true)
    })
    return request.header ? pipeline(copying, createCsvTransform(request.header), () => {}) : copying
  } catch (error) {
    const lost = isConnectionLost(error, client)
    release(true)
    return lost ? throwConnectionError(error) : throwDatabaseError(error)
  }
}

/** COPY accepts no parameters, so they become literals, quoted by Postgres itself. Lists become array literals. */
const QUOTE_PARAMS_SQL = `
  select array(
    select case jsonb_typeof(v) when 'null' then 'null' when 'array' then quote_literal(array(select jsonb_array_elements_text(v))::text)
      else quote_literal(v #>> '{}') end
    from jsonb_array_elements($1::text::jsonb) with ordinality p (v, n) order by n) as literals`

class LiteralCompiler extends PostgresQueryCompiler {
  readonly #literals: readonly string[]

  constructor(literals: readonly string[]) {
    super()
    this.#literals = literals
  }

  protected override getCurrentParameterPlaceholder(): string {
    return this.#literals[this.numParameters - 1]!
  }
}

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d

/**
 * Adds the header and ends each CSV row with CRLF. A line feed inside quotes is part of a value and stays; every quote in COPY's CSV opens,
 * closes or is doubled.
 */
const createCsvTransform = (header: readonly string[]): Transform => {
  let quoted = false
  let first = toCsvLine(header)
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (first) this.push(first)
      first = ''
      const out = Buffer.allocUnsafe(2 * chunk.length)
      let length = 0
      for (let i = 0; i < chunk.length; i += 1) {
        const byte = chunk[i]!
        if (byte === QUOTE) quoted = !quoted
        else if (byte === LF && !quoted) out[length++] = CR
        out[length++] = byte
      }
      done(null, out.subarray(0, length))
    },
    flush(done) {
      done(null, first)
    },
  })
}
