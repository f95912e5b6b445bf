import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect } from '../src/platform/db/connect.ts'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'
import { TOKEN } from './environment.ts'
import { measureMemory } from './export.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * Undoes an import of many trees, cancels it on the way and continues. The peer deletes one tree of the same size, which is one entry of the trash: what
 * differs is what each tree costs.
 */
/** Of more than 10,000 resources, because smaller trees are deleted without a job. */
const TREES = Number(process.env.BENCH_TREES ?? 2_000)
const TREE_SIZE = 50
const RESOURCES = TREES * TREE_SIZE
const NAME = 'bench_import_undo'
const INTEGRATION = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const CANCEL_AT = 40 // percent

export const benchImportUndo = (): Promise<string> => withTemporaryPostgres(measureUndo)

const measureUndo = async (serverUrl: string): Promise<string> => {
  const admin = connect(serverUrl, { poolSize: 1 })
  await sql.raw(`create database ${NAME}`).execute(admin.db)
  await admin.close()
  const url = new URL(serverUrl)
  url.pathname = `/${NAME}`
  const env = { DATABASE_URL: url.href, TABLINUM_ADMIN_TOKEN: TOKEN, TABLINUM_RATE_LIMIT: '0' }
  {
    await using tablinum = await startBenchServer('src/server.ts', env)
    for (const schema of ['undone', 'deleted']) {
      await importFile(tablinum, [{ entity_type: 'schema', databuilder_id: schema, title: schema }])
      await importFile(tablinum, trees(schema))
    }
  }
  const database = connect(url.href, { poolSize: 1 })
  try {
    await sql`vacuum analyze`.execute(database.db)
    const { rows } = await sql<{ import: string; schema: string }>`
      select (select id from imports where created > 1 order by imported_at limit 1) as import, (select id from resources where databuilder_id = 'deleted') as schema
    `.execute(database.db)
    const { import: id, schema } = rows[0]!
    // Another process, whose peak is that of the undo.
    await using tablinum = await startBenchServer('src/server.ts', env)
    await sleep(2_000)
    const idle = measureMemory(tablinum.pid, 'VmRSS')
    const begun = await measureJob(tablinum, `/imports/${id}/undo`, 'POST', CANCEL_AT)
    const left = await countLeft(database.db)
    const continued = await measureJob(tablinum, `/imports/${id}/undo`, 'POST')
    const most = measureMemory(tablinum.pid, 'VmHWM')
    const after = await countLeft(database.db)
    const peer = await measureJob(tablinum, `/resource/all/${schema}`, 'DELETE')
    const row = (what: string, count: number, { seconds, node, postgres }: Measured, mb: number | string) => [
      what,
      count,
      seconds,
      count / seconds,
      (node * 1e6) / count,
      (postgres * 1e6) / count,
      mb,
    ]
    const undone = RESOURCES - left
    return table(
      `Undo of an import of ${TREES.toLocaleString('en')} trees of ${TREE_SIZE} resources; cancelled at ${CANCEL_AT} %, it ended ${Math.round(begun.stoppedMs)} ms later; ${after} resources left at the end; ${Math.round(idle)} MB before`,
      ['', 'resources', 'seconds', 'resources/s', 'Node µs each', 'Postgres µs each', 'MB RSS, most'],
      [
        row('undone until it was cancelled', undone, begun, ''),
        row('continued', left, continued, most),
        row('one tree of the same size, deleted', RESOURCES, peer, measureMemory(tablinum.pid, 'VmHWM')),
      ],
    )
  } finally {
    await database.close()
  }
}

const countLeft = async (db: ReturnType<typeof connect>['db']): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from resources where databuilder_id like 'undone.%'`.execute(db)
  return rows[0]!.n
}

interface Measured {
  readonly seconds: number
  readonly node: number
  readonly postgres: number
  /** From the cancellation to the end. */
  readonly stoppedMs: number
}

const measureJob = async (tablinum: BenchServer, path: string, method: string, cancelAt = 101): Promise<Measured> => {
  const [node, postgres, begin] = [measureCpu(tablinum.pid), measureDatabaseCpu(NAME), performance.now()]
  let job = (await request(tablinum, path, { method })) as {
    id: string
    progress: number
    status: string
    completed: string | null
    logs: string
  }
  let cancelledAt = 0
  while (!job.completed) {
    await sleep(50)
    job = (await request(tablinum, `/background_jobs/${job.id}`)) as typeof job
    if (job.progress < cancelAt || cancelledAt > 0) continue
    await request(tablinum, `/background_jobs/${job.id}/cancel`, { method: 'POST' })
    cancelledAt = performance.now()
  }
  if (cancelledAt === 0 && job.status !== 'COMPLETED') throw new Error(job.logs)
  const end = performance.now()
  return {
    seconds: (end - begin) / 1000,
    node: measureCpu(tablinum.pid) - node,
    postgres: measureDatabaseCpu(NAME) - postgres,
    stoppedMs: end - cancelledAt,
  }
}

function* trees(schema: string): Generator<object> {
  for (let i = 0; i < TREES; i += 1) {
    const id = `${schema}.${i}`
    yield {
      entity_type: 'table',
      databuilder_id: id,
      parent_databuilder_id: schema,
      title: `orders_${i}`,
      description: 'One row per order.',
    }
    for (let n = 1; n < TREE_SIZE; n += 1)
      yield { entity_type: 'column', databuilder_id: `${id}.${n}`, parent_databuilder_id: id, title: `amount_${n}`, native_type: 'numeric' }
  }
}

const importFile = async (tablinum: BenchServer, lines: Iterable<object>): Promise<void> => {
  const body = Readable.toWeb(
    Readable.from(
      (function* () {
        for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
      })(),
    ),
  ) as ReadableStream
  const headers = { 'content-type': 'application/x-ndjson' }
  await request(tablinum, `/integration/integrations/${INTEGRATION}/import_jsonl_metadata/`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
}

const request = async ({ port }: BenchServer, path: string, init: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, ...init.headers },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

if (import.meta.main) console.log(await benchImportUndo())
