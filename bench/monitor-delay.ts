import { once } from 'node:events'
import { type AddressInfo, createServer, connect as socketTo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../src/platform/config/config.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect, type Database, type Db } from '../src/platform/db/connect.ts'
import { JOB_TASK } from '../src/platform/jobs/jobs.ts'
import { createTcpProxy } from '../test/support/tcp-proxy.ts'
import { corpus } from './corpus.ts'
import { TOKEN } from './environment.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * The delay from the due time of a monitor until it is measured and its measurement is saved: in an idle process, and in one whose slots for
 * syncs and long jobs are all busy, with jobs that wait or with jobs that use the CPU.
 */
const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000)
const MONITORED_TABLES = 30
const METRICS = ['row_count', 'freshness'] as const
const ROUNDS = SIZE < 100_000 ? 1 : 2 // minutes in each state
const SYNCED_TABLES = 500
const IMPORTED_LINES = Math.max(2_000, Math.min(20_000, Math.round(SIZE / 50)))
const [CATALOG, MONITORED, SYNCED] = ['bench_delay', 'bench_delay_monitored', 'bench_delay_synced']
const SLOTS = readConfig({}, []).workers
const WAITING = 2 // queued tasks behind the running ones, so that no slot becomes free
const MINUTE_MS = 60_000
const SLOW_BYTES = 20_000 // per second, of a slow source

export const benchMonitorDelay = (): Promise<string> => withTemporaryPostgres(measure, { max_connections: '150' })

const measure = async (serverUrl: string): Promise<string> => {
  const at = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const admin = connect(serverUrl, { poolSize: 1 })
  for (const name of [CATALOG, MONITORED, SYNCED]) await sql.raw(`create database ${name}`).execute(admin.db)
  await fillSource(at(MONITORED), MONITORED_TABLES, 1000)
  await fillSource(at(SYNCED), SYNCED_TABLES, 1)
  const proxy = await createTcpProxy(serverUrl)
  const catalog = connect(at(CATALOG), { poolSize: 4 })
  const { db } = catalog
  const { username: user, password } = new URL(serverUrl)
  const env = {
    DATABASE_URL: at(CATALOG),
    TABLINUM_ADMIN_TOKEN: TOKEN,
    TABLINUM_SECRET_KEY: 'a key for benchmarks',
    TABLINUM_RATE_LIMIT: '0',
  }
  await using tablinum = await startBenchServer('src/server.ts', env)
  const call = createCaller(tablinum.port)
  const integration = async (name: string, database: string, port = proxy.port) => {
    const credentials = { host: '127.0.0.1', port, database, user, password }
    const { id } = await call('/integration/integrations', { name, type: 'postgres', credentials })
    return id
  }
  await call(`/integration/integrations/${await integration('monitored', MONITORED)}/sync`, {})
  await waitUntilIdle(db)
  await createMonitors(db, call)
  const synced: string[] = []
  const slow = await createSlowProxy(proxy.port)
  for (let i = 0; i < 2 * SLOTS.syncs + WAITING; i += 1) synced.push(await integration(`synced ${i}`, SYNCED, slow.port))
  const imported = Array.from({ length: SLOTS.long }, () => newId())
  for (const id of imported) await call(importInto(id), toImportLines(IMPORTED_LINES, 0))
  await waitUntilIdle(db)

  const idle = await measureDelays(db)
  const waiting = await withLockedRows(catalog, imported, async () => {
    await using busy = new SlotFiller(db, call, synced, imported)
    await busy.full()
    return measureDelays(db, busy)
  })
  slow.setRate(Number.POSITIVE_INFINITY)
  await waitUntilIdle(db)
  const oneSync = await withSyncs(call, synced[0]!, db, () => measureDelays(db))
  await waitUntilIdle(db)
  await using busy = new SlotFiller(db, call, synced, imported)
  await busy.full()
  const working = await measureDelays(db, busy)
  await busy[Symbol.asyncDispose]()
  slow.close()
  await proxy.close()
  await catalog.close()
  await admin.close()
  const later = ({ saved }: Delays) => (quantile(saved, 1) - quantile(idle.saved, 1)) / 1000
  const row = (what: string, { measured, saved, slots }: Delays) => [
    what,
    slots,
    ...[quantile(measured, 0.5), quantile(measured, 1), quantile(saved, 0.5), quantile(saved, 1)].map((ms) => ms / 1000),
  ]
  return table(
    `Seconds from the due time of a monitor, ${MONITORED_TABLES * METRICS.length} monitors due in each of ${ROUNDS} minutes (goal: the longest at most 2 s later than in an idle process)`,
    ['', 'slots taken, fewest', 'measured, p50', 'longest', 'saved, p50', 'longest', 'later than idle'],
    [
      [...row('nothing else to do', idle), ''],
      [...row(`${SLOTS.syncs} syncs of a slow source and ${SLOTS.long} imports that wait for a lock`, waiting), later(waiting)],
      [...row('one sync at full speed, repeated', oneSync), later(oneSync)],
      [...row(`${SLOTS.syncs} syncs and ${SLOTS.long} imports at full speed, more waiting`, working), later(working)],
    ],
  )
}

/** Syncs one integration again and again during the work. */
const withSyncs = async <T>(call: ApiCall, integration: string, db: Db, work: () => Promise<T>): Promise<T> => {
  let stopped = false
  const repeat = async () => {
    while (!stopped) {
      await call(`/integration/integrations/${integration}/sync`, {})
      await waitUntilIdle(db)
    }
  }
  const syncing = repeat()
  try {
    return await work()
  } finally {
    stopped = true
    await syncing
  }
}

const importInto = (integration: string): string => `/integration/integrations/${integration}/import_jsonl_metadata/?background=true`

/** Locks the rows of these integrations, so that imports into them wait. */
const withLockedRows = async <T>({ db }: Database, integrations: readonly string[], work: () => Promise<T>): Promise<T> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const held = db.transaction().execute(async (held) => {
    await sql`select from resources where integration = any(${integrations}::uuid[]) for update`.execute(held)
    lock()
    await released
  })
  await locked
  try {
    return await work()
  } finally {
    release()
    await held
  }
}

/** A proxy to a source with limited bandwidth in bytes per second. */
const createSlowProxy = async (port: number) => {
  let rate = SLOW_BYTES
  const server = createServer({ noDelay: true }, (near) => {
    const far = socketTo({ host: '127.0.0.1', port, noDelay: true })
    near.pipe(far)
    far.on('data', async (chunk) => {
      far.pause()
      await sleep(Math.min(2_000, (1000 * chunk.length) / rate))
      if (!near.destroyed) near.write(chunk)
      far.resume()
    })
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const setRate = (bytes: number) => {
    rate = bytes
  }
  return { port: (server.address() as AddressInfo).port, setRate, close: () => void server.close() }
}

type ApiCall = (path: string, body: object | string) => Promise<{ id: string }>

const createCaller =
  (port: number): ApiCall =>
  async (path, body) => {
    const lines = typeof body === 'string'
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': lines ? 'application/x-ndjson' : 'application/json' },
      body: lines ? body : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }

/** Source tables with a few columns, one of them a timestamp for freshness. */
const fillSource = async (url: string, tables: number, rows: number): Promise<void> => {
  const source = connect(url, { poolSize: 1, statementTimeoutMs: 0 })
  const columns = Array.from({ length: 15 }, (_, i) => `n + ${i} as c${i}`).join(', ')
  await sql
    .raw(
      `do $$ begin for i in 1..${tables} loop
        execute format('create table t%s as select n as id, ${columns}, now() as at from generate_series(1, ${rows}) n', i); end loop; end $$`,
    )
    .execute(source.db)
  await sql`analyze`.execute(source.db)
  await source.close()
}

const createMonitors = async (db: Db, call: ApiCall): Promise<void> => {
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

/** Waits until nothing but the schedule is queued or running. */
const waitUntilIdle = async (db: Db): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from background_jobs where status in ('PENDING', 'RUNNING')`.execute(db)
    if (rows[0]!.n === 0) return
    await sleep(100)
  }
}

interface Delays {
  /** Milliseconds from the due time to the measurement, and until it was readable. */
  readonly measured: readonly number[]
  readonly saved: readonly number[]
  readonly slots: string
}

/** Makes all monitors due in each of the next minutes and records when each was measured. */
const measureDelays = async (db: Db, busy?: SlotFiller): Promise<Delays> => {
  const [measured, saved]: number[][] = [[], []]
  let fewest = busy ? Number.POSITIVE_INFINITY : 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await sql<{ due: string; wait: number }>`
      with due as (select date_trunc('minute', clock_timestamp() + interval '15 seconds') + interval '1 minute' as at),
        moved as (update monitors set next_run_at = due.at from due)
      select at::text as due, extract(epoch from at - clock_timestamp())::float8 * 1000 as wait from due
    `.execute(db)
    const { due, wait } = rows[0]!
    await sleep(wait)
    const until = performance.now() + MINUTE_MS - 5_000
    const seen = new Set<string>()
    while (seen.size < MONITORED_TABLES * METRICS.length) {
      if (performance.now() > until) throw new Error(`Timed out: only ${seen.size} monitors were measured within a minute.`)
      await sleep(100)
      if (busy) fewest = Math.min(fewest, await busy.running())
      const { rows } = await sql<{ id: string; measured: number; saved: number }>`
        select id, extract(epoch from measured_at - ${due}::timestamptz)::float8 * 1000 as measured,
          extract(epoch from clock_timestamp() - ${due}::timestamptz)::float8 * 1000 as saved
        from monitor_measurements where measured_at >= ${due}::timestamptz and origin = 'run'
      `.execute(db)
      for (const row of rows.filter(({ id }) => !seen.has(id))) {
        seen.add(row.id)
        measured!.push(row.measured)
        saved!.push(row.saved)
      }
    }
  }
  return { measured: measured!, saved: saved!, slots: `${fewest} of ${SLOTS.syncs + SLOTS.long}` }
}

/** Keeps all slots for syncs and long jobs busy until it is disposed, by always queuing more than can run. */
class SlotFiller implements AsyncDisposable {
  readonly #db: Db
  readonly #call: ApiCall
  readonly #running: Promise<unknown>
  #stopped = false

  constructor(db: Db, call: ApiCall, synced: readonly string[], imported: readonly string[]) {
    this.#db = db
    this.#call = call
    const sync = (i: number) => `/integration/integrations/${synced[i % synced.length]}/sync`
    this.#running = Promise.all([
      this.#keepFull('syncs', (i) => this.#call(sync(i), {})),
      this.#keepFull('long', (i) => this.#call(importInto(imported[i % imported.length]!), toImportLines(IMPORTED_LINES, i + 1))),
    ])
  }

  /** Resolves when all slots are busy. */
  async full(): Promise<void> {
    while ((await this.running()) < SLOTS.syncs + SLOTS.long) await sleep(100)
  }

  async running(): Promise<number> {
    return (await this.#tasks('syncs')).running + (await this.#tasks('long')).running
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #keepFull(worker_class: 'syncs' | 'long', add: (i: number) => Promise<unknown>): Promise<void> {
    for (let i = 0; !this.#stopped; ) {
      if ((await this.#tasks(worker_class)).all < SLOTS[worker_class] + WAITING) await add(i++)
      else await sleep(100)
    }
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

/** An import file whose lines differ from those of other rounds. */
const toImportLines = (lines: number, round: number): string =>
  [...corpus(lines)]
    .flat()
    .map(({ id, parent, integration: _, ...rest }) => ({
      ...rest,
      description: `Round ${round}`,
      databuilder_id: id,
      parent_databuilder_id: parent,
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!
}

if (import.meta.main) console.log(await benchMonitorDelay())
