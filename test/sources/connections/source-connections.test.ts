import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { toNumberCell } from '../../../connector/src/cells.ts'
import { getDialectSql } from '../../../src/sources/connectors/shared/dialect-sql.ts'
import { withSourceConnection } from '../../../src/sources/integrations/with-source-connection.ts'
import { buildItemKey, splitItemKey } from '../../../src/sources/sync/item.ts'
import { eventually } from '../../support/eventually.ts'
import { createPostgresSource, createTestIntegration } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const LIMITS = { timeout_ms: 10_000, max_rows: 10 }
const noReport = () => new AbortController().signal
const runQuery = (app: TestApp, id: string, text: string, limits: object = {}, signal = noReport()) =>
  withSourceConnection(app.ctx, id, signal, (source) => source.query(text, { ...LIMITS, ...limits }))

test('Postgres returns exact values and only the requested rows', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table t (id int, big int8, price numeric, at timestamptz, ok boolean, doc jsonb, bytes bytea)',
  )
  await source.run(
    `insert into t values (1, 9007199254740993, 12.50, '2026-01-02 03:04:05+02', true, '{"a": 1}', '\\x00ff'), (2, 5, 0.12345678901234567890, null, false, null, null)`,
  )
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  const rows = await runQuery(app, id, 'select * from t order by id;')
  expect(rows.columns.map(({ type }) => type)).toEqual([
    'integer',
    'bigint',
    'numeric',
    'timestamp with time zone',
    'boolean',
    'jsonb',
    'bytea',
  ])
  expect(rows).toMatchObject({
    rows: [
      [1, '9007199254740993', 12.5, '2026-01-02 01:04:05+00', true, '{"a": 1}', '\\x00ff'],
      [2, 5, '0.12345678901234567890', null, false, null, null],
    ],
    truncated: false,
  })
  const many = await runQuery(app, id, 'select i, i from generate_series(1, 20000) i', { max_rows: 1500 })
  expect([many.rows.length, many.rows[1499], many.truncated]).toEqual([1500, [1500, 1500], true])
  expect(await runQuery(app, id, 'select 1 where false')).toMatchObject({ columns: [{ name: '?column?' }], rows: [], truncated: false })
})

test('Postgres rejects everything that would write', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table t (id int)',
    'insert into t values (1)',
    'create function f() returns int language sql as $$ insert into t values (2) returning id $$',
  )
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  for (const text of [
    'delete from t',
    'commit; delete from t',
    'select 1; commit; delete from t',
    'with gone as (delete from t returning id) select * from gone',
    'select f()',
    "copy (select 1) to program 'true'",
    'commit',
    'drop table t',
    'select 1 into other',
  ])
    await expect(runQuery(app, id, text), text).rejects.toMatchObject({ code: 'conflict' })
  expect(await runQuery(app, id, 'select count(*) from t')).toMatchObject({ rows: [[1]] })
})

test('cancels a query in the source on timeout and abort', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource()
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  await expect(runQuery(app, id, 'select pg_sleep(600)', { timeout_ms: 50 })).rejects.toMatchObject({
    message: 'Shop could not be queried: The operation timed out.',
  })
  const stop = new AbortController()
  const pending = runQuery(app, id, 'select pg_sleep(601)', { timeout_ms: 600_000 }, stop.signal)
  const running = async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from pg_stat_activity where datname = ${source.name} and query like '%tablinum_rows%' and state = 'active'`.execute(
      app.db,
    )
    return rows[0]!.n
  }
  await eventually(async () => expect(await running()).toBe(1))
  stop.abort()
  await expect(pending).rejects.toMatchObject({ message: 'Shop could not be queried: The operation was cancelled.' })
  await eventually(async () => expect(await running()).toBe(0))
  expect(await runQuery(app, id, 'select 1')).toMatchObject({ rows: [[1]] })
})

test('reuses a few connections; changed credentials open new ones', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource()
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  for (let i = 0; i < 3; i += 1) await runQuery(app, id, 'select 1')
  expect(source.visits()).toBe(1)
  const together = await Promise.all(Array.from({ length: 8 }, () => runQuery(app, id, 'select pg_sleep(0.05)')))
  expect(together).toHaveLength(8)
  expect(source.visits()).toBeLessThanOrEqual(3)
  const before = source.visits()
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { password: 'another' } } })
  await runQuery(app, id, 'select 1')
  expect(source.visits()).toBe(before + 1)
  await app.ctx.runtime.sources.close()
  await expect(runQuery(app, id, 'select 1')).rejects.toMatchObject({ message: expect.stringContaining('stopping') })
})

test('explains why a source cannot be queried, without secrets', async () => {
  await using app = await createTestApp()
  const unset = await createTestIntegration(app, 'postgres', {})
  const pushed = await createTestIntegration(app, 'custom', {})
  const closed = await createTestIntegration(app, 'postgres', {
    host: '127.0.0.1',
    port: 1,
    database: 'swordfish',
    user: 'me',
    password: 'swordfish',
  })
  await using source = await createPostgresSource()
  const open = await createTestIntegration(app, 'postgres', { ...source.credentials, password: 'swordfish' })
  for (const [id, message] of [
    [unset, 'Shop is not connected. Ask an admin to set its credentials.'],
    [pushed, 'Shop cannot be queried: Custom is a push integration: there is nothing to connect to.'],
    [null, 'This resource does not belong to an integration, so there is no source to query.'],
    [closed, expect.stringMatching(/^Shop could not be queried: .*ECONNREFUSED/)],
    [open, expect.stringContaining('column "•••" does not exist')],
  ] as const)
    await expect(runQuery(app, id as string, 'select swordfish')).rejects.toMatchObject({ code: 'conflict', message })
})

test('SQLite queries run in their own process, which only reads and can be killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-ask-'))
  try {
    const file = new DatabaseSync(join(folder, 'shop.db'))
    file.exec("create table t (id integer, name text, bytes blob); insert into t values (9007199254740993, 'a', x'00ff'), (2, null, null)")
    file.close()
    await using app = await createTestApp({ filesFolder: folder })
    const id = await createTestIntegration(app, 'sqlite', { path: 'shop.db' })
    expect(await runQuery(app, id, 'select id, name, bytes, 1.5 from t')).toEqual({
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'name', type: 'TEXT' },
        { name: 'bytes', type: 'BLOB' },
        { name: '1.5', type: '' },
      ],
      rows: [
        ['9007199254740993', 'a', '\\x00ff', 1.5],
        [2, null, null, 1.5],
      ],
      truncated: false,
    })
    for (const text of [
      'delete from t',
      `attach '${folder}/other.db' as other`,
      `vacuum into '${folder}/copy.db'`,
      'pragma query_only = off',
      "select load_extension('x')",
    ])
      await expect(runQuery(app, id, text), text).rejects.toMatchObject({ code: 'conflict' })
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
    await expect(runQuery(app, id, endless, { timeout_ms: 100 })).rejects.toMatchObject({ message: expect.stringContaining('timed out') })
    const stop = new AbortController()
    const pending = runQuery(app, id, endless, { timeout_ms: 600_000 }, stop.signal)
    setTimeout(() => stop.abort(), 200)
    await expect(pending).rejects.toMatchObject({ message: expect.stringContaining('cancelled') })
    const endlessRows = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n'
    expect((await runQuery(app, id, endlessRows)).truncated).toBe(true)
    expect(await runQuery(app, id, 'select count(*) from t')).toMatchObject({ rows: [[2]] })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

for (const [text, cell] of [
  ['12.50', 12.5],
  ['-0.0', -0],
  ['1e3', 1000],
  ['1e400', '1e400'],
  ['9007199254740993', '9007199254740993'],
  ['9007199254740992', 9007199254740992],
  ['NaN', 'NaN'],
  ['', ''],
  ['0.1', 0.1],
  ['0.1000000000000000055', '0.1000000000000000055'],
  ['.5', 0.5],
  ['100000000000000000000000', 1e23],
] as const)
  test(`converts the number ${text}`, () => expect(toNumberCell(text)).toBe(cell))

test('quotes any name in every dialect', () => {
  const path = ['d', 'my"schema', 'or`der\\s']
  expect(
    Object.fromEntries(
      ['postgres', 'sqlite', 'mysql', 'bigquery', 'trino'].map((dialect) => [dialect, getDialectSql(dialect).table(path)]),
    ),
  ).toEqual({
    postgres: '"my""schema"."or`der\\s"',
    sqlite: '"or`der\\s"',
    mysql: '`my"schema`.`or``der\\s`',
    bigquery: '`d`.`my"schema`.`or\\`der\\\\s`',
    trino: '"d"."my""schema"."or`der\\s"',
  })
  for (const parts of [
    ['a', 'b.c', 'd\\e'],
    ['a', '', 'x'],
    ['a\n.\n', 'b\\.'],
    ['', ''],
  ])
    expect(splitItemKey(buildItemKey(...parts))).toEqual(parts)
  expect(splitItemKey(buildItemKey('a', 'x'.repeat(600)))).toBeUndefined()
})
