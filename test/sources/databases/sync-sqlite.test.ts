import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'

const createTempFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-files-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
const writeFileIn = (file: string, ...statements: string[]) => {
  const db = new DatabaseSync(file)
  for (const statement of statements) db.exec(statement)
  db.close()
}
const catalog = async (app: TestApp) => {
  const { body } = await app.call('GET', '/resource/catalog?page_size=100&sort={"field":"title_full","order":"asc"}')
  return new Map<string, Record<string, unknown>>(body.results.map((each: { title_full: string }) => [each.title_full, each]))
}

test('discovers an SQLite file with lineage from its views, and a second sync writes nothing', async () => {
  await using files = await createTempFolder()
  await using app = await createTestApp({ filesFolder: files.folder })
  await mkdir(join(files.folder, 'data'))
  const file = join(files.folder, 'data', 'shop.db')
  writeFileIn(
    file,
    'create table customers (id integer primary key, "e.mail" text not null default \'x\')',
    'create table orders (id integer primary key, customer int references customers (id), total real, twice as (total * 2))',
    'create index by_customer on orders (customer)',
    'create view big as select id, total from orders where total > 100',
    'create view broken as select * from nowhere',
    "create table 'it''s \"odd\" 😀' (a, b blob)",
    'insert into customers (id) values (1), (2)',
    'analyze',
  )
  const id = await createTestIntegration(app, 'sqlite', { path: 'data/shop.db' })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, expect.stringMatching(/^SQLite [\d.]+: 5 tables and views\.$/)])
  const first = await runSync(app, id)
  expect(first).toMatchObject({ error: null, report: { new: { database: 1, table: 5, column: 10 }, lineage: { read: 2, unreadable: 0 } } })
  const found = await catalog(app)
  expect(found.get('shop.customers')).toMatchObject({ native_type: 'table', row_count: 2, integration: id })
  expect(found.get('shop.customers.e.mail')).toMatchObject({
    native_type: 'TEXT',
    is_pk: false,
    sort_order: 2,
    databuilder_id: 'shop.customers.e\\.mail',
    display_metadata: { nullable: false, default: "'x'" },
  })
  expect(found.get('shop.orders')).toMatchObject({
    display_metadata: {
      foreign_keys: [{ columns: ['customer'], table: 'customers', to: ['id'] }],
      indexes: [{ name: 'by_customer', unique: false, definition: 'CREATE INDEX by_customer on orders (customer)' }],
    },
  })
  expect(found.get('shop.it\'s "odd" 😀.b')).toMatchObject({ native_type: 'BLOB' })
  const { body } = await app.call('GET', `/lineage/graph?resource_id=${found.get('shop.big')!.id}&direction=UPSTREAM&depth=1&level=column`)
  expect(body.edges.length).toBeGreaterThan(0)
  const before = await app.listActivities()
  expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: {}, unchanged: { table: 5, column: 10 } })
  expect(await app.listActivities()).toEqual(before)
})

test('lists what a source has before it is saved, with the patterns of the request', async () => {
  await using files = await createTempFolder()
  await using app = await createTestApp({ filesFolder: files.folder })
  writeFileIn(join(files.folder, 'shop.db'), 'create table orders (id int)', 'create table tmp_orders (id int)')
  const list = (credentials: object, token?: string) =>
    app.call('POST', `${PATH}/patterns`, { token, body: { name: 'New', type: 'sqlite', credentials } })
  const { body } = await list({ path: 'shop.db', exclude: 'tmp_*' })
  expect(body).toMatchObject({
    included: 1,
    excluded: 1,
    complete: true,
    names: [
      { path: ['shop', 'orders'], included: true },
      { path: ['shop', 'tmp_orders'], included: false },
    ],
  })
  expect((await list({ path: 'nowhere.db' })).status).toBe(400)
  expect((await list({ path: 'shop.db' }, (await app.createUser('editor')).token)).status).toBe(403)
  expect((await app.call('GET', PATH)).body.count).toBe(0)
})

test('restricts paths to the files folder, also behind links; outside paths look like missing ones', async () => {
  await using files = await createTempFolder()
  await using outside = await createTempFolder()
  await using app = await createTestApp({ filesFolder: files.folder })
  writeFileIn(join(outside.folder, 'secret.db'), 'create table salaries (id int)')
  await symlink(join(outside.folder, 'secret.db'), join(files.folder, 'link.db'))
  await symlink(outside.folder, join(files.folder, 'folder'))
  await writeFile(join(files.folder, 'notes.txt'), 'This is no database, and long enough to be asked: '.repeat(50))
  await mkdir(join(files.folder, 'empty'))
  const detail = async (path: string) => {
    const id = await createTestIntegration(app, 'sqlite', { path })
    const { status, body } = await app.call('POST', `${PATH}/${id}/test`)
    return [status, body.detail.replace('Could not connect to the source: ', '')]
  }
  for (const path of ['nothing.db', 'link.db', 'folder/secret.db', join(outside.folder, 'secret.db'), '../secret.db', 'empty/../../x'])
    expect(await detail(path)).toEqual([400, `${path} does not exist in the folder TABLINUM_FILES.`])
  expect(await detail('empty')).toEqual([400, 'empty is not a file.'])
  expect(await detail('notes.txt')).toEqual([400, 'file is not a database'])
  await using other = await createTestApp()
  const id = await createTestIntegration(other, 'sqlite', { path: 'shop.db' })
  expect((await other.call('POST', `${PATH}/${id}/test`)).body.detail).toContain('Set TABLINUM_FILES')
})
