import { once } from 'node:events'
import { Readable, type Transform } from 'node:stream'
import { createQueryId, type Kysely, PostgresQueryCompiler, type RawBuilder } from 'kysely'
import type postgres from 'postgres'
import { inBlocks } from './blocks.ts'
import { isLost } from './driver.ts'
import { reserve } from './reserve.ts'
import type { Tables } from './tables.ts'

export interface CopyOut {
  readonly query: RawBuilder<unknown>
  /** Of `copy … with (…)`. */
  readonly options: string
  /** What every row ends with, where it is not LF. */
  readonly line_end?: '\n' | '\r\n'
  /** Settings for this statement alone. */
  readonly settings?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Ends the statement of this server process, over another connection. */
  readonly cancel: (pid: number) => void
}

/**
 * The rows of a query as Postgres writes them, in one snapshot, as bytes: nothing is built in memory, and when the reader stops reading,
 * so does Postgres. Whoever destroys the stream, or whose signal fires, takes the statement with it.
 */
export const copyOut = async (client: postgres.Sql, db: Kysely<Tables>, wanted: CopyOut): Promise<Readable> => {
  const { query, options, settings = {}, signal } = wanted
  const own = await reserve(client)
  const end = async (error?: unknown) => {
    // The driver would take a lost connection back as a good one.
    if (own.lost || isLost(error)) return
    await own.unsafe('rollback').catch(() => {})
    own.release()
  }
  try {
    signal?.throwIfAborted() // it may have waited for its turn
    const { parameters } = query.compile(db)
    const [{ pid, literals }] = await own.unsafe<[{ pid: number; literals: string[] }]>(QUOTED, [JSON.stringify(parameters)])
    const text = new LiteralCompiler(literals).compileQuery(query.toOperationNode(), createQueryId()).sql
    await own.unsafe(
      `begin; ${Object.entries(settings)
        .map(([name, value]) => `set local ${name} = ${value};`)
        .join(' ')}`,
    )
    const cancel = () => wanted.cancel(pid)
    signal?.addEventListener('abort', cancel, { once: true })
    const copying = await own.unsafe(`copy (${text}) to stdout with (${options})`).readable()
    const chunks = untilLeft(copying, inBlocks(wanted.line_end ?? '\n'), cancel, async (error) => {
      signal?.removeEventListener('abort', cancel)
      await end(error)
    })
    return Readable.from(chunks, { objectMode: false, highWaterMark: BUFFERED_BYTES })
  } catch (error) {
    await end(error)
    throw error
  }
}

const BUFFERED_BYTES = 256 * 1024

/** COPY takes no parameters, so they are written out; Postgres itself quotes them. Lists become array literals. */
const QUOTED = `
  select pg_backend_pid() as pid, array(
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

async function* untilLeft(
  copying: Readable,
  blocks: Transform,
  cancel: () => void,
  end: (error?: unknown) => Promise<void>,
): AsyncGenerator<Buffer> {
  let error: unknown
  copying.on('error', (thrown) => {
    error = thrown
    blocks.destroy(thrown)
  })
  try {
    yield* copying.pipe(blocks)
  } finally {
    if (!copying.readableEnded && !copying.destroyed) {
      // The driver would wait for ever with a stream that was destroyed, so it is read to its end; that comes soon.
      cancel()
      copying.unpipe(blocks)
      copying.resume()
    }
    if (!copying.closed) await once(copying, 'close').catch(() => {})
    // With the last row the driver may have stopped listening to Postgres, to go on when more is asked for. Nobody asks after the end.
    copying._read(0)
    await end(error)
  }
}
