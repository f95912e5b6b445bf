import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkConnector } from '../../../connector/src/check.ts'
import { looker } from '../../../src/sources/connectors/looker/looker.ts'
import { findCombinedCode } from '../../support/combined-code.ts'
import { describeLineage, discoverAll, findByKey, listColumnTypes, listUpstream } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, getConnectionError, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { PROJECT, writeFolder } from './lookml-project.ts'

const discover = async (files: Readonly<Record<string, string>>, more: object = { dialect: 'postgres', database: 'shop' }) => {
  await using written = await writeFolder(files)
  return await discoverAll(looker, { path: written.folder, personal_folders: false, ...more })
}

test('views and explores of a folder, with lineage to columns of the warehouse', async () => {
  await using source = await createPostgresSource(
    'create table orders (id int, price int, customer int, created date, region text)',
    'create table customers (id int, city text)',
  )
  await using written = await writeFolder(Object.fromEntries(Object.entries(PROJECT).map(([path, text]) => [`lookml/${path}`, text])))
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'], filesFolder: written.folder })
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const settings = { path: 'lookml', dialect: 'postgres', database: source.name }
  const id = await createTestIntegration(app, 'looker', settings, { name: 'LookML' })
  const tested = await app.call('POST', `/integration/integrations/${id}/test`)
  expect(tested.body.detail).toBe('LookML project bakery: 1 models and 6 views.')
  const counts = { dashboard_group: 2, table: 8, column: 47 }
  const { report, ...sync } = await runSync(app, id)
  expect([sync, report]).toMatchObject([
    { status: 'COMPLETED', error: null },
    { new: counts, lineage: { unreadable: 0 } },
  ])
  const upstream = async (key: string, level: 'table' | 'column') => listUpstream(app, (await findByKey(app, id, key)).id, level)
  const orders = await findByKey(app, id, 'view/orders')
  expect(orders).toMatchObject({ entity_type: 'table', native_type: 'LookML view', title_full: 'bakery.orders' })
  expect(await findByKey(app, id, 'view/orders.price')).toMatchObject({
    ...{ native_type: 'number', description: 'With "tax"', display_metadata: { label: 'Price' } },
  })
  expect(await findByKey(app, id, 'view/orders.id')).toMatchObject({ is_pk: true })
  // Tables, also through other fields and of other views.
  expect(await upstream('view/orders', 'table')).toEqual(['customers', 'orders'])
  expect(await upstream('view/orders.revenue', 'column')).toEqual(['price'])
  expect(await upstream('view/orders.city', 'column')).toEqual(['city'])
  expect(await upstream('view/big_orders.size', 'column')).toEqual(['price'])
  // Derived from SQL, also from that of another view.
  expect(await upstream('view/facts', 'table')).toEqual(['orders'])
  expect(await upstream('view/facts.rank', 'column')).toContain('price')
  expect(await upstream('view/best', 'table')).toEqual(['orders'])
  expect(await upstream('view/best.who', 'column')).toContain('customer')
  // Derived from an explore.
  expect(await upstream('view/summary', 'table')).toEqual(['orders'])
  expect(await upstream('view/summary.town', 'column')).toEqual(['buyers.city'])
  expect(await upstream('explore/sales/orders', 'table')).toEqual(['customers', 'facts', 'orders'])
  expect(await upstream('explore/sales/orders.orders\\.created_month', 'column')).toEqual(['created'])
  expect(await upstream('explore/sales/orders.buyers\\.city', 'column')).toEqual(['city'])
  await expectNoChanges(app, id, counts)
})

test('columns of views and explores', async () => {
  const found = await discover(PROJECT)
  expect(listColumnTypes(found, 'view/orders')).toEqual([
    'id: number',
    'price: number',
    'gross: number',
    'customer: string',
    'created: time',
    'city: string',
    'count: measure',
    'revenue: measure',
  ])
  expect(listColumnTypes(found, 'explore/sales/orders').slice(4, 6)).toEqual([
    'orders\\.created_date: date_date',
    'orders\\.created_month: date_month',
  ])
  const explores = found.flatMap((each) => (each.type === 'item' && each.native_type === 'explore' ? each.key : []))
  expect(explores).toEqual(['explore/sales/orders', 'explore/sales/big_orders'])
  expect(describeLineage(found)).toContain('view/customers.city < shop.public.customers(city)')
  // Other dialects.
  const mysql = await discover(PROJECT, { dialect: 'mysql', database: 'shop' })
  expect(mysql.find((each) => each.type === 'item' && each.key === 'view/best')).toMatchObject({
    query: { dialect: 'mysql', sql: expect.stringContaining('select lookml_best.who as `who`') },
  })
  const unknown = await discover(PROJECT, {})
  expect(unknown.some((each) => each.type === 'item' && each.query)).toBe(false)
  expect(describeLineage(unknown)).toContain('view/orders.price < public.orders(price)')
})

test('views of the same name are two, and those that models refine differently are one', async () => {
  const found = await discover({
    'a.model.lkml': 'include: "one/x.view" include: "one/more.view" explore: x {}',
    'b.model.lkml': 'include: "two/x.view" explore: x {}',
    'c.model.lkml': 'include: "one/x.view" explore: y { from: x }',
    'one/x.view.lkml': 'view: x { dimension: id {} }',
    'one/more.view.lkml': 'view: +x { dimension: id { type: number } dimension: more {} }',
    'two/x.view.lkml': 'view: x { dimension: other {} }',
  })
  expect(listColumnTypes(found, 'view/x/one/x.view.lkml')).toEqual(['id: number', 'more: string'])
  expect(listColumnTypes(found, 'view/x/two/x.view.lkml')).toEqual(['other: string'])
  expect(listColumnTypes(found, 'explore/c/y')).toEqual(['y\\.id: string'])
  expect(describeLineage(found)).toContain('explore/c/y.y\\.id < view/x/one/x.view.lkml(view/x/one/x.view.lkml.id)')
})

test('a file that cannot be read loses only itself', async () => {
  await using written = await writeFolder(PROJECT)
  await using app = await createTestApp({ filesFolder: written.folder })
  const id = await createTestIntegration(app, 'looker', { path: '.', dialect: 'postgres' }, { name: 'LookML' })
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', report: { new: { table: 8 } } })
  await writeFile(join(written.folder, 'views/facts.view.lkml'), 'view: facts {\n  dimension: rank {')
  const { body } = await app.call('POST', `/integration/integrations/${id}/test`)
  const reason = 'views/facts.view.lkml, line 2: The block dimension rank is not closed.'
  expect(body.detail).toBe(`LookML project bakery: 1 models and 3 views. Cannot be read: ${reason}`)
  const sync = await runSync(app, id)
  expect(sync).toMatchObject({ status: 'COMPLETED', error: null, report: { new: {} } })
  expect(sync.report.stale ?? {}).toEqual({})
  expect((await app.call('GET', `/background_jobs/${sync.id}`)).body.logs).toContain(`LookML: ${reason}`)
  for (const key of ['view/facts.rank', 'explore/sales/orders.facts\\.rank'])
    expect(await findByKey(app, id, key)).toMatchObject({ stale: false })
})

test('limits, and a folder without a model', async () => {
  await expect(discover({ 'a.view.lkml': 'view: a {}' })).rejects.toThrow('There is no model (*.model.lkml) in the LookML project.')
  await expect(discover({ 'a.model.lkml': '}' })).rejects.toThrow('a.model.lkml, line 1: Unexpected }.')
  // Without its constants, tables would be others.
  await expect(discover({ ...PROJECT, 'manifest.lkml': 'constant: data {' })).rejects.toThrow(
    'manifest.lkml, line 1: The block constant data',
  )
  const model = { 'a.model.lkml': 'include: "**/*.view"' }
  const listReasons = async (files: Readonly<Record<string, string>>) =>
    (await discover({ ...model, ...files })).flatMap((each) => (each.type === 'unlisted' ? each.reason : []))
  const [large] = await listReasons({ 'large.view.lkml': ' '.repeat(1024 * 1024 + 1) })
  expect(large).toContain('large.view.lkml: The file is larger than 1024 kB.')
  const [deep] = await listReasons({ [`${'d/'.repeat(21)}x.view.lkml`]: '' })
  expect(deep).toContain('More than 20 folders inside each other.')
  // A chain of references that is longer than what is followed, and views that read each other.
  const chain = Array.from({ length: 2000 }, (_, i) => `dimension: f${i} { sql: \${f${i + 1}} ;; }`).join('\n')
  expect(await listReasons({ 'chain.view.lkml': `view: chain { ${chain} }` })).toEqual([])
  const derived = (name: string, other: string) => `view: ${name} { derived_table: { sql: select * from \${${other}.SQL_TABLE_NAME} ;; } }`
  const cycle = await discover({ ...model, 'x.view.lkml': `${derived('x', 'y')} ${derived('y', 'x')} ${derived('z', 'absent')}` })
  expect(cycle.filter((each) => each.type === 'item' && each.query)).toEqual([])
})

test('only files inside TABLINUM_FILES are read, and no links', async () => {
  await using outside = await writeFolder(PROJECT)
  await using written = await writeFolder({ 'a.model.lkml': 'include: "**/*.view"' })
  await symlink(join(outside.folder, 'views'), join(written.folder, 'views'))
  await symlink(join(outside.folder, 'views/orders.view.lkml'), join(written.folder, 'orders.view.lkml'))
  expect(await discoverAll(looker, { path: written.folder, personal_folders: false })).toEqual([])
  await using app = await createTestApp({ filesFolder: written.folder })
  for (const path of ['..', outside.folder, 'views', 'absent']) {
    const id = await createTestIntegration(app, 'looker', { path }, { name: path.slice(-50) })
    expect(await getConnectionError(app, id, written.folder)).toContain(`${path} does not exist in the folder TABLINUM_FILES.`)
  }
  const file = await createTestIntegration(app, 'looker', { path: 'a.model.lkml' }, { name: 'file' })
  expect(await getConnectionError(app, file, written.folder)).toContain('The path of the LookML project is not a folder.')
  const neither = await createTestIntegration(app, 'looker', {}, { name: 'neither' })
  expect(await getConnectionError(app, neither, written.folder)).toContain('`url` of Looker or `path` of a LookML project is required.')
  const half = await createTestIntegration(app, 'looker', { url: 'http://127.0.0.1:9', client_id: 'a' }, { name: 'half' })
  expect(await getConnectionError(app, half, written.folder)).toContain('`client_secret` is required with `url`.')
})

test('the program fulfils the contract of connectors', async () => {
  await using written = await writeFolder(PROJECT)
  const file = join(await findCombinedCode(), 'src/processes/looker-process.js')
  const options = { settings: { path: written.folder, dialect: 'postgres' } }
  const results = await Array.fromAsync(checkConnector({ command: ['node', file] }, options))
  expect(results.filter(({ problem }) => problem)).toEqual([])
  expect(results.length).toBeGreaterThanOrEqual(5)
})
