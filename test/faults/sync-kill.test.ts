import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Cassette, type Fault, type ReplayServer, startReplay } from '../../connector/src/replay.ts'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { eventually } from '../support/eventually.ts'
import { createPostgresSource, createTestIntegration, type PostgresSource, runSync } from '../support/sources.ts'
import { createTcpProxyTo } from '../support/tcp-proxy.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { startServerProcess, type TestServer } from './server.ts'

/** The server and its connector are killed while they read a Metabase; the next attempt goes on where they were. */
const CARDS = 60
const BUSY_CARD = 41
const DASHBOARDS = 6
const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = ['node', join(ROOT, 'src/sources/connectors/metabase/metabase-process.ts')]
const KEY = 'mb_correct_horse'

interface Changes {
  /** Edited since the first attempt. */
  readonly edited?: number
  readonly deleted?: number
}

/** Every second question is SQL, the others are made in the editor. */
const createCassette = (database: string, { edited, deleted }: Changes = {}): Cassette => {
  const time = '2026-01-01T00:00:00Z'
  const about = { description: 'A question.', creator: { email: 'ada@example.com' }, created_at: time, view_count: 12 }
  const cards = Array.from({ length: CARDS }, (_, id) => ({
    ...{ id, name: `Question ${id}${id === edited ? ' (new)' : ''}`, display: 'bar', database_id: 1, updated_at: time, ...about },
    dataset_query:
      id % 2
        ? { native: { query: `select ${id === edited ? 'price' : 'id'} from orders where id > ${id}`, 'template-tags': {} } }
        : { query: { 'source-table': 1, breakout: [['field', 1, null]] } },
  })).filter(({ id }) => id !== deleted)
  const dashboards = Array.from({ length: DASHBOARDS }, (_, id) => ({
    ...{ id, name: `Dashboard ${id}`, updated_at: time, ...about },
    dashcards: [{ card_id: id }, { card_id: id + 1 }],
  }))
  const list = (model: string, all: readonly { id: number; name: string; description: string }[]) =>
    all.map(({ id, name, description }) => ({
      ...{ model, id, name, description },
      'last-edit-info': { timestamp: id === edited && model === 'card' ? '2026-02-02T00:00:00Z' : time },
    }))
  const data = [...list('card', cards), ...list('dashboard', dashboards)]
  return {
    auth: { header: 'x-api-key', value: KEY },
    recordings: [
      { path: '/api/collection/', body: [{ id: 1, name: 'Sales', location: '/' }] },
      { path: '/api/collection/1/items', body: { total: data.length, data } },
      ...cards.map((card) => ({ path: `/api/card/${card.id}`, body: card })),
      ...dashboards.map((dashboard) => ({ path: `/api/dashboard/${dashboard.id}`, body: dashboard })),
      { path: '/api/database/1', body: { name: 'Shop', engine: 'postgres', details: { dbname: database } } },
      { path: '/api/table/1/query_metadata', body: { name: 'orders', schema: 'public', db_id: 1, fields: [{ id: 1, name: 'id' }] } },
    ],
  }
}

const createApp = () => createTestApp({ sourceAllow: ['127.0.0.1'], connectorPrograms: new Map([['metabase', PROGRAM]]) })

/** A Metabase whose address stays the same when something else answers. */
const startSource = async () => {
  const target = { host: '127.0.0.1', port: 0 }
  const proxy = await createTcpProxyTo(target)
  let replay: ReplayServer | undefined
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    answer: async (cassette: Cassette, faults: readonly Fault[] = []) => {
      await replay?.[Symbol.asyncDispose]()
      replay = await startReplay(cassette, faults)
      target.port = Number(new URL(replay.url).port)
      return replay
    },
    [Symbol.asyncDispose]: async () => {
      await proxy.close()
      await replay?.[Symbol.asyncDispose]()
    },
  }
}

const connectSources = async (app: TestApp, warehouse: PostgresSource, url: string): Promise<string> => {
  await runSync(app, await createTestIntegration(app, 'postgres', warehouse.credentials))
  return createTestIntegration(app, 'connector', { connector: 'metabase', settings: JSON.stringify({ url, api_key: KEY }) })
}

const listCards = ({ requests }: ReplayServer): number[] =>
  requests.flatMap((each) => Number(/^GET \/api\/card\/(\d+)/.exec(each)?.[1] ?? Number.NaN)).filter(Number.isFinite)
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** Killed with its connector, as with its machine, when everything that a busy source has answered is recorded. */
const killWhileReading = async (app: TestApp, id: string): Promise<string> => {
  const { body: job } = await app.call('POST', `/integration/integrations/${id}/sync`)
  await using server = await startServerProcess([process.execPath, join(ROOT, 'src/server.ts')], {
    DATABASE_URL: app.url,
    TABLINUM_CONNECTORS: JSON.stringify({ metabase: PROGRAM }),
    TABLINUM_SOURCE_ALLOW: '127.0.0.1',
  })
  await eventually(async () => expect(await app.db.selectFrom('sync_checkpoints').select('key').execute()).toHaveLength(BUSY_CARD - 1), 200)
  const connectors = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
  await kill(server)
  for (const pid of connectors) process.kill(-Number(pid), 'SIGKILL')
  await waitUntilUnlocked(app)
  return job.id
}

const kill = async (server: TestServer): Promise<void> => {
  server.signal('SIGKILL')
  await server.ended
}

/** Until Postgres has noticed that the server is dead. */
const waitUntilUnlocked = (app: TestApp) =>
  eventually(async () => {
    const { rows } = await sql`select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(app.db)
    expect(rows).toEqual([])
  })

/** As another worker does, which finds that the first one is dead. */
const takeUp = async (app: TestApp, job_id: string): Promise<void> => {
  const { rows } = await sql<{ payload: object }>`
    select payload -> 'payload' as payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${job_id}
  `.execute(app.db)
  await runJob(app.ctx, JOB_HANDLERS, job_id, rows[0]!.payload, true)
}

/** Everything that a sync writes, without IDs and times. */
const dump = async (app: TestApp, integration: string) => {
  const [resources, edges, origins, versions, uses, activities] = await Promise.all([
    sql`select to_jsonb(r) - '{id,created_at,updated_at,parent,integration}'::text[] as values, p.databuilder_id as parent
      from resources r left join resources p on p.id = r.parent where r.integration = ${integration} order by r.databuilder_id`.execute(
      app.db,
    ),
    sql`select u.title_full as upstream, d.title_full as downstream, e.kind, e.statement, e.span_start, e.span_end, e.mirror_id is null as is_mirror
      from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream order by 1, 2, 3, 4, 5, 6, 7`.execute(
      app.db,
    ),
    sql`select key, stable_id, fingerprint, lineage, gone_at, reported_values - 'parent' as reported_values
      from resource_origins where integration = ${integration} order by key`.execute(app.db),
    sql`select versions from connector_versions where integration = ${integration}`.execute(app.db),
    sql`select o.key, u.calls, u.since, u.hours from query_uses u join resource_origins o on o.resource_id = u.query_id
      where u.integration = ${integration} order by 1`.execute(app.db),
    sql`select activity_type, count(*) from activities a join resources r on r.id = a.resource_id
      where r.integration = ${integration} group by 1 order by 1`.execute(app.db),
  ])
  return [resources, edges, origins, versions, uses, activities].map(({ rows }) => rows)
}

test('a sync that was killed while it read goes on where it was, with the same result as one that was not', async () => {
  await using warehouse = await createPostgresSource('create table orders (id int, price int)')
  await using source = await startSource()
  const busy: Fault = { path: `/api/card/${BUSY_CARD}`, status: 429, headers: { 'retry-after': '50' }, times: 1 }
  // A question is edited meanwhile, and one deleted: both had been read.
  for (const changes of [{}, { edited: 7, deleted: 9 }]) {
    await using app = await createApp()
    await source.answer(createCassette(warehouse.name), [busy])
    const id = await connectSources(app, warehouse, source.url)
    const job = await killWhileReading(app, id)
    const after = await source.answer(createCassette(warehouse.name, changes))
    await takeUp(app, job)
    expect(after.problems).toEqual([])
    const expected = [...(changes.edited === undefined ? [] : [changes.edited]), ...range(BUSY_CARD - 1, CARDS)]
    expect(listCards(after).sort((a, b) => a - b)).toEqual(expected)

    await using other = await createApp()
    const uninterrupted = await source.answer(createCassette(warehouse.name, changes))
    const otherId = await connectSources(other, warehouse, source.url)
    expect((await runSync(other, otherId)).error).toBe(null)
    expect(listCards(uninterrupted)).toHaveLength(changes.deleted === undefined ? CARDS : CARDS - 1)
    const [resources, edges, ...more] = await dump(app, id)
    expect([resources!.length, edges!.length > CARDS]).toEqual([CARDS + DASHBOARDS + 1 - (changes.deleted === undefined ? 0 : 1), true])
    expect([resources, edges, ...more]).toEqual(await dump(other, otherId))
    expect(await app.db.selectFrom('sync_checkpoints').select('key').execute()).toEqual([])
    // Now everything is known: only the lists are read.
    const last = await source.answer(createCassette(warehouse.name, changes))
    expect((await runSync(app, id)).error).toBe(null)
    expect(listCards(last)).toEqual([])
  }
})

const [TABLES, COLUMNS] = [280, 9]
const HELD = 4711

const createWarehouse = () => {
  const columns = Array.from({ length: COLUMNS }, (_, i) => `c${i} int`).join(', ')
  const tables = `do $$ begin for i in 100..${99 + TABLES} loop execute format('create table t%s (${columns})', i); end loop; end $$`
  return createPostgresSource(tables, 'create view totals as select sum(c1) as total from t200')
}

/** Killed when it writes the last column; the batch is not committed. Returns its job and the keys that were written. */
const killWhileWriting = async (app: TestApp, id: string, database: string): Promise<{ job: string; written: Set<string> }> => {
  const last = `${database}.public.t${99 + TABLES}.c${COLUMNS - 1}`
  await sql
    .raw(
      `create function hold() returns trigger language plpgsql as $$ begin
        if new.key = '${last}' then perform pg_advisory_xact_lock(${HELD}); end if; return new; end $$;
      create trigger hold before insert on resource_origins for each row execute function hold()`,
    )
    .execute(app.db)
  const holder = connect(app.url, { poolSize: 1 })
  await sql`select pg_advisory_lock(${sql.lit(HELD)})`.execute(holder.db)
  const { body: job } = await app.call('POST', `/integration/integrations/${id}/sync`)
  await using server = await startServerProcess([process.execPath, join(ROOT, 'src/server.ts')], {
    DATABASE_URL: app.url,
    TABLINUM_SECRET_KEY: 'a key for tests',
    TABLINUM_SOURCE_ALLOW: '127.0.0.1',
  })
  const isWaiting = sql`datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
  await eventually(
    async () => expect((await sql`select from pg_stat_activity where ${isWaiting}`.execute(app.db)).rows).toHaveLength(1),
    200,
  )
  await kill(server)
  // Its statements, with the commit, may have been sent already.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${isWaiting}`.execute(app.db)
  await holder.close()
  await waitUntilUnlocked(app)
  await sql.raw('drop trigger hold on resource_origins; drop function hold()').execute(app.db)
  const { rows } = await sql<{ key: string }>`select key from resource_origins where integration = ${id}`.execute(app.db)
  return { job: job.id, written: new Set(rows.map(({ key }) => key)) }
}

const readReport = async (app: TestApp, id: string) =>
  (await app.call('GET', `/integration/integrations/${id}/syncs`)).body.results[0].report

test('a sync that was killed while it wrote lists a database again and writes only the rest', async () => {
  await using warehouse = await createWarehouse()
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const id = await createTestIntegration(app, 'postgres', warehouse.credentials)
  const { job, written } = await killWhileWriting(app, id, warehouse.name)
  const all = TABLES * (1 + COLUMNS) + 4 // with a database, a schema, a view and its column
  expect(written.size).toBeGreaterThan(all / 3)
  expect(written.size).toBeLessThan(all)
  await takeUp(app, job)
  // The report is that of both attempts.
  const report = await readReport(app, id)
  expect(report).toMatchObject({
    new: { column: TABLES * COLUMNS + 1, table: TABLES + 1 },
    unchanged: {},
    changed: {},
    stale: {},
    schema_changes: [],
  })
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from activities where resource_id in (select id from resources where integration = ${id}) and version is not null
  `.execute(app.db)
  expect(rows[0]!.n).toBe(all)

  await using other = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const otherId = await createTestIntegration(other, 'postgres', warehouse.credentials)
  expect((await runSync(other, otherId)).error).toBe(null)
  expect(await dump(app, id)).toEqual(await dump(other, otherId))
  expect(report).toEqual(await readReport(other, otherId))
})

test('what changes between two attempts of a sync is as the source has it', async () => {
  await using warehouse = await createWarehouse()
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const id = await createTestIntegration(app, 'postgres', warehouse.credentials)
  const { job, written } = await killWhileWriting(app, id, warehouse.name)
  const key = (...names: string[]) => [warehouse.name, 'public', ...names].join('.')
  for (const each of [key('t100', 'c1'), key('t101', 'c1'), key('t102', 'c1'), key('t379')])
    expect([each, written.has(each)]).toEqual([each, true])
  await warehouse.run(
    'alter table t100 alter c1 type bigint',
    'drop table t101',
    'alter table t102 drop c1',
    'drop table t379',
    'create table new (id int)',
  )
  await takeUp(app, job)
  const { rows } = await sql<{ key: string; native_type: string; stale: boolean }>`
    select databuilder_id as key, native_type, stale from resources where integration = ${id}
  `.execute(app.db)
  const found = new Map(rows.map(({ key, ...row }) => [key, row]))
  expect(found.get(key('t100', 'c1'))).toEqual({ native_type: 'bigint', stale: false })
  const gone = [key('t101'), ...Array.from({ length: COLUMNS }, (_, i) => key('t101', `c${i}`)), key('t102', 'c1'), key('t379')]
  expect(rows.flatMap(({ key, stale }) => (stale ? key : [])).sort()).toEqual(gone.sort())
  expect(found.get(key('new', 'id'))).toEqual({ native_type: 'integer', stale: false })
  expect(found.has(key('t379', 'c0'))).toBe(false)
})
