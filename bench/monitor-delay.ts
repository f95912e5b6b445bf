import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { connect, type Db } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { newId } from '../src/id.ts'
import { JOB_TASK } from '../src/jobs/jobs.ts'
import { aDoorTo } from '../test/door.ts'
import { corpus } from './corpus.ts'
import { serve } from './server.ts'
import { TOKEN } from './stage.ts'
import { table } from './table.ts'

/** How long after its due time a monitor is measured: in an idle process, and in one with every slot for syncs and long jobs taken. */
const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000)
const MONITORED_TABLES = 30
const METRICS = ['row_count', 'freshness'] as const
const ROUNDS = SIZE < 100_000 ? 1 : 3 // minutes in each state
const SYNCED_TABLES = Math.max(50, Math.min(500, Math.round(SIZE / 1000)))
const IMPORTED_LINES = Math.max(2_000, Math.min(20_000, Math.round(SIZE / 50)))
const [CATALOG, MONITORED, SYNCED] = ['bench_delay', 'bench_delay_monitored', 'bench_delay_synced']
const SLOTS = readConfig({}, []).workers
const WAITING = 2 // tasks behind those that run, so that no slot becomes free
const MINUTE_MS = 60_000

export const benchMonitorDelay = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-bench-'))
  const server = await startEmbedded({ dataFolder: folder, settings: { shared_buffers: '512MB', max_connections: '150' } })
  try {
    return await measure(server.url)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const measure = async (serverUrl: string): Promise<string> => {
  const at = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const admin = connect(serverUrl, { poolSize: 1 })
  for (const name of [CATALOG, MONITORED, SYNCED]) await sql.raw(`create database ${name}`).execute(admin.db)
  await fillSource(at(MONITORED), MONITORED_TABLES, 1000)
  await fillSource(at(SYNCED), SYNCED_TABLES, 1)
  const door = await aDoorTo(serverUrl)
  const catalog = connect(at(CATALOG), { poolSize: 4 })
  const { db } = catalog
  const { username: user } = new URL(serverUrl)
  const env = {
    DATABASE_URL: at(CATALOG),
    TABLINUM_ADMIN_TOKEN: TOKEN,
    TABLINUM_SECRET_KEY: 'a key for benchmarks',
    TABLINUM_RATE_LIMIT: '0',
  }
  await using tablinum = await serve('src/server.ts', env)
  const call = caller(tablinum.port)
  const integration = async (name: string, database: string) => {
    const credentials = { host: '127.0.0.1', port: door.port, database, user }
    const { id } = await call('/integration/integrations', { name, type: 'postgres', credentials })
    return id
  }
  const monitored = await integration('monitored', MONITORED)
  await call(`/integration/integrations/${monitored}/sync`, {})
  await settled(db)
  await createMonitors(db, call)

  const rows: (string | number)[][] = []
  const idle = await delays(db)
  const synced: string[] = []
  for (let i = 0; i < 2 * SLOTS.syncs + WAITING; i += 1) synced.push(await integration(`synced ${i}`, SYNCED))
  const busy = new Busy(db, call, synced)
  const load = busy.run()
  await busy.full()
  const loaded = await delays(db, busy)
  busy.stop()
  await load
  for (const [what, { ms, slots }] of [
    ['nothing else to do', idle],
    [`${SLOTS.syncs} syncs and ${SLOTS.long} imports running, more waiting`, loaded],
  ] as const)
    rows.push([what, slots, quantile(ms, 0.5) / 1000, quantile(ms, 0.99) / 1000, quantile(ms, 1) / 1000])
  rows.push(['later than in the idle process', '', ...[0.5, 0.99, 1].map((q) => (quantile(loaded.ms, q) - quantile(idle.ms, q)) / 1000)])
  await door.close()
  await catalog.close()
  await admin.close()
  return table(
    `Seconds from the due time of a monitor to its measurement, ${MONITORED_TABLES * METRICS.length} monitors due in each of ${ROUNDS} minutes (goal: at most 2 later)`,
    ['', 'slots taken, fewest', 'p50', 'p99', 'longest'],
    rows,
  )
}

type Call = (path: string, body: object | string) => Promise<{ id: string }>

const caller =
  (port: number): Call =>
  async (path, body) => {
    const lines = typeof body === 'string'
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': lines ? 'application/x-ndjson' : 'application/json' },
      body: lines ? body : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }

/** Sources are tables of a few columns, one of them a time, as freshness needs it. */
const fillSource = async (url: string, tables: number, rows: number): Promise<void> => {
  const source = connect(url, { poolSize: 1, statementTimeoutMs: 0 })
  const columns = Array.from({ length: 15 }, (_, i) => `n + ${i} as c${i}`).join(', ')
  await sql
    .raw(
      `do $$ begin for i in 1..${tables} loop
        execute format('create table t%s as select n as id, ${columns}, now() as at from generate_series(1, ${rows}) n', i); end loop; end $$`,
    )
    .execute(source.db)
  await source.close()
}

const createMonitors = async (db: Db, call: Call): Promise<void> => {
  const tables = await db.selectFrom('resources').select('id').where('entity_type', '=', 'table').execute()
  if (tables.length !== MONITORED_TABLES) throw new Error(`${tables.length} tables were synced.`)
  for (const { id: target } of tables)
    for (const metric_type of METRICS)
      await call('/monitor/monitors', {
        target,
        metric_type,
        ...(metric_type === 'freshness' && { metric_config: { timestamp_column: 'at' } }),
      })
}

/** Nothing is queued or under way but the schedule. */
const settled = async (db: Db): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from background_jobs where status in ('PENDING', 'RUNNING')`.execute(db)
    if (rows[0]!.n === 0) return
    await sleep(100)
  }
}

/** Makes all monitors due at the next minutes, one after the other, and reads when each was measured. */
const delays = async (db: Db, busy?: Busy): Promise<{ ms: number[]; slots: string }> => {
  const ms: number[] = []
  let fewest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await sql<{ due: string; wait: number }>`
      with due as (select date_trunc('minute', clock_timestamp() + interval '15 seconds') + interval '1 minute' as at),
        moved as (update monitors set next_run_at = due.at from due)
      select at::text as due, extract(epoch from at - clock_timestamp())::float8 * 1000 as wait from due
    `.execute(db)
    const { due, wait } = rows[0]!
    await sleep(wait)
    const until = performance.now() + MINUTE_MS - 5_000
    for (;;) {
      fewest = Math.min(fewest, busy ? await busy.running() : 0)
      const { rows } = await sql<{ ms: number }>`
        select extract(epoch from measured_at - ${due}::timestamptz)::float8 * 1000 as ms from monitor_measurements
        where measured_at >= ${due}::timestamptz and origin = 'run'
      `.execute(db)
      if (rows.length === MONITORED_TABLES * METRICS.length) {
        ms.push(...rows.map((row) => row.ms))
        break
      }
      if (performance.now() > until) throw new Error(`Only ${rows.length} monitors were measured within a minute.`)
      await sleep(100)
    }
  }
  return { ms, slots: `${fewest} of ${SLOTS.syncs + SLOTS.long}` }
}

/** Keeps every slot for syncs and for long jobs taken: always more is queued than can run. */
class Busy {
  readonly #db: Db
  readonly #call: Call
  readonly #synced: readonly string[]
  readonly #importing = Array.from({ length: SLOTS.long }, () => newId())
  readonly #lines = linesOf(IMPORTED_LINES)
  #stopped = false

  constructor(db: Db, call: Call, synced: readonly string[]) {
    this.#db = db
    this.#call = call
    this.#synced = synced
  }

  stop(): void {
    this.#stopped = true
  }

  async run(): Promise<void> {
    const syncs = async () => {
      for (let i = 0; !this.#stopped; i += 1) {
        if ((await this.#tasks('syncs')).all < SLOTS.syncs + WAITING)
          await this.#call(`/integration/integrations/${this.#synced[i % this.#synced.length]}/sync`, {})
        else await sleep(50)
      }
    }
    const imports = async () => {
      for (let i = 0; !this.#stopped; i += 1) {
        const path = `/integration/integrations/${this.#importing[i % SLOTS.long]}/import_jsonl_metadata/?background=true`
        if ((await this.#tasks('long')).all < SLOTS.long + WAITING) await this.#call(path, this.#lines)
        else await sleep(50)
      }
    }
    await Promise.all([syncs(), imports()])
  }

  /** When all slots are taken. */
  async full(): Promise<void> {
    while ((await this.running()) < SLOTS.syncs + SLOTS.long) await sleep(100)
  }

  async running(): Promise<number> {
    return (await this.#tasks('syncs')).running + (await this.#tasks('long')).running
  }

  async #tasks(worker_class: 'syncs' | 'long'): Promise<{ all: number; running: number }> {
    const { rows } = await sql<{ all: number; running: number }>`
      select count(*) as all, count(j.locked_at) as running
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = ${JOB_TASK[worker_class]}
    `.execute(this.#db)
    return rows[0]!
  }
}

const linesOf = (lines: number): string =>
  [...corpus(lines)]
    .flat()
    .map(({ id, parent, integration: _, ...rest }) => `${JSON.stringify({ ...rest, databuilder_id: id, parent_databuilder_id: parent })}\n`)
    .join('')

const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!
}

if (import.meta.main) console.log(await benchMonitorDelay())
