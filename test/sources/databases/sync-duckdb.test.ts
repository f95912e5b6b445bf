import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { newId } from '../../../src/platform/core/id.ts'
import { duckdbConnector } from '../../../src/sources/connectors/duckdb/duckdb.ts'
import type { Source, SourceRows } from '../../../src/sources/connectors/shared/connector.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'

const createTempFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-files-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
const writeFileIn = async (file: string, ...statements: string[]) => {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}
const catalog = async (app: TestApp) => {
  const { body } = await app.call('GET', '/resource/catalog?page_size=100&sort={"field":"title_full","order":"asc"}')
  return new Map<string, Record<string, unknown>>(body.results.map((each: { title_full: string }) => [each.title_full, each]))
}
const findUpstreamTitles = async (app: TestApp, id: unknown) => {
  const { body } = await app.call('GET', `/lineage/graph?resource_id=${id}&direction=UPSTREAM&depth=1&level=table`)
  return body.nodes.map(({ title }: { title: string }) => title).sort()
}
const runQuery = async (
  filesFolder: string,
  path: string,
  sql: string,
  limits: { timeout_ms?: number; max_rows?: number; signal?: AbortSignal } = {},
): Promise<SourceRows> => {
  const source: Source = { id: newId(), name: 'files', credentials: { path }, filesFolder }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  await using sqlConnection = await duckdbConnector.sql!.open(source, signal)
  return await sqlConnection.query(sql, { signal, timeout_ms: 20_000, max_rows: 100, ...limits })
}

const SHOP = [
  `create table customers (id bigint primary key, email varchar not null default 'x', "we""ird.
name 😀" decimal(30, 5), check (id > 0))`,
  'create table orders (id int, customer bigint references customers (id), total decimal(10, 2))',
  'create index by_customer on orders (customer)',
  "comment on table orders is 'One row for each order.'",
  "comment on column orders.total is 'With tax.'",
  'create view big as select id, total from orders where total > 100',
  'create schema "st.age"',
  'create view "st.age".copy as select * from main.customers',
  'create table gone (id int)',
  'create view broken as select id from gone',
  'drop table gone',
  "create view leak as select * from read_csv('/etc/passwd')",
  "insert into customers select n, 'c' || n, 123456789012345678901234.5 from range(1, 51) t(n)",
]

test('discovers a DuckDB file with keys, comments and lineage, and a second sync writes nothing', async () => {
  await using files = await createTempFolder()
  await using app = await createTestApp({ filesFolder: files.folder })
  await writeFileIn(join(files.folder, 'shop.duckdb'), ...SHOP)
  const id = await createTestIntegration(app, 'duckdb', { path: 'shop.duckdb' })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, expect.stringMatching(/^DuckDB v[\d.]+, database shop: 6 tables and views\.$/)])
  const first = await runSync(app, id)
  expect(first).toMatchObject({ error: null, report: { new: { database: 1, schema: 2, table: 6 }, lineage: { unreadable: 0 } } })
  const found = await catalog(app)
  expect(found.get('shop')).toMatchObject({ byte_size: expect.any(Number), external_updated_at: expect.any(String) })
  expect(found.get('shop.main.orders')).toMatchObject({
    native_type: 'table',
    description: 'One row for each order.',
    row_count: 0,
    display_metadata: {
      foreign_keys: [expect.objectContaining({ columns: ['customer'], table: 'customers', to: ['id'] })],
      indexes: [expect.objectContaining({ name: 'by_customer', unique: false })],
    },
  })
  expect(found.get('shop.main.customers')).toMatchObject({
    row_count: 50,
    display_metadata: { constraints: expect.arrayContaining([expect.objectContaining({ type: 'check', definition: 'CHECK((id > 0))' })]) },
  })
  expect(found.get('shop.main.customers.id')).toMatchObject({ is_pk: true, native_type: 'BIGINT', display_metadata: { nullable: false } })
  expect(found.get('shop.main.customers.email')).toMatchObject({ is_pk: false, sort_order: 2, display_metadata: { default: "'x'" } })
  expect(found.get('shop.main.customers.we"ird.\nname 😀')).toMatchObject({ native_type: 'DECIMAL(30,5)' })
  expect(found.get('shop.main.orders.total')).toMatchObject({ description: 'With tax.', native_type: 'DECIMAL(10,2)' })
  expect(found.get('shop.main.broken')).toMatchObject({ native_type: 'view' })
  expect(await findUpstreamTitles(app, found.get('shop.main.big')!.id)).toEqual(['big', 'orders'])
  expect(await findUpstreamTitles(app, found.get('shop.st.age.copy')!.id)).toEqual(['copy', 'customers'])
  const before = await app.listActivities()
  expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: {}, unchanged: { schema: 2, table: 6 } })
  expect(await app.listActivities()).toEqual(before)
})

test('discovers a folder as a database: files are tables, folders are schemas, partitions are one table, links are skipped', async () => {
  await using files = await createTempFolder()
  await using outside = await createTempFolder()
  await using app = await createTestApp({ filesFolder: files.folder })
  const lake = join(files.folder, 'la"ke')
  for (const folder of ['sales/de', 'events/year=2025/month=1', 'events/year=2026/month=2', '_temporary'])
    await mkdir(join(lake, folder), { recursive: true })
  await writeFileIn(
    ':memory:',
    `copy (select range as id, 'x' as what from range(70)) to '${lake}/sales/de/orders.parquet'`,
    `copy (select 1 as n from range(30)) to '${lake}/events/year=2025/month=1/a.parquet'`,
    `copy (select 2 as n from range(12)) to '${lake}/events/year=2026/month=2/b.parquet'`,
    `copy (select 'a' as k) to '${lake}/sales/zipped.csv.gz'`,
  )
  await writeFile(join(lake, "it's 😀.csv"), 'id,name,at\n1,x,2026-01-01\n2,y,2026-01-02\n')
  await writeFile(join(lake, 'people.json'), '{"id": 1, "deep": {"a": [1, 2]}}\n{"id": 2, "deep": null}\n')
  await writeFile(join(lake, 'people.csv'), 'id\n7\n')
  await writeFile(join(lake, 'damaged.parquet'), 'This is no Parquet.')
  await writeFile(join(lake, 'notes.txt'), 'No data.')
  await writeFile(join(lake, '_temporary', 'half.csv'), 'id\n1\n')
  await writeFile(join(outside.folder, 'salaries.csv'), 'salary\n1000\n')
  await symlink(join(outside.folder, 'salaries.csv'), join(lake, 'salaries.csv'))
  await symlink(outside.folder, join(lake, 'elsewhere'))
  const id = await createTestIntegration(app, 'duckdb', { path: 'la"ke' })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, expect.stringMatching(/: 7 tables in the files of la"ke\.$/)])
  const first = await runSync(app, id)
  expect(first).toMatchObject({ error: null, report: { new: { database: 1, schema: 3, table: 7, column: 12 } } })
  const { body: job } = await app.call('GET', `/background_jobs/${first.id}`)
  expect(job.logs).toContain('Skipped symbolic links: elsewhere, salaries.csv.')
  expect(job.logs).toMatch(/Could not read main\.damaged: .*damaged\.parquet/)
  expect(job.logs).not.toContain(files.folder)
  const found = await catalog(app)
  expect([...found].flatMap(([title, { entity_type }]) => (entity_type === 'table' ? title.slice('la"ke.'.length) : [])).sort()).toEqual([
    'main.damaged',
    'main.events',
    "main.it's 😀",
    'main.people.csv',
    'main.people.json',
    'sales.zipped',
    'sales/de.orders',
  ])
  expect(found.get('la"ke.main.events')).toMatchObject({ native_type: 'parquet files', row_count: 42, display_metadata: { files: 2 } })
  expect(found.get('la"ke.main.events.month')).toMatchObject({ native_type: 'BIGINT' })
  expect(found.get('la"ke.sales/de.orders')).toMatchObject({ native_type: 'parquet file', row_count: 70, byte_size: expect.any(Number) })
  expect(found.get('la"ke.main.people.json.deep')).toMatchObject({ native_type: 'STRUCT(a BIGINT[])' })
  expect(found.get(`la"ke.main.it's 😀.at`)).toMatchObject({ native_type: 'DATE', sort_order: 3 })
  const before = await app.listActivities()
  expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: {}, stale: {}, unchanged: { table: 7, column: 12 } })
  expect(await app.listActivities()).toEqual(before)
  await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { include: 'sales*.*' } } })
  expect(await runSync(app, id)).toMatchObject({ status: 'FAILED', needs_confirmation: { missing: expect.any(Number) } })
  expect((await runSync(app, id, { confirm_removals: true })).report).toMatchObject({ stale: { schema: 1, table: 5 } })
  expect(await runQuery(files.folder, 'la"ke', `select * from "la""ke"."sales/de".orders order by id desc`, { max_rows: 2 })).toEqual({
    columns: [
      { name: 'id', type: 'BIGINT' },
      { name: 'what', type: 'VARCHAR' },
    ],
    rows: [
      [69, 'x'],
      [68, 'x'],
    ],
    truncated: true,
  })
  expect((await runQuery(files.folder, 'la"ke/people.csv', 'select * from people')).rows).toEqual([[7]])
  await expect(runQuery(files.folder, 'la"ke', 'select * from damaged')).rejects.toThrow('damaged.parquet')
})

test('restricts queries to the source: no other file, no network, no settings, no writes', async () => {
  await using files = await createTempFolder()
  await mkdir(join(files.folder, 'lake'))
  const own = join(files.folder, 'lake', 'a.csv')
  await writeFile(own, 'id\n1\n')
  await writeFile(join(files.folder, 'other.csv'), 'secret\nswordfish\n')
  await writeFileIn(join(files.folder, 'shop.duckdb'), ...SHOP)
  const other = join(files.folder, 'other.csv')
  for (const path of ['lake', 'shop.duckdb']) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const source: Source = { id: newId(), name: 'files', credentials: { path }, filesFolder: files.folder }
    await using sqlConnection = await duckdbConnector.sql!.open(source, signal)
    for (const sql of [
      `select * from read_csv('${other}')`,
      `select * from '${other}'`,
      `select * from read_text('${join(files.folder, 'lake')}/../other.csv')`,
      `select * from read_blob('/etc/passwd')`,
      `select * from read_csv('/proc/self/environ')`,
      `select * from glob('/etc/*')`,
      `select * from sniff_csv('/etc/passwd')`,
      `select * from read_csv('http://127.0.0.1:9/x.csv')`,
      `select * from query('select * from read_text(''/etc/passwd'')')`,
      `attach '${join(files.folder, 'new.duckdb')}'`,
      `copy (select 1 as id) to '${join(files.folder, 'out.csv')}'`,
      `copy (select 9 as id) to '${own}' (use_tmp_file false)`,
      `export database '${join(files.folder, 'out')}'`,
      'set enable_external_access = true',
      'set lock_configuration = false',
      "set allowed_directories = ['/']",
      'install httpfs',
      'load httpfs',
      'create table mine (id int)',
      'create temp table mine (id int)',
      'drop view leak',
      "pragma temp_directory = '/tmp'",
      'select 1; select 2',
      '',
      '-- nothing',
    ])
      await expect(sqlConnection.query(sql, { signal, timeout_ms: 20_000, max_rows: 1 }), `${path}: ${sql}`).rejects.toThrow()
    const { rows } = await runQuery(
      files.folder,
      path,
      `select value from duckdb_settings() where name in ('allowed_directories', 'temp_directory')`,
    )
    expect(rows).toEqual([['[]'], ['']])
  }
  await expect(runQuery(files.folder, 'shop.duckdb', 'select * from leak')).rejects.toThrow('/etc/passwd')
  expect((await runQuery(files.folder, 'shop.duckdb', 'select count(*) from customers')).rows).toEqual([[50]])
  expect(await readFile(own, 'utf8')).toBe('id\n1\n')
})

test('treats glob characters in file names literally', async () => {
  await using files = await createTempFolder()
  await using outside = await createTempFolder()
  const lake = join(files.folder, 'lake [old]')
  await mkdir(lake)
  await writeFile(join(outside.folder, 'salaries.csv'), 'id\n1000\n')
  for (const [name, id] of [
    ['a*', 1],
    ['ab', 2],
    ['a?', 3],
    ['a[b]', 4],
  ] as const)
    await writeFile(join(lake, `${name}.csv`), `id\n${id}\n`)
  await symlink(join(outside.folder, 'salaries.csv'), join(lake, 'a link.csv'))
  const sql =
    'select 1, * from "a*" union all select 2, * from "ab" union all select 3, * from "a?" union all select 4, * from "a[b]" order by 1'
  expect((await runQuery(files.folder, 'lake [old]', sql)).rows).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ])
  await expect(runQuery(files.folder, 'lake [old]', `select * from read_csv('${join(lake, 'a link.csv')}')`)).rejects.toThrow('a link.csv')
})

test('converts values to cells', async () => {
  await using files = await createTempFolder()
  await writeFileIn(join(files.folder, 'shop.duckdb'), ...SHOP)
  const { columns, rows, truncated } = await runQuery(
    files.folder,
    'shop.duckdb',
    `select 1 as a, 1.50::decimal(5, 2), 9007199254740993, 170141183460469231731687303715884105727, [1, null], {'a': 1}, '2026-01-02'::date,
      timestamptz '2026-01-02 03:04:05+02', true, null, 'nan'::double, 'ß'`,
  )
  expect(columns[0]).toEqual({ name: 'a', type: 'INTEGER' })
  expect(truncated).toBe(false)
  expect(rows).toEqual([
    [
      1,
      1.5,
      '9007199254740993',
      '170141183460469231731687303715884105727',
      '[1,null]',
      '{"a":1}',
      '2026-01-02',
      '2026-01-02 01:04:05+00',
      true,
      null,
      'NaN',
      'ß',
    ],
  ])
})

test('limits a heavy query in time, memory and by abort without blocking others, and runs the next one', async () => {
  await using files = await createTempFolder()
  await writeFileIn(join(files.folder, 'shop.duckdb'), ...SHOP)
  const source: Source = { id: newId(), name: 'files', credentials: { path: 'shop.duckdb' }, filesFolder: files.folder }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  await using sqlConnection = await duckdbConnector.sql!.open(source, signal)
  const fine = async () => expect((await sqlConnection.query('select 1', { signal, timeout_ms: 20_000, max_rows: 1 })).rows).toEqual([[1]])
  await fine()
  let turns = 0
  const turning = setInterval(() => (turns += 1), 5)
  const heavy = 'select sum(a.range * b.range) from range(1000000) a, range(1000000) b'
  await expect(sqlConnection.query(heavy, { signal, timeout_ms: 300, max_rows: 1 })).rejects.toThrow('The operation timed out.')
  clearInterval(turning)
  expect(turns).toBeGreaterThan(3)
  await fine()
  // DuckDB does not notice the interruption here for half a minute: its process is killed.
  const deaf = "select length(repeat('x', 2000000000))"
  await expect(sqlConnection.query(deaf, { signal, timeout_ms: 100, max_rows: 1 })).rejects.toThrow('The operation timed out.')
  await fine()
  const stop = new AbortController()
  const pending = sqlConnection.query(heavy, { signal: stop.signal, timeout_ms: 30_000, max_rows: 1 })
  stop.abort()
  await expect(pending).rejects.toThrow('The operation was cancelled.')
  await fine()
  const large = 'select list(range order by random()) from range(100000000)'
  await expect(sqlConnection.query(large, { signal, timeout_ms: 30_000, max_rows: 1 })).rejects.toThrow(/memory/i)
  await fine()
})

test('a connection runs any number of queries on files', async () => {
  await using files = await createTempFolder()
  await writeFile(join(files.folder, 'sales.csv'), 'id,total\n1,2\n')
  const source: Source = { id: newId(), name: 'files', credentials: { path: 'sales.csv' }, filesFolder: files.folder }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  await using sqlConnection = await duckdbConnector.sql!.open(source, signal)
  // Each reserves 30 MB for the file until its statement is freed, and DuckDB has 512 MB.
  for (let i = 0; i < 40; i += 1)
    expect((await sqlConnection.query('select count(*) from sales', { signal, timeout_ms: 20_000, max_rows: 1 })).rows).toEqual([[1]])
})

test('reports invalid files without their location; outside paths look like missing ones', async () => {
  await using files = await createTempFolder()
  await using outside = await createTempFolder()
  await using app = await createTestApp({ filesFolder: files.folder })
  await writeFile(join(files.folder, 'notes.txt'), 'This is no database, and long enough to be asked: '.repeat(500))
  await mkdir(join(files.folder, 'empty'))
  await writeFileIn(join(outside.folder, 'secret.duckdb'), 'create table salaries (id int)')
  await symlink(outside.folder, join(files.folder, 'link'))
  const detail = async (path: string) => {
    const id = await createTestIntegration(app, 'duckdb', { path })
    const { status, body, text } = await app.call('POST', `${PATH}/${id}/test`)
    expect(text).not.toContain(files.folder)
    return [status, body.detail.replace('Could not connect to the source: ', '')]
  }
  for (const path of ['link/secret.duckdb', 'link', '../x.duckdb', '/etc/passwd', 'none.duckdb'])
    expect(await detail(path)).toEqual([400, `${path} does not exist in the folder TABLINUM_FILES.`])
  expect(await detail('notes.txt')).toEqual([400, expect.stringContaining('not a valid DuckDB database')])
  expect(await detail('empty')).toEqual([200, expect.stringContaining('0 tables')])
})

test.for(['shop.duckdb', '.'])('fails a sync whose driver cannot start, without marking anything as stale: %s', async (path) => {
  await using files = await createTempFolder()
  await using app = await createTestApp({ filesFolder: files.folder })
  await writeFileIn(join(files.folder, 'shop.duckdb'), 'create table orders (id int)')
  await writeFile(join(files.folder, 'sales.csv'), 'id,total\n1,2\n')
  const id = await createTestIntegration(app, 'duckdb', { path })
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED' })
  const before = await catalog(app)
  const node = process.execPath
  process.execPath = '/nonexistent/node' // the executable of programs
  try {
    expect(await runSync(app, id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('DuckDB could not be started') })
  } finally {
    process.execPath = node
  }
  expect(await catalog(app)).toEqual(before)
  const { body } = await app.call('GET', `${PATH}/${id}`)
  expect(body).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: expect.stringContaining('DuckDB could not be started') })
})
