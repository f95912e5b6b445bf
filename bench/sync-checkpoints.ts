import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect, type Db } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { CONNECTORS } from '../src/sources/connectors/registry/all.ts'
import { contextAsIntegration, contextAsSource, reconcile } from '../src/sources/sync/reconcile.ts'
import { measurePostgresCpu } from './cpu.ts'
import { SIZE } from './environment.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * What it costs that a sync records what a connector has read, and what the next one saves after an interruption. The source answers at once: one that is
 * read over a network takes longer, and the share of the recording is smaller.
 */
const CHARTS = Math.max(200, Math.min(20_000, Math.round(SIZE / 50)))
const ROUNDS = 4
const CATALOG = 'bench_sync_checkpoints'

/** Dashboards with two charts each, one of them with SQL. */
const PROGRAM = `
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
const lines = []
const send = (message) => { lines.push(JSON.stringify(message)); if (lines.length === 500) flush() }
const flush = () => { process.stdout.write(lines.splice(0).map((line) => line + '\\n').join('')) }
for await (const line of createInterface({ input: process.stdin })) {
  const { settings, versions = {} } = JSON.parse(line)
  send({ type: 'item', key: 'folder', entity_type: 'dashboard_group', title: 'Folder' })
  const stop = existsSync(settings.stop) ? settings.dashboards / 2 : undefined
  let read = 0
  for (let n = 0; n < settings.dashboards; n += 1) {
    const key = 'dashboard/' + n
    if (versions[key] === '1') { send({ type: 'unchanged', key, parent: 'folder' }); continue }
    if (n === stop) { flush(); await new Promise((done) => process.stdout.write('', done)); process.exit(1) }
    read += 1
    const about = { description: 'What was sold last month, by country and product. '.repeat(3), owners: ['ada@example.com'] }
    const one = key + '.one', two = key + '.two'
    send({ type: 'item', key, parent: 'folder', entity_type: 'dashboard', title: 'Dashboard ' + n, version: '1', contiguous: true, ...about })
    const query = { sql: 'select country, product, sum(price) as revenue from orders' + n % 100 + ' where at > now() - interval \\'1 month\\' group by 1, 2', dialect: 'postgres' }
    send({ type: 'item', key: one, parent: key, entity_type: 'chart', title: 'Revenue', query, facts: { kind: 'bar' }, ...about })
    send({ type: 'item', key: two, parent: key, entity_type: 'chart', title: 'Orders', facts: { kind: 'line' }, ...about })
    send({ type: 'lineage', to: two, from: [{ item: one }] })
    send({ type: 'lineage', to: key, from: [{ item: one }, { item: two }] })
  }
  send({ type: 'log', message: String(read) })
  send({ type: 'done' })
  flush()
  await new Promise((done) => process.stdout.write('', done))
  process.exit()
}
`

export const benchSyncCheckpoints = (): Promise<string> => withTemporaryPostgres(measure, { max_wal_size: '8GB' })

const measure = async (serverUrl: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-connector-'))
  const program = join(folder, 'program.mjs')
  await writeFile(program, PROGRAM)
  const url = Object.assign(new URL(serverUrl), { pathname: `/${CATALOG}` }).href
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`create database ${CATALOG}`).execute(admin.db)
  const { rows: found } = await sql<{ data_directory: string }>`show data_directory`.execute(admin.db)
  const catalog = connect(url, { statementTimeoutMs: 0 })
  await prepareDatabase(catalog.db)
  await migrateQueue(url)
  const runtime = createRuntime(url)
  const ctx: Context = { db: catalog.db, runtime, workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} }
  const connector = CONNECTORS.get('connector')!

  const stop = join(folder, 'stop')
  const sync = async (id: string, { records }: { records: boolean }): Promise<Measured> => {
    const settings = JSON.stringify({ dashboards: CHARTS / 2, stop })
    const source = { id, name: 'BI', credentials: { connector: 'bi', settings }, programs: new Map([['bi', ['node', program]]]) }
    const sync_id = newId()
    await sql`vacuum analyze`.execute(catalog.db) // so that each has the same plans
    let read = 0
    const context = {
      signal: AbortSignal.timeout(3_600_000),
      log: async (line: string) => {
        if (/^\d+$/.test(line)) read = Number(line)
      },
      // Outside of a sync, nothing is recorded.
      ctx: records ? contextAsIntegration(ctx, sync_id, id) : contextAsSource(ctx, id),
    }
    const [start, cpu, postgres] = [performance.now(), process.cpuUsage(), measurePostgresCpu(found[0]!.data_directory)]
    try {
      await reconcile(ctx, { id, sync_id, whole: true }, connector.discover(source, context), async () => {})
      await connector.finish!(source, context)
    } catch (error) {
      if (!existsSync(stop)) throw error
    }
    const { user, system } = process.cpuUsage(cpu)
    await connector.close!(source)
    return {
      read,
      seconds: (performance.now() - start) / 1000,
      server: (user + system) / 1e6,
      postgres: measurePostgresCpu(found[0]!.data_directory) - postgres,
    }
  }

  const measured = new Map<string, Measured[]>()
  const add = (what: string, round: number, result: Measured) => {
    if (round > 0) measured.set(what, [...(measured.get(what) ?? []), result]) // the first one warms up
    console.error(what, round, result)
  }
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const records of round % 2 ? [true, false] : [false, true])
      add(records ? 'first sync' : 'the same without recording', round, await sync(await createIntegration(catalog.db), { records }))
  for (let round = 1; round <= ROUNDS; round += 1) {
    const id = await createIntegration(catalog.db)
    await writeFile(stop, '')
    await sync(id, { records: true })
    await rm(stop)
    add('after an interruption in the middle', round, await sync(id, { records: true }))
  }
  await runtime[Symbol.asyncDispose]()
  await catalog.close()
  await admin.close()
  await rm(folder, { recursive: true })
  const average = (what: string, field: keyof Measured) => measured.get(what)!.reduce((sum, each) => sum + each[field], 0) / ROUNDS
  return table(
    `Sync of ${(CHARTS / 2).toLocaleString('en')} dashboards with ${CHARTS.toLocaleString('en')} charts by a connector, average of ${ROUNDS}`,
    ['', 'dashboards read', 'seconds', 'CPU seconds, server', 'CPU seconds, Postgres', 'CPU of both, without recording = 1'],
    [...measured.keys()].map((what) => {
      const total = (what: string) => average(what, 'server') + average(what, 'postgres')
      const fields = (['read', 'seconds', 'server', 'postgres'] as const).map((field) => average(what, field))
      return [what, ...fields, total(what) / total('the same without recording')]
    }),
  )
}

interface Measured {
  readonly read: number
  readonly seconds: number
  readonly server: number
  readonly postgres: number
}

const createIntegration = async (db: Db): Promise<string> => {
  const id = newId()
  await db
    .insertInto('integrations')
    .values({ id, name: 'BI', type: 'connector', created_at: new Date(), updated_at: new Date() })
    .execute()
  return id
}

if (import.meta.main) console.log(await benchSyncCheckpoints())
