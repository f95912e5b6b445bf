import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { metabase } from '../src/sources/connectors/metabase/metabase.ts'
import { CONNECTORS } from '../src/sources/connectors/registry/all.ts'
import { buildItemKey, type Item } from '../src/sources/sync/item.ts'
import { contextAsIntegration, reconcile } from '../src/sources/sync/reconcile.ts'
import { SIZE } from './environment.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * Discovers and syncs a generated Metabase with many questions. The server that generates it is another process, and so is the discovery, as in
 * the product: the memory of each is its own.
 */
const CHARTS = Math.max(50, Math.min(50_000, Math.round(SIZE / 20)))
const DASHBOARDS = CHARTS / 5
const COLLECTIONS = 10
const CATALOG = 'bench_connectors'

export const benchConnectors = (): Promise<string> => withTemporaryPostgres(measure, { max_wal_size: '8GB' })

const measure = async (serverUrl: string): Promise<string> => {
  const url = Object.assign(new URL(serverUrl), { pathname: `/${CATALOG}` }).href
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`create database ${CATALOG}`).execute(admin.db)
  const catalog = connect(url, { statementTimeoutMs: 0 })
  await prepareDatabase(catalog.db)
  await migrateQueue(url)
  const [id, warehouse] = [newId(), newId()]
  const times = { created_at: new Date(), updated_at: new Date() }
  await catalog.db
    .insertInto('integrations')
    .values({ id, name: 'Metabase', type: 'metabase', ...times })
    .execute()
  await catalog.db
    .insertInto('integrations')
    .values({ id: warehouse, name: 'Shop', type: 'postgres', ...times })
    .execute()
  const runtime = createRuntime(url)
  const ctx: Context = { db: catalog.db, runtime, workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} }
  await reconcile(ctx, { id: warehouse, sync_id: newId(), whole: true }, listWarehouse(), async () => {})
  const server = fork(new URL(import.meta.url), ['serve'])
  const [port] = (await once(server, 'message')) as [number]
  const settings = { url: `http://127.0.0.1:${port}`, api_key: 'key', personal_collections: false }
  const rows: (string | number)[][] = []
  rows.push(await discoverInProcess(settings))
  const connector = CONNECTORS.get('metabase')!
  for (const what of ['first sync, without discovery', 'second, unchanged']) {
    const source = { id, name: 'Metabase', credentials: settings, allow: ['127.0.0.1'] }
    const sync_id = newId()
    const context = { signal: AbortSignal.timeout(3_600_000), log: async () => {}, ctx: contextAsIntegration(ctx, sync_id, id) }
    const sync = async () => {
      await reconcile(ctx, { id, sync_id, whole: true }, connector.discover(source, context), async () => {})
      await connector.finish!(source, context)
      return measureLive() // with everything that a running sync holds on to
    }
    rows.push(await measureRow(what, sync))
  }
  await stop(server)
  await runtime[Symbol.asyncDispose]()
  await catalog.close()
  await admin.close()
  const [charts, dashboards] = [CHARTS, DASHBOARDS].map((n) => n.toLocaleString('en'))
  return table(
    `Sync of a Metabase with ${dashboards} dashboards and ${charts} questions`,
    ['', 'seconds', 'CPU seconds', 'MB RSS', 'MB of live objects'],
    rows,
  )
}

/** The tables that the questions read. */
async function* listWarehouse(): AsyncGenerator<Item, void> {
  yield { key: 'shop', entity_type: 'database', fields: { title: 'shop' } }
  yield { key: 'shop.public', parent: 'shop', entity_type: 'schema', fields: { title: 'public' } }
  for (let i = 0; i < 100; i += 1) {
    const key = buildItemKey('shop', 'public', `t${i}`)
    yield { key, parent: 'shop.public', entity_type: 'table', fields: { title: `t${i}` } }
    for (const title of ['a', 'b', 'c'])
      yield { key: buildItemKey('shop', 'public', `t${i}`, title), parent: key, entity_type: 'column', fields: { title } }
  }
}

type Settings = { url: string; api_key: string; personal_collections: boolean }

const discoverInProcess = async (settings: Settings): Promise<(string | number)[]> => {
  const child = fork(new URL(import.meta.url), ['discover', JSON.stringify(settings)])
  const [row] = await once(child, 'message')
  await stop(child)
  return row
}

const discoverAll = async (settings: Settings): Promise<number> => {
  const context = {
    settings,
    allowedHosts: ['127.0.0.1'],
    state: undefined,
    versions: new Map(),
    log: async () => {},
    progress: async () => {},
  }
  for await (const _ of metabase.discover(context));
  return measureLive()
}

/** The time of Node only; that of Postgres and of the generated source is not counted. */
const measureRow = async (what: string, work: () => Promise<number>): Promise<(string | number)[]> => {
  const [start, before] = [performance.now(), process.cpuUsage()]
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 200)
  const live = await work()
  clearInterval(watch)
  const { user, system } = process.cpuUsage(before)
  const row = [what, (performance.now() - start) / 1000, (user + system) / 1e6, Math.max(peak, process.memoryUsage.rss()) / 2 ** 20, live]
  console.error(row.join(' | ')) // minutes pass between them
  return row
}

/** What is left of the heap after a collection: its peak has as much garbage as there is room for. */
const measureLive = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const stop = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

/** Half of the questions are SQL, half are made in the editor. */
const respond = (path: string, params: URLSearchParams): unknown => {
  const [, kind, id = '', part] = /^\/api\/(\w+)\/?([^/]*)\/?(.*)$/.exec(path) ?? []
  const number = Number(id)
  const time = '2026-01-01T00:00:00Z'
  if (kind === 'collection' && part === 'items') return listItems(number, Number(params.get('offset')), Number(params.get('limit')))
  if (kind === 'collection') return Array.from({ length: COLLECTIONS }, (_, i) => ({ id: i + 1, name: `Collection ${i}`, location: '/' }))
  if (kind === 'dashboard') {
    const dashcards = Array.from({ length: 5 }, (_, i) => ({ card_id: number * 5 + i }))
    return { name: `Dashboard ${id}`, description: null, updated_at: time, creator_id: 1, dashcards }
  }
  if (kind === 'card') {
    const native = { native: { query: `select a, sum(b) as b from t${number % 100} where c > {{d}} group by a`, 'template-tags': {} } }
    const structured = {
      query: { 'source-table': number % 100, breakout: [['field', 1, null]], aggregation: [['sum', ['field', 2, null]]] },
    }
    const about = { description: 'A question.'.repeat(10), display: 'bar', database_id: 1, creator: { email: 'ada@example.com' } }
    const result_metadata = Array.from({ length: 10 }, (_, i) => ({ name: `c${i}`, display_name: `C ${i}`, base_type: 'type/Integer' }))
    return {
      id: number,
      name: `Question ${id}`,
      ...about,
      updated_at: time,
      result_metadata,
      dataset_query: number % 2 ? native : structured,
    }
  }
  if (kind === 'database') return { name: 'Shop', engine: 'postgres', details: { dbname: 'shop' } }
  if (kind === 'table') return { name: `t${id}`, schema: 'public', db_id: 1, fields: ['a', 'b'].map((name, i) => ({ id: i + 1, name })) }
  return { email: 'ada@example.com' }
}

const listItems = (collection: number, offset: number, limit: number) => {
  const [charts, dashboards] = [CHARTS / COLLECTIONS, DASHBOARDS / COLLECTIONS]
  const all = charts + dashboards
  const data = Array.from({ length: Math.max(0, Math.min(limit, all - offset)) }, (_, i) => {
    const at = offset + i
    return at < charts
      ? { model: 'card', id: (collection - 1) * charts + at }
      : { model: 'dashboard', id: (collection - 1) * dashboards + at - charts }
  })
  return { total: all, data }
}

const serve = (): void => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://metabase')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(respond(pathname, searchParams)))
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

if (process.argv[2] === 'serve') serve()
else if (process.argv[2] === 'discover') process.send!(await measureRow('discovery alone', () => discoverAll(JSON.parse(process.argv[3]!))))
else if (import.meta.main) console.log(await benchConnectors())
