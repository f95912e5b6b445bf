import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { findByKey } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** What connectors add to resources of other integrations. This one reports what a file contains, and logs which items it had to read. */
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const send = (message) => console.log(JSON.stringify(message))
for await (const line of createInterface({ input: process.stdin })) {
  const { settings, versions = {} } = JSON.parse(line)
  const read = []
  const unchanged = []
  let complete = true
  for (const message of JSON.parse(readFileSync(settings.file, 'utf8'))) {
    if (message.type === 'crash') process.exit(1)
    if (message.type === 'incremental') complete = false
    if (message.type === 'crash' || message.type === 'incremental') continue
    if (unchanged.some((each) => message.key?.startsWith(each + '.'))) continue
    if (message.version !== undefined && versions[message.key] === message.version) {
      unchanged.push(message.key)
      send({ type: 'unchanged', key: message.key, parent: message.parent })
      continue
    }
    if (message.type === 'item') read.push(message.key)
    send(message)
  }
  send({ type: 'log', message: 'Read: ' + read.join(' ') })
  send({ type: 'done', items: read.length, complete })
  process.exit()
}
`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'descriptions-'))
  await writeFile(join(folder, 'program.mjs'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true }))

const createApp = () => createTestApp({ connectorPrograms: new Map([['file', ['node', join(folder, 'program.mjs')]]]) })

const createConnector = async (app: TestApp) => {
  const file = join(folder, `${Math.random()}.json`)
  const id = await createTestIntegration(app, 'connector', { connector: 'file', settings: JSON.stringify({ file }) }, { name: file })
  return {
    id,
    /** The report of a sync in which the connector sends these messages, and the items it had to read. */
    sync: async (...messages: readonly object[]) => {
      await writeFile(file, JSON.stringify([group, ...messages]))
      const sync = await runSync(app, id)
      const { body: job } = await app.call('GET', `/background_jobs/${sync.id}`)
      const [, read = ''] = /Read: (.*)/.exec(job.logs) ?? []
      return { ...sync, read: read.trim().split(' ') }
    },
  }
}

const connectWarehouse = async (app: TestApp, sql: string) => {
  const source = await createPostgresSource(sql)
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const find = (table: string) => findByFullTitle(app, `${source.name}.public.${table}`)
  return {
    /** What connectors say about a table. */
    describe: async (table: string) => {
      const { description, display_metadata } = await find(table)
      return [description, display_metadata?.connector]
    },
    find,
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  }
}

const group = { type: 'item', key: 'group', entity_type: 'job_group', title: 'Loads' }
const job = (key: string, more: object = {}) => ({ type: 'item', key, parent: 'group', entity_type: 'job', title: key, ...more })
const table = (key: string, name: string, more: object = {}) => ({
  ...{ type: 'item', key, parent: 'group', entity_type: 'table', title: name, description: `Of ${key}.`, facts: { by: key } },
  ...{ same_as: { table: ['public', name], dialect: 'postgres' }, ...more },
})
const unlisted = (scope: object) => ({ type: 'unlisted', reason: 'It could not be read.', ...scope })
const said = (key: string) => [`Of ${key}.`, { by: key }]
/** Values stay when they are withdrawn: they may be the only documentation. */
const withdrawn = (key: string) => [`Of ${key}.`, undefined]

const THREE_TABLES = 'create table orders (id int); create table refunds (id int); create table customers (id int)'

test('what is no longer reported is withdrawn, and nothing that was only not listed or is unchanged', async () => {
  await using app = await createApp()
  await using warehouse = await connectWarehouse(app, THREE_TABLES)
  const connector = await createConnector(app)
  const all = [job('job', { version: '1' }), table('a.1', 'orders'), table('a.2', 'refunds'), table('b.1', 'customers')]
  await connector.sync(...all)
  expect(await warehouse.describe('orders')).toEqual(said('a.1'))
  expect(await warehouse.describe('customers')).toEqual(said('b.1'))
  // One is gone; of another, nothing is known this time; a third item of the connector is unchanged.
  const partly = await connector.sync(all[0]!, all[1]!, unlisted({ key: 'b' }))
  expect([partly.status, partly.read]).toEqual(['COMPLETED', ['group', 'a.1']])
  expect(await warehouse.describe('orders')).toEqual(said('a.1'))
  expect(await warehouse.describe('refunds')).toEqual(withdrawn('a.2'))
  expect(await warehouse.describe('customers')).toEqual(said('b.1'))
  // It stays while it is not listed, whatever the reason.
  expect((await connector.sync(all[0]!, unlisted({ entity_type: 'table' }))).status).toBe('COMPLETED')
  expect((await connector.sync(all[0]!, table('a.2', 'refunds'), { type: 'incremental' })).status).toBe('COMPLETED')
  expect((await connector.sync(all[0]!, { type: 'crash' })).status).toBe('FAILED')
  expect(await warehouse.describe('orders')).toEqual(said('a.1'))
  expect(await warehouse.describe('refunds')).toEqual(said('a.2'))
  expect(await warehouse.describe('customers')).toEqual(said('b.1'))
  // Then everything is listed.
  await connector.sync(all[0]!, all[1]!)
  expect(await warehouse.describe('orders')).toEqual(said('a.1'))
  expect(await warehouse.describe('refunds')).toEqual(withdrawn('a.2'))
  expect(await warehouse.describe('customers')).toEqual(withdrawn('b.1'))
})

test('columns are withdrawn with the item they are below, and a description of two items stays with one of them', async () => {
  await using app = await createApp()
  await using warehouse = await connectWarehouse(app, THREE_TABLES)
  const connector = await createConnector(app)
  const column = (table: string) => ({
    ...{ type: 'item', key: `${table}.id`, parent: table, entity_type: 'column', title: 'id', description: `Key of ${table}.` },
  })
  await connector.sync(job('job'), table('a.1', 'orders'), column('a.1'), table('b.1', 'orders'), table('b.2', 'refunds'), column('b.2'))
  // The first of both is gone, the other one is not listed: it may still be there.
  await connector.sync(job('job'), unlisted({ key: 'b.1' }), table('b.2', 'refunds'))
  expect(await warehouse.describe('orders')).toEqual(said('a.1'))
  const suggested = async (resource: { id: string }) => {
    const { body } = await app.call('GET', `/resource/all/${resource.id}/provenance`)
    return JSON.stringify(body)
  }
  expect(await suggested(await warehouse.find('orders.id'))).not.toContain('connector')
  expect(await suggested(await warehouse.find('refunds.id'))).not.toContain('connector')
  await connector.sync(job('job'), table('b.2', 'refunds'))
  expect(await warehouse.describe('orders')).toEqual(withdrawn('a.1'))
})

test('facts of two integrations of the same kind are those of the one that still describes the table', async () => {
  await using app = await createApp()
  await using warehouse = await connectWarehouse(app, THREE_TABLES)
  const [one, other, third] = [await createConnector(app), await createConnector(app), await createConnector(app)]
  await one.sync(job('job'), table('one', 'orders'))
  await other.sync(job('job'), table('other', 'orders'))
  expect((await warehouse.describe('orders'))[1]).toEqual({ by: 'other' })
  await one.sync(job('job'))
  expect((await warehouse.describe('orders'))[1]).toEqual({ by: 'other' })
  // The one that wrote last is gone: the other one writes its facts again, although they are the same as before.
  await third.sync(job('job'), table('third', 'orders'))
  await third.sync(job('job'))
  await other.sync(job('job'), table('other', 'orders'))
  expect((await warehouse.describe('orders'))[1]).toEqual({ by: 'other' })
  await third.sync(job('job'), table('third', 'orders'))
  expect((await app.call('DELETE', `/integration/integrations/${third.id}`)).status).toBe(204)
  await other.sync(job('job'), table('other', 'orders'))
  expect((await warehouse.describe('orders'))[1]).toEqual({ by: 'other' })
  await other.sync(job('job'))
  expect((await warehouse.describe('orders'))[1]).toBeUndefined()
})

test('what another source may report is read again although the item above it is unchanged', async () => {
  await using app = await createApp()
  const connector = await createConnector(app)
  const items = [job('job', { version: '1' }), table('job.t', 'orders', { parent: 'job' }), job('other', { version: '1' })]
  await connector.sync(...items)
  expect((await connector.sync(...items)).read).toEqual(['group', 'job', 'job.t'])
  await using warehouse = await connectWarehouse(app, 'create table orders (id int)')
  await connector.sync(...items)
  expect(await warehouse.describe('orders')).toEqual(said('job.t'))
  expect((await findByKey(app, connector.id, 'job.t')).archived).toBe(true)
})

test('what a warehouse has now is no duplicate of it, also when only changes are listed or something cannot be', async () => {
  for (const rest of [{ type: 'incremental' }, unlisted({ key: 'a' }), unlisted({ entity_type: 'table' })]) {
    await using app = await createApp()
    const connector = await createConnector(app)
    await connector.sync(job('job'), table('a.1', 'orders'), table('a.2', 'refunds'))
    await using warehouse = await connectWarehouse(app, 'create table orders (id int)')
    expect((await connector.sync(job('job'), table('a.1', 'orders'), rest)).status).toBe('COMPLETED')
    expect(await warehouse.describe('orders')).toEqual(said('a.1'))
    expect((await findByKey(app, connector.id, 'a.1')).archived).toBe(true)
    expect(await findByKey(app, connector.id, 'a.2')).toMatchObject({ archived: false, stale: false })
  }
})

test('items are read again while a type of resources could not be listed', async () => {
  await using app = await createApp()
  const connector = await createConnector(app)
  const one = job('one', { version: '1' })
  await connector.sync(one, unlisted({ entity_type: 'run' }))
  const run = { type: 'item', key: 'one.r', parent: 'one', entity_type: 'run', title: 'r' }
  expect(await connector.sync(one, run)).toMatchObject({ read: ['group', 'one', 'one.r'], report: { new: { run: 1 } } })
  expect((await connector.sync(one, run)).read).toEqual(['group'])
})

test('what could not be read is read again, also when only changes were listed', async () => {
  await using app = await createApp()
  const connector = await createConnector(app)
  const [one, two] = [job('one', { version: '1' }), job('two', { version: '1' })]
  await connector.sync(one, two)
  await connector.sync(unlisted({ key: 'one' }), { type: 'incremental' })
  expect((await connector.sync(one, two)).read).toEqual(['group', 'one'])
})

test('facts about a table of another integration of the same kind are removed with what they describe', async () => {
  await using app = await createApp()
  const [owner, other] = [await createConnector(app), await createConnector(app)]
  const own = {
    type: 'item',
    key: 'orders',
    parent: 'group',
    entity_type: 'table',
    title: 'orders',
    facts: { engine: 'own', connector: { by: 'own' } },
  }
  const sales = [
    { type: 'item', key: 'sales', entity_type: 'database', title: 'sales' },
    { type: 'item', key: 'public', parent: 'sales', entity_type: 'schema', title: 'public' },
    { ...own, parent: 'public' },
  ]
  await owner.sync(...sales)
  const facts = async () => (await findByKey(app, owner.id, 'orders')).display_metadata
  await other.sync(table('other', 'orders'))
  expect(await facts()).toEqual({ engine: 'own', connector: { by: 'other' } })
  await other.sync()
  expect(await facts()).toEqual({ engine: 'own' })
  // What it has itself under this name is there again with its next sync.
  await owner.sync(...sales)
  expect(await facts()).toEqual({ engine: 'own', connector: { by: 'own' } })
  await other.sync(table('other', 'orders'))
  expect(await facts()).toEqual({ engine: 'own', connector: { by: 'other' } })
  expect((await app.call('DELETE', `/integration/integrations/${other.id}`)).status).toBe(204)
  expect(await facts()).toEqual({ engine: 'own' })
})

test('what earlier versions stored without its items stays until everything is listed, and what was undone stays undone', async () => {
  await using app = await createApp()
  await using warehouse = await connectWarehouse(app, THREE_TABLES)
  const connector = await createConnector(app)
  const { id } = await connector.sync(job('job'), table('a.1', 'orders'), table('a.2', 'refunds'))
  const { body: undo } = await app.call('POST', `/integration/integrations/${connector.id}/sync/${id}/undo`)
  await runJob(app.ctx, JOB_HANDLERS, undo.id, { integration_id: connector.id, sync_id: id }, true)
  expect((await warehouse.find('orders')).description).toBeNull()
  await app.db.updateTable('resource_field_suggestions').set({ items: null }).execute()
  await connector.sync(job('job'), table('a.1', 'orders'), unlisted({ key: 'b' }))
  expect((await warehouse.find('orders')).description).toBeNull()
  expect((await warehouse.describe('refunds'))[1]).toEqual({ by: 'a.2' })
  await connector.sync(job('job'), table('a.1', 'orders'))
  expect((await warehouse.describe('orders'))[1]).toEqual({ by: 'a.1' })
  expect((await warehouse.describe('refunds'))[1]).toBeUndefined()
})
