import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConnector } from '../../../connector/src/check.ts'
import { RunChecker } from '../../../connector/src/protocol.ts'
import { findByKey, listUpstream } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** A connector that reports what a file contains, and logs which items it had to read. */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => console.log(JSON.stringify(message))
const properties = { file: { type: 'string', title: 'File' } }
for await (const line of createInterface({ input: process.stdin })) {
  const { protocol, command, settings = {}, versions = {} } = JSON.parse(line)
  if (protocol !== 1 || !['describe', 'test', 'discover'].includes(command)) send({ type: 'error', message: 'Unknown.' })
  if (command === 'describe') send({ type: 'describe', protocol: 1, name: 'x', label: 'X', version: '1', settings: { type: 'object', properties } })
  if (command !== 'discover') send({ type: 'done', detail: 'Found a file.' })
  const read = []
  const unchanged = []
  let items = 0
  for (const message of JSON.parse(readFileSync(settings.file, 'utf8'))) {
    const key = message.key ?? message.to
    if (unchanged.some((each) => key === each || key.startsWith(each + '.'))) continue
    if (message.version !== undefined && versions[key] === message.version) {
      unchanged.push(key)
      send({ type: 'unchanged', key, parent: message.parent })
      continue
    }
    if (message.type === 'item') read.push(key)
    send(message)
  }
  send({ type: 'log', message: 'Read: ' + read.join(' ') })
  send({ type: 'done', items: read.length })
  process.exit()
}
`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'incremental-'))
  await writeFile(join(folder, 'program.mjs'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true }))

const group = { type: 'item', key: 'group', entity_type: 'dashboard_group', title: 'Sales' }
const dashboard = (key: string, version: string, more: object = {}) => ({
  ...{ type: 'item', key, parent: 'group', entity_type: 'dashboard', title: key, version },
  ...more,
})
const chart = (dashboard: string, name: string, more: object = {}) => ({
  ...{ type: 'item', key: `${dashboard}.${name}`, parent: dashboard, entity_type: 'chart', title: name },
  ...more,
})

const createSource = async (app: TestApp, more: object = {}) => {
  const file = join(folder, `${Math.random()}.json`)
  const id = await createTestIntegration(app, 'connector', { connector: 'file', settings: JSON.stringify({ file }), ...more })
  return {
    id,
    report: (...messages: readonly object[]) => writeFile(file, JSON.stringify(messages)),
    /** The report of a sync, and the items that the connector had to read. */
    sync: async (body?: { full: boolean }) => {
      const sync = await runSync(app, id, body)
      const { body: job } = await app.call('GET', `/background_jobs/${sync.id}`)
      const [, read = ''] = /Read: (.*)/.exec(job.logs) ?? []
      return { ...sync, read: read.trim().split(' ') }
    },
  }
}
const createApp = () => createTestApp({ connectorPrograms: new Map([['file', ['node', join(folder, 'program.mjs')]]]) })

test('what is unchanged is neither read nor written, stays with its lineage, and what is gone is stale', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  const lineage = { type: 'lineage', to: 'a', from: [{ item: 'a.one' }] }
  const usage = { usage: { count: 7, hours: 24 } }
  await source.report(group, dashboard('a', '1', usage), chart('a', 'one'), lineage, dashboard('b', '1'), chart('b', 'two'))
  expect((await source.sync()).report.new).toEqual({ dashboard_group: 1, dashboard: 2, chart: 2 })
  await expectNoChanges(app, source.id, { dashboard_group: 1, dashboard: 2, chart: 2 })
  expect((await source.sync()).read).toEqual(['group'])
  const a = await findByKey(app, source.id, 'a')
  expect([await listUpstream(app, a.id, 'table'), a.external_usage]).toEqual([['one'], 7])

  // One has a change and a new chart; of the other, nothing is read.
  await source.report(
    group,
    dashboard('a', '1', usage),
    chart('a', 'one'),
    lineage,
    dashboard('b', '2', { description: 'New' }),
    chart('b', 'three'),
  )
  expect(await source.sync()).toMatchObject({
    read: ['group', 'b', 'b.three'],
    report: {
      new: { chart: 1 },
      changed: { dashboard: 1 },
      stale: { chart: 1 },
      unchanged: { dashboard_group: 1, dashboard: 1, chart: 1 },
    },
  })
  // One that is not listed any more is stale, with its charts; when it is back, it is read again.
  await source.report(group, dashboard('b', '2', { description: 'New' }), chart('b', 'three'))
  expect((await source.sync()).report).toMatchObject({ stale: { dashboard: 1, chart: 1 }, unchanged: { dashboard: 1 } })
  await source.report(
    group,
    dashboard('a', '1', usage),
    chart('a', 'one'),
    lineage,
    dashboard('b', '2', { description: 'New' }),
    chart('b', 'three'),
  )
  expect(await source.sync()).toMatchObject({ read: ['group', 'a', 'a.one'], report: { back: { dashboard: 1, chart: 1 } } })
  expect((await findByKey(app, source.id, 'a')).stale).toBe(false)
})

test('everything is read again on request, after a week, and when a change cannot be seen in a version', async () => {
  await using app = await createApp()
  const source = await createSource(app)
  const all = ['group', 'a', 'a.one', 'b']
  await source.report(group, dashboard('a', '1', { owners: ['ada@example.com'] }), chart('a', 'one'), dashboard('b', '1'))
  await source.sync()
  expect((await source.sync()).read).toEqual(['group'])
  expect((await source.sync({ full: true })).read).toEqual(all)
  expect((await source.sync()).read).toEqual(['group'])
  await app.db
    .updateTable('connector_versions')
    .set({ listed_at: new Date(Date.now() - 8 * 86_400_000) })
    .execute()
  expect((await source.sync()).read).toEqual(all)
  expect((await source.sync()).read).toEqual(['group'])
  // Somebody is a user now.
  const { id: ada } = await app.createUser('editor')
  await app.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', ada).execute()
  expect((await source.sync()).read).toEqual(all)
  expect((await findByKey(app, source.id, 'a')).owners).toEqual([ada])
  // What was deleted here comes back, although it is unchanged in the source.
  const { id: one } = await findByKey(app, source.id, 'a.one')
  expect((await app.call('DELETE', `/resource/all/${one}`)).status).toBe(204)
  expect(await source.sync()).toMatchObject({ read: all, report: { new: { chart: 1 } } })
  expect((await source.sync()).read).toEqual(['group'])
  expect((await app.call('POST', `/integration/integrations/${source.id}/sync`, { body: { full: 'yes' } })).status).toBe(400)
})

test('items that name tables which are not in the catalog are read until they are', async () => {
  await using app = await createApp()
  await using warehouse = await createPostgresSource('create table orders (id int)')
  const source = await createSource(app)
  await source.report(
    group,
    dashboard('a', '1'),
    { type: 'lineage', to: 'a', from: [{ table: ['public', 'orders'] }] },
    dashboard('b', '1'),
    chart('b', 'two', { query: { sql: 'select id from orders', dialect: 'postgres' } }),
    dashboard('c', '1'),
  )
  await source.sync()
  expect((await source.sync()).read).toEqual(['group', 'a', 'b', 'b.two'])
  await runSync(app, await createTestIntegration(app, 'postgres', warehouse.credentials))
  await source.sync()
  expect((await source.sync()).read).toEqual(['group'])
  for (const key of ['a', 'b.two']) expect(await listUpstream(app, (await findByKey(app, source.id, key)).id, 'table')).toEqual(['orders'])
})

test('patterns decide about unchanged items as before, and other patterns read everything', async () => {
  await using app = await createApp()
  const source = await createSource(app, { exclude: 'b*' })
  await source.report(group, dashboard('a', '1'), dashboard('b', '1'))
  expect((await source.sync()).report.new).toEqual({ dashboard_group: 1, dashboard: 1 })
  expect(await source.sync()).toMatchObject({
    read: ['group', 'b'],
    report: { stale: {}, unchanged: { dashboard_group: 1, dashboard: 1 } },
  })
  await app.call('PATCH', `/integration/integrations/${source.id}`, { body: { credentials: { exclude: 'x' } } })
  expect(await source.sync()).toMatchObject({ read: ['group', 'a', 'b'], report: { new: { dashboard: 1 } } })
})

test('the contract includes unchanged items', async () => {
  const run = async (messages: readonly object[]) => {
    const file = join(folder, 'checked.json')
    await writeFile(file, JSON.stringify(messages))
    const program = { command: ['node', join(folder, 'program.mjs')] }
    const results = await Array.fromAsync(checkConnector(program, { settings: { file } }))
    return results.filter(({ problem }) => problem !== undefined || /versions/.test(problem ?? '')).concat(results.slice(-1))
  }
  const check = 'a discover that knows the versions reports every item, or that it is unchanged'
  expect(await run([group, dashboard('a', '1'), chart('a', 'one')])).toEqual([{ check }])
  const checker = () => new RunChecker({ versions: { a: '1' } })
  const unchanged = (key: string, parent?: string) => ({ type: 'unchanged' as const, key, ...(parent ? { parent } : {}) })
  expect(() => checker().check(unchanged('b'), 3)).toThrow('Message 3 (unchanged): `key` b is not in the `versions` of the command.')
  expect(() => checker().check(unchanged('a', 'group'), 3)).toThrow('Message 3 (unchanged): `parent` group must be reported first.')
  const twice = checker()
  twice.check(unchanged('a'), 1)
  expect(() => twice.check(unchanged('a'), 2)).toThrow('`key` a was reported before')
  expect(() => twice.check({ type: 'lineage', to: 'a', from: [] }, 3)).toThrow('`to` a is unchanged, so that its lineage stays')
})
