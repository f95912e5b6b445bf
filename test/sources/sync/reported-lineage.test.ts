import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUSEKEEPING, JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { connect } from '../../../src/platform/db/connect.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { eventually } from '../../support/eventually.ts'
import { createTestIntegration, findByFullTitle, findLineageSources, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** Reports the messages of its settings; `many` is for lineage that does not wait in memory only. */
const PROGRAM = `
import { createInterface } from 'node:readline'
const send = (message) => console.log(JSON.stringify(message))
for await (const line of createInterface({ input: process.stdin })) {
  const { command, settings } = JSON.parse(line)
  if (command === 'test') send({ type: 'done', detail: 'Connected.' })
  if (command === 'discover') {
    for (const message of settings.messages) send(message)
    for (let n = 0; n < (settings.charts ?? 0); n += 1) {
      send({ type: 'item', key: 'c' + n, parent: 'group', entity_type: 'chart', title: 'c' + n })
      send({ type: 'lineage', to: 'c' + n, from: [{ item: 'a' }] })
    }
    for (let n = 0; n < (settings.many ?? 0); n += 1) send({ type: 'lineage', to: settings.messages.at(-1).key, from: [{ table: ['t' + n] }] })
    if (settings.fail) send({ type: 'error', message: 'The token has expired.' })
    else send({ type: 'done' })
  }
  await new Promise((resolve) => process.stdout.write('', resolve))
  process.exit()
}
`
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connector-'))
  await writeFile(join(folder, 'program.mjs'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true }))

const PATH = '/integration/integrations'
const createApp = () => createTestApp({ connectorPrograms: new Map([['reports', ['node', join(folder, 'program.mjs')]]]) })
const group = { type: 'item', key: 'group', entity_type: 'dashboard_group', title: 'Sales' }
const chart = (key: string, more: object = {}) => ({ type: 'item', key, parent: 'group', entity_type: 'chart', title: key, ...more })
const lineage = (to: string, ...from: string[]) => ({ type: 'lineage', to, from: from.map((item) => ({ item })) })
const CHARTS = [group, ...['a', 'b', 'c', 'd'].map((key) => chart(key))]

const toCredentials = (settings: object) => ({ connector: 'reports', settings: JSON.stringify(settings) })
const connectProgram = (app: TestApp, settings: object) => createTestIntegration(app, 'connector', toCredentials(settings))
const changeSettings = (app: TestApp, id: string, settings: object) =>
  app.call('PATCH', `${PATH}/${id}`, { body: { credentials: toCredentials(settings) } })
const sourcesOf = async (app: TestApp, key: string) => findLineageSources(app, (await findByFullTitle(app, `Sales.${key}`)).id)
const countWaiting = async (app: TestApp): Promise<number> => (await app.db.selectFrom('reported_lineage').select('key').execute()).length

/** Syncs wait when they save flows, until the callback ends. */
const holdFlows = async (app: TestApp, work: () => Promise<void>): Promise<void> => {
  const holder = connect(app.url, { poolSize: 1 })
  try {
    await holder.db.transaction().execute(async (db) => {
      await sql`lock table openlineage_flows in exclusive mode`.execute(db)
      await work()
    })
  } finally {
    await holder.close()
  }
}

const untilWaiting = (app: TestApp, count: number) =>
  eventually(async () => {
    const { rows } = await sql<{ pid: number }>`
      select distinct l.pid from pg_locks l where l.relation = 'openlineage_flows'::regclass and not l.granted
    `.execute(app.db)
    expect(rows).toHaveLength(count)
  })

/** Until another worker waits for the transaction of the one that writes. */
const untilTakingOver = (app: TestApp) =>
  eventually(async () => {
    const { rows } = await sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from integration_syncs%for update%'
    `.execute(app.db)
    expect(rows).toHaveLength(1)
  })

/** As another worker does to which the job was given. */
const runJobAgain = async (app: TestApp, ctx = app.ctx): Promise<unknown> => {
  const { rows } = await sql<{ id: string; payload: object }>`
    select payload ->> 'job_id' as id, payload -> 'payload' as payload from graphile_worker._private_jobs
    where payload -> 'payload' ->> 'sync_id' is not null order by 1 desc limit 1
  `.execute(app.db)
  return runJob(ctx, JOB_HANDLERS, rows[0]!.id, rows[0]!.payload, true).catch((error) => error)
}

test('a run whose job was given to another worker deletes neither lineage nor what the other one has reported', async () => {
  await using app = await createApp()
  const id = await connectProgram(app, { messages: [...CHARTS, lineage('b', 'a'), lineage('c', 'a'), lineage('d', 'a')] })
  let first: ReturnType<typeof runSync> | undefined
  let second: Promise<unknown> | undefined
  await holdFlows(app, async () => {
    first = runSync(app, id)
    await untilWaiting(app, 1)
    second = runJobAgain(app)
    await untilTakingOver(app)
  })
  expect((await first)!.failed).toBeUndefined() // it says nothing about a sync that is no longer its own
  expect(await second).toBeUndefined()
  for (const key of ['b', 'c', 'd']) expect(await sourcesOf(app, key)).toEqual(['a', key])
  const { body } = await app.call('GET', `${PATH}/${id}/syncs`)
  expect(body.results).toMatchObject([{ status: 'COMPLETED', error: null }])
  expect(await countWaiting(app)).toBe(0)
})

test('if reported lineage is lost before it is saved, the sync fails and keeps all lineage', async () => {
  await using app = await createApp()
  const id = await connectProgram(app, { messages: [...CHARTS, lineage('b', 'a'), lineage('c', 'a')] })
  expect((await runSync(app, id)).error).toBe(null)
  await changeSettings(app, id, { messages: [...CHARTS, lineage('b', 'd'), lineage('c', 'a')] })
  await sql`
    create function lose() returns trigger language plpgsql as $$ begin delete from reported_lineage; return null; end $$
  `.execute(app.db)
  await sql`create trigger lost after insert or update or delete on openlineage_flows for each statement execute function lose()`.execute(
    app.db,
  )
  const lost = await runSync(app, id)
  expect(await sourcesOf(app, 'c')).toEqual(['a', 'c'])
  expect(lost.error).toMatch('is no longer in the database')
  // Also without any lineage: nothing is left of the run.
  await sql`drop trigger lost on openlineage_flows`.execute(app.db)
  await sql`create trigger lost after update on resource_origins for each statement execute function lose()`.execute(app.db)
  await changeSettings(app, id, { messages: [group, ...['a', 'b', 'c', 'd'].map((key) => chart(key, { description: 'New.' }))] })
  expect((await runSync(app, id)).error).toMatch('is no longer in the database')
  expect(await sourcesOf(app, 'c')).toEqual(['a', 'c'])
  await sql`drop trigger lost on resource_origins`.execute(app.db)
  expect((await runSync(app, id)).error).toBe(null)
  expect(await sourcesOf(app, 'c')).toEqual(['c'])
})

test('a sync that saves lineage can be cancelled', async () => {
  await using app = await createApp()
  const id = await connectProgram(app, { messages: CHARTS, charts: 250 }) // more than a batch
  let running: Promise<unknown> | undefined
  await holdFlows(app, async () => {
    running = runSync(app, id)
    await untilWaiting(app, 1)
    const { body } = await app.call('GET', `${PATH}/${id}/syncs`)
    expect((await app.call('POST', `${PATH}/${id}/sync/${body.results[0].id}/cancel`)).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 2_500)) // it looks every 2 seconds
  })
  expect(await running).toMatchObject({ error: 'The sync was cancelled. What it had already written stays; undo it to go back.' })
  expect(await sourcesOf(app, 'c99')).toEqual(['c99'])
})

test('nothing waits after a sync that failed or has to be confirmed, or whose process crashed', async () => {
  await using app = await createApp()
  const charts = Array.from({ length: 60 }, (_, n) => chart(`c${n}`))
  const id = await connectProgram(app, { messages: [group, ...charts], many: 2_500, fail: true })
  expect((await runSync(app, id)).error).toBe('The token has expired.')
  expect(await countWaiting(app)).toBe(0)
  await changeSettings(app, id, { messages: [group, ...charts] })
  expect((await runSync(app, id)).error).toBe(null)
  await changeSettings(app, id, { messages: [group, chart('c0')], many: 2_500 })
  expect((await runSync(app, id)).needs_confirmation).toMatchObject({ missing: 59 })
  expect(await countWaiting(app)).toBe(0)

  await sql`insert into reported_lineage (run, integration, key, number, kind) values (${newId()}, ${id}, '', 0, 'started')`.execute(app.db)
  // While a sync is running they may be its own.
  await sql`
    update background_jobs set completed = null, updated_at = now() where id = (select max(id::text)::uuid from integration_syncs)
  `.execute(app.db)
  await sql`update integration_syncs set status = 'RUNNING' where id = (select max(id::text)::uuid from integration_syncs)`.execute(app.db)
  await HOUSEKEEPING.reported_lineage!(app.ctx)
  expect(await countWaiting(app)).toBe(1)
  await sql`update background_jobs set updated_at = now() - interval '2 hours' where completed is null`.execute(app.db)
  await HOUSEKEEPING.reported_lineage!(app.ctx)
  expect(await countWaiting(app)).toBe(0)
})

test('a sync works with two connections: none is held while usage is written', async () => {
  await using app = await createApp()
  const id = await connectProgram(app, {
    messages: [group, chart('a', { usage: { count: 7, hours: 24 } }), chart('b', { usage: { count: 9, hours: 24 } }), lineage('b', 'a')],
  })
  await app.call('POST', `${PATH}/${id}/sync`)
  const two = connect(app.url, { poolSize: 2 })
  try {
    expect(await runJobAgain(app, { ...app.ctx, db: two.db })).toBeUndefined()
  } finally {
    await two.close()
  }
  expect(await findByFullTitle(app, 'Sales.a')).toMatchObject({ external_usage: 7 })
})
