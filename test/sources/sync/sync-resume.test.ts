import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunChecker } from '../../../connector/src/protocol.ts'
import { HOUSEKEEPING, JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { findByKey, listUpstream } from '../../support/connectors.ts'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/**
 * What a sync that failed had read is not read again. The connector reports what a file contains up to the first error, and logs which items it had to read;
 * `unchanged` is for all that begin with a known version.
 */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => console.log(JSON.stringify(message))
for await (const line of createInterface({ input: process.stdin })) {
  const { command, settings = {}, versions = {} } = JSON.parse(line)
  if (command !== 'discover') { send({ type: 'done', detail: 'Found a file.' }); process.exit() }
  const read = []
  const unchanged = []
  for (const message of JSON.parse(readFileSync(settings.file, 'utf8'))) {
    const key = message.key ?? message.to
    if (key && unchanged.some((each) => key === each || key.startsWith(each + '.'))) continue
    if (message.version !== undefined && versions[key] === message.version) {
      unchanged.push(key)
      send({ type: 'unchanged', key, ...(settings.parents ? { parent: message.parent } : {}) })
      continue
    }
    if (message.type === 'error') send({ type: 'log', message: 'Read: ' + read.join(' ') })
    if (message.type === 'item') read.push(key)
    send(message)
    if (message.type === 'error') process.exit()
  }
  send({ type: 'log', message: 'Read: ' + read.join(' ') })
  send({ type: 'done', items: read.length })
  process.exit()
}
`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resume-'))
  await writeFile(join(folder, 'program.mjs'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true }))

const PATH = '/integration/integrations'
const group = { type: 'item', key: 'group', entity_type: 'dashboard_group', title: 'Sales' }
const dashboard = (key: string, version: string, more: object = {}) => ({
  ...{ type: 'item', key, parent: 'group', entity_type: 'dashboard', title: key, version, contiguous: true },
  ...more,
})
const chart = (dashboard: string, name: string, more: object = {}) => ({
  ...{ type: 'item', key: `${dashboard}.${name}`, parent: dashboard, entity_type: 'chart', title: name },
  ...more,
})
const flowing = (to: string, from: string) => ({ type: 'lineage', to, from: [{ item: from }] })
const BUSY = { type: 'error', message: 'GET /reports was answered with 429.' }

/** Two dashboards with charts and lineage. */
const A = [
  dashboard('a', '1', { usage: { count: 7, hours: 24 } }),
  chart('a', 'one'),
  chart('a', 'two'),
  flowing('a', 'a.one'),
  flowing('a.two', 'a.one'),
]
const B = [dashboard('b', '1'), chart('b', 'three'), flowing('b', 'b.three')]
const C = [dashboard('c', '1'), chart('c', 'four')]

const createSource = async (app: TestApp, more: object = {}) => {
  const file = join(folder, `${Math.random()}.json`)
  const toCredentials = (settings: object) => ({ connector: 'file', settings: JSON.stringify({ file, parents: true, ...settings }) })
  const id = await createTestIntegration(app, 'connector', { ...toCredentials({}), ...more })
  const withRead = async (sync: Awaited<ReturnType<typeof runSync>>) => {
    const { body: job } = await app.call('GET', `/background_jobs/${sync.id}`)
    const read = [...job.logs.matchAll(/Read: (.*)/g)].at(-1)?.[1] ?? ''
    return { ...sync, logs: job.logs as string, read: read.trim().split(' ') }
  }
  return {
    id,
    report: (...messages: readonly (object | readonly object[])[]) => writeFile(file, JSON.stringify(messages.flat())),
    change: (settings: object) => app.call('PATCH', `${PATH}/${id}`, { body: { credentials: toCredentials(settings) } }),
    /** The report of a sync, and the items that the connector had to read. */
    sync: async (body?: { full?: boolean; confirm_removals?: boolean }) => withRead(await runSync(app, id, body)),
    list: async () => {
      const { rows } = await sql<{ key: string }>`
        select r.databuilder_id as key from resources r where r.integration = ${id} and not r.stale order by 1
      `.execute(app.db)
      return rows.map(({ key }) => key)
    },
  }
}
const createApp = () => createTestApp({ connectorPrograms: new Map([['file', ['node', join(folder, 'program.mjs')]]]) })
const countWaiting = async (app: TestApp) => (await app.db.selectFrom('sync_checkpoints').select('key').execute()).length
const upstreamOf = async (app: TestApp, id: string, key: string) => listUpstream(app, (await findByKey(app, id, key)).id, 'table')

test('what a failed sync had read is not read again, and becomes the same as if it had been', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  await source.report(group, A, B, BUSY)
  const failed = await source.sync()
  expect([failed.error, failed.read]).toEqual([BUSY.message, ['group', 'a', 'a.one', 'a.two', 'b', 'b.three']])
  expect(await source.list()).toEqual([])
  // The last one may not be complete: more of it could have followed.
  await source.report(group, A, B, C)
  const taken = await source.sync()
  expect(taken).toMatchObject({
    read: ['group', 'b', 'b.three', 'c', 'c.four'],
    report: { new: { dashboard_group: 1, dashboard: 3, chart: 4 } },
  })
  expect(taken.logs).toContain('An earlier attempt has read 1 item. What is unchanged since is not read again.')
  expect([await upstreamOf(app, source.id, 'a'), await upstreamOf(app, source.id, 'a.two')]).toEqual([['one'], ['one']])
  expect(await findByKey(app, source.id, 'a')).toMatchObject({ external_usage: 7 })
  // From now on, all of them are unchanged in the catalog.
  expect(await countWaiting(app)).toBe(0)
  expect(await source.sync()).toMatchObject({ read: ['group'], report: { new: {}, stale: {} } })
  expect(await upstreamOf(app, source.id, 'a.two')).toEqual(['one'])
})

test('several attempts add up', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  await source.report(group, A, B, BUSY)
  await source.sync()
  await source.report(group, A, B, C, BUSY)
  expect((await source.sync()).read).toEqual(['group', 'b', 'b.three', 'c', 'c.four'])
  await source.report(group, A, B, C)
  expect((await source.sync()).read).toEqual(['group', 'c', 'c.four'])
  expect(await source.list()).toEqual(['a', 'a.one', 'a.two', 'b', 'b.three', 'c', 'c.four', 'group'])
})

test('what has changed since is read again, and what is gone stays away', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  const all = [group, A, B, C]
  await source.report(...all)
  await source.sync()
  await source.report(group, dashboard('a', '2'), chart('a', 'new'), dashboard('b', '2'), chart('b', 'three'), dashboard('c', '2'), BUSY)
  await source.sync()
  // Of a, nothing is as the failed sync had read it; b is gone.
  await source.report(group, dashboard('a', '3'), chart('a', 'newer'), dashboard('c', '2'), chart('c', 'four'))
  expect(await source.sync()).toMatchObject({
    read: ['group', 'a', 'a.newer', 'c', 'c.four'],
    report: { new: { chart: 1 }, stale: { dashboard: 1, chart: 3 } },
  })
  expect(await source.list()).toEqual(['a', 'a.newer', 'c', 'c.four', 'group'])
  // Also if it never was in the catalog.
  await source.report(
    group,
    dashboard('a', '3'),
    chart('a', 'newer'),
    dashboard('c', '2'),
    chart('c', 'four'),
    dashboard('d', '1'),
    dashboard('e', '1'),
    BUSY,
  )
  await source.sync()
  await source.report(group, dashboard('a', '3'), chart('a', 'newer'), dashboard('c', '2'), chart('c', 'four'))
  expect(await source.sync()).toMatchObject({ read: ['group'], report: { new: {}, stale: {} } })
  expect(await source.list()).toEqual(['a', 'a.newer', 'c', 'c.four', 'group'])
})

test('a change that another failed sync has read replaces the earlier one', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  await source.report(group, A, B, BUSY)
  await source.sync()
  const changed = [dashboard('a', '2'), chart('a', 'new')]
  await source.report(group, changed, B, BUSY)
  expect((await source.sync()).read).toEqual(['group', 'a', 'a.new', 'b', 'b.three'])
  await source.report(group, changed, B)
  expect((await source.sync()).read).toEqual(['group', 'b', 'b.three'])
  expect(await source.list()).toEqual(['a', 'a.new', 'b', 'b.three', 'group'])
})

test('everything is read again with other settings, after a day, on request, and if the sync was cancelled or undone', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  const fail = async () => {
    await source.report(group, A, B, BUSY)
    const { id } = await source.sync()
    await source.report(group, A, B)
    return id as string
  }
  const all = ['group', 'a', 'a.one', 'a.two', 'b', 'b.three']
  const finish = async (body?: { full: boolean }) => {
    const { read } = await source.sync(body)
    await app.db.deleteFrom('connector_versions').execute()
    return read
  }
  await fail()
  await source.change({ other: true })
  expect(await finish()).toEqual(all)
  await fail()
  await app.call('PATCH', `${PATH}/${source.id}`, { body: { credentials: { exclude: 'x' } } })
  expect(await finish()).toEqual(all)
  await fail()
  await sql`update sync_checkpoints set read_at = now() - interval '25 hours'`.execute(app.db)
  expect(await finish()).toEqual(all)
  await fail()
  expect(await finish({ full: true })).toEqual(all)
  for (const field of ['cancelled_at', 'undone_at'] as const) {
    const id = await fail()
    await app.db
      .updateTable('integration_syncs')
      .set({ [field]: new Date() })
      .where('id', '=', id)
      .execute()
    expect(await finish()).toEqual(all)
    // Also what it had taken over itself.
    await fail()
    await source.report(group, A, B, C, BUSY)
    const { id: next, read } = await source.sync()
    expect(read).toEqual(['group', 'b', 'b.three', 'c', 'c.four'])
    await app.db
      .updateTable('integration_syncs')
      .set({ [field]: new Date() })
      .where('id', '=', next)
      .execute()
    await source.report(group, A, B)
    expect(await finish()).toEqual(all)
  }
  await fail()
  expect(await finish()).toEqual(['group', 'b', 'b.three'])
})

test('the next attempt of a sync that reads everything reads the rest', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  await source.report(group, A, B)
  await source.sync()
  await source.report(group, A, B, BUSY)
  const { id, read } = await source.sync({ full: true })
  expect(read).toEqual(['group', 'a', 'a.one', 'a.two', 'b', 'b.three'])
  await source.report(group, A, B)
  const { rows } = await sql<{ payload: object }>`
    select payload -> 'payload' as payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${id}
  `.execute(app.db)
  await sql`update background_jobs set completed = null where id = ${id}`.execute(app.db)
  await runJob(app.ctx, JOB_HANDLERS, id, rows[0]!.payload, true)
  const { body: job } = await app.call('GET', `/background_jobs/${id}`)
  expect([...job.logs.matchAll(/Read: (.*)/g)].map(([, keys]) => keys)).toEqual(['group a a.one a.two b b.three', 'group b b.three'])
})

test('only what is known to be complete is taken over', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  // Lineage may follow at the end, unless an item is contiguous.
  const loose = (key: string) => dashboard(key, '1', { contiguous: undefined })
  const unlisted = { type: 'unlisted', key: 'b.three', reason: 'May not be seen.' }
  await source.report(group, loose('a'), chart('a', 'one'), dashboard('b', '1'), unlisted, dashboard('c', '1'), loose('d'), BUSY)
  await source.sync()
  await source.report(group, loose('a'), chart('a', 'one'), B, dashboard('c', '1'), loose('d'), flowing('a', 'a.one'))
  expect((await source.sync()).read).toEqual(['group', 'a', 'a.one', 'b', 'b.three', 'd'])
  expect(await upstreamOf(app, source.id, 'a')).toEqual(['one'])
  // After a type could not be listed, nothing is.
  await source.change({ other: true })
  await source.report(group, A, B, { type: 'unlisted', entity_type: 'chart', reason: 'May not be seen.' }, C, dashboard('d', '1'), BUSY)
  await source.sync()
  await source.report(group, A, B, C, dashboard('d', '1'))
  expect((await source.sync()).read).toEqual(['group', 'b', 'b.three', 'c', 'c.four', 'd'])
})

test('a connector that breaks the protocol has read nothing, nor has one whose items have lost their parents', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  await source.report(group, A, B, flowing('a', 'a.two'))
  expect((await source.sync()).error).toBe('Message 10 (lineage): a must come right after an item that is `contiguous`.')
  expect(await countWaiting(app)).toBe(0)
  await source.report(group, A, B, BUSY)
  await source.sync()
  await source.change({ parents: false })
  await source.report(group, A, B, BUSY)
  await source.sync()
  await source.report(A, dashboard('b', '1', { parent: undefined }))
  expect((await source.sync()).error).toBe('The connector reports a as unchanged, but not its parent group. Sync the integration again.')
  expect((await source.sync()).error).toMatch('`parent` group must be reported first')
})

test('a sync that has to be confirmed is not read twice', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  const charts = Array.from({ length: 30 }, (_, n) => chart('group', `c${n}`))
  await source.report(group, charts)
  await source.sync()
  await source.report(group, A, B)
  expect((await source.sync()).needs_confirmation).toMatchObject({ missing: 30 })
  const confirmed = await source.sync({ confirm_removals: true })
  expect([confirmed.error, confirmed.read]).toEqual([null, ['group']])
  expect(await source.list()).toEqual(['a', 'a.one', 'a.two', 'b', 'b.three', 'group'])
  expect(await upstreamOf(app, source.id, 'a')).toEqual(['one'])
})

test('what is not taken up again is deleted after two days', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  await source.report(group, A, B, BUSY)
  const { id } = await source.sync()
  await HOUSEKEEPING.sync_checkpoints!(app.ctx)
  expect(await countWaiting(app)).toBe(1)
  await sql`update sync_checkpoints set read_at = now() - interval '49 hours'`.execute(app.db)
  await HOUSEKEEPING.sync_checkpoints!(app.ctx)
  expect(await countWaiting(app)).toBe(0)
  await source.sync()
  await app.db.updateTable('integration_syncs').set({ cancelled_at: new Date() }).where('id', '!=', id).execute()
  await HOUSEKEEPING.sync_checkpoints!(app.ctx)
  expect(await countWaiting(app)).toBe(0)
})

test('messages about a contiguous item come right after it', () => {
  const item = (key: string, more: object = {}) => ({ type: 'item', key, entity_type: 'table', title: key, version: '1', ...more }) as const
  const check = (...messages: readonly object[]) => {
    const checker = new RunChecker({ versions: { 'a.b': '1' } })
    for (const [i, message] of messages.entries()) checker.check(message as never, i + 1)
  }
  const whole = item('a', { contiguous: true })
  check(whole, item('a.b'), { type: 'lineage', to: 'a', from: [] }, item('ab'), { type: 'lineage', to: 'ab', from: [] })
  check(item('b'), whole, { type: 'log', message: 'x' }, { type: 'lineage', to: 'a', from: [] }, { type: 'lineage', to: 'b', from: [] })
  const late = 'must come right after an item that is `contiguous`'
  for (const message of [
    item('a.c'),
    { type: 'unchanged', key: 'a.b' },
    { type: 'lineage', to: 'a', from: [] },
    { type: 'flow', job: 'a', from: [], to: [] },
    { type: 'unlisted', key: 'a.c', reason: '' },
  ])
    expect(() => check(whole, item('b'), message)).toThrow(late)
})

test('an attempt that was paused while another one took its place writes nothing any more', async () => {
  await using app = await createApp()
  await using other = await app.createInstance({ config: { connectorPrograms: app.ctx.runtime.connectorPrograms } })
  const source = await createSource(app)
  await source.report(group, A, B)
  await source.sync()
  await source.report(group, [dashboard('a', '2', { title: 'changed' })])
  const { body: job } = await app.call('POST', `${PATH}/${source.id}/sync`, { body: { confirm_removals: true } })
  const { rows } = await sql<{ payload: object }>`
    select (payload -> 'payload') as payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${job.id}
  `.execute(app.db)
  const [paused, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const monitorPriority = {
    giveWay: () => {
      paused.resolve()
      return resumed.promise
    },
  } as unknown as typeof app.ctx.runtime.monitorPriority
  const slow = { ...app.ctx, runtime: Object.assign(Object.create(app.ctx.runtime), { monitorPriority }) }
  const read = async () => {
    const { body } = await app.call('GET', `${PATH}/${source.id}/syncs`)
    const { status, error } = body.results[0]
    return { status, error, job: (await app.call('GET', `/background_jobs/${job.id}`)).body.status, list: await source.list() }
  }
  const first = runJob(slow, JOB_HANDLERS, job.id, rows[0]!.payload, true)
  await paused.promise
  // While this attempt holds the lock, no other one can start.
  await runJob(other.ctx, JOB_HANDLERS, job.id, rows[0]!.payload, false)
  expect(await read()).toMatchObject({ status: 'RUNNING', error: null })
  // What happens to its connections when the machine of a paused process is not reachable any more.
  await sql`select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.pid <> pg_backend_pid()
    and l.database = (select oid from pg_database where datname = current_database())`.execute(app.db)
  await source.report(group, A, B)
  await sql`update background_jobs set completed = null, status = 'PENDING', failed = false where id = ${job.id}`.execute(app.db)
  await runJob(other.ctx, JOB_HANDLERS, job.id, rows[0]!.payload, true)
  const after = await read()
  expect(after).toEqual({ status: 'COMPLETED', error: null, job: 'COMPLETED', list: ['a', 'a.one', 'a.two', 'b', 'b.three', 'group'] })
  resumed.resolve()
  await first.catch(() => {})
  expect(await read()).toEqual(after)
})
