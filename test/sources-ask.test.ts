import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { numberCell } from '../src/integrations/connectors/cells.ts'
import { wordsOf } from '../src/integrations/connectors/words.ts'
import { withSource } from '../src/integrations/open.ts'
import { keyOf, partsOf } from '../src/sync/item.ts'
import { aHouse, type House } from './house.ts'
import { aPostgres, connectTo } from './sources.ts'

const LIMITS = { timeout_ms: 10_000, max_rows: 10 }
const quiet = () => new AbortController().signal
const ask = (house: House, id: string, text: string, limits: object = {}, signal = quiet()) =>
  withSource(house.ctx, id, signal, (source) => source.ask(text, { ...LIMITS, ...limits }))

test('Postgres returns exact values and only the requested rows', async () => {
  await using house = await aHouse()
  await using source = await aPostgres(
    'create table t (id int, big int8, price numeric, at timestamptz, ok boolean, doc jsonb, bytes bytea)',
  )
  await source.run(
    `insert into t values (1, 9007199254740993, 12.50, '2026-01-02 03:04:05+02', true, '{"a": 1}', '\\x00ff'), (2, 5, 0.12345678901234567890, null, false, null, null)`,
  )
  const id = await connectTo(house, 'postgres', source.credentials)
  const rows = await ask(house, id, 'select * from t order by id;')
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
  const many = await ask(house, id, 'select i, i from generate_series(1, 20000) i', { max_rows: 1500 })
  expect([many.rows.length, many.rows[1499], many.truncated]).toEqual([1500, [1500, 1500], true])
  expect(await ask(house, id, 'select 1 where false')).toMatchObject({ columns: [{ name: '?column?' }], rows: [], truncated: false })
})

test('Postgres rejects everything that would write', async () => {
  await using house = await aHouse()
  await using source = await aPostgres(
    'create table t (id int)',
    'insert into t values (1)',
    'create function f() returns int language sql as $$ insert into t values (2) returning id $$',
  )
  const id = await connectTo(house, 'postgres', source.credentials)
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
    await expect(ask(house, id, text), text).rejects.toMatchObject({ code: 'conflict' })
  expect(await ask(house, id, 'select count(*) from t')).toMatchObject({ rows: [[1]] })
})

test('cancels a query in the source on timeout and abort', async () => {
  await using house = await aHouse()
  await using source = await aPostgres()
  const id = await connectTo(house, 'postgres', source.credentials)
  await expect(ask(house, id, 'select pg_sleep(600)', { timeout_ms: 50 })).rejects.toMatchObject({
    message: 'Shop could not be queried: The operation timed out.',
  })
  const stop = new AbortController()
  const asked = ask(house, id, 'select pg_sleep(601)', { timeout_ms: 600_000 }, stop.signal)
  const running = async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from pg_stat_activity where datname = ${source.name} and query like '%tablinum_rows%' and state = 'active'`.execute(
      house.db,
    )
    return rows[0]!.n
  }
  await vi.waitFor(async () => expect(await running()).toBe(1), 10_000)
  stop.abort()
  await expect(asked).rejects.toMatchObject({ message: 'Shop could not be queried: The operation was cancelled.' })
  await vi.waitFor(async () => expect(await running()).toBe(0), 10_000)
  expect(await ask(house, id, 'select 1')).toMatchObject({ rows: [[1]] })
})

test('reuses a few connections; changed credentials open new ones', async () => {
  await using house = await aHouse()
  await using source = await aPostgres()
  const id = await connectTo(house, 'postgres', source.credentials)
  for (let i = 0; i < 3; i += 1) await ask(house, id, 'select 1')
  expect(source.visits()).toBe(1)
  const together = await Promise.all(Array.from({ length: 8 }, () => ask(house, id, 'select pg_sleep(0.05)')))
  expect(together).toHaveLength(8)
  expect(source.visits()).toBeLessThanOrEqual(3)
  const before = source.visits()
  await house.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { password: 'another' } } })
  await ask(house, id, 'select 1')
  expect(source.visits()).toBe(before + 1)
  await house.ctx.runtime.sources.close()
  await expect(ask(house, id, 'select 1')).rejects.toMatchObject({ message: expect.stringContaining('stopping') })
})

test('explains why a source cannot be queried, without secrets', async () => {
  await using house = await aHouse()
  const unset = await connectTo(house, 'postgres', {})
  const pushed = await connectTo(house, 'custom', {})
  const closed = await connectTo(house, 'postgres', {
    host: '127.0.0.1',
    port: 1,
    database: 'swordfish',
    user: 'me',
    password: 'swordfish',
  })
  await using source = await aPostgres()
  const open = await connectTo(house, 'postgres', { ...source.credentials, password: 'swordfish' })
  for (const [id, message] of [
    [unset, 'Shop is not connected. Ask an admin to set its credentials.'],
    [pushed, 'Shop cannot be queried: Custom is a push integration: there is nothing to connect to.'],
    [null, 'This resource does not belong to an integration, so there is no source to query.'],
    [closed, expect.stringMatching(/^Shop could not be queried: .*ECONNREFUSED/)],
    [open, expect.stringContaining('column "•••" does not exist')],
  ] as const)
    await expect(ask(house, id as string, 'select swordfish')).rejects.toMatchObject({ code: 'conflict', message })
})

test('SQLite queries run in their own process, which only reads and can be killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-ask-'))
  try {
    const file = new DatabaseSync(join(folder, 'shop.db'))
    file.exec("create table t (id integer, name text, bytes blob); insert into t values (9007199254740993, 'a', x'00ff'), (2, null, null)")
    file.close()
    await using house = await aHouse({ filesFolder: folder })
    const id = await connectTo(house, 'sqlite', { path: 'shop.db' })
    expect(await ask(house, id, 'select id, name, bytes, 1.5 from t')).toEqual({
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
      await expect(ask(house, id, text), text).rejects.toMatchObject({ code: 'conflict' })
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
    await expect(ask(house, id, endless, { timeout_ms: 100 })).rejects.toMatchObject({ message: expect.stringContaining('timed out') })
    const stop = new AbortController()
    const asked = ask(house, id, endless, { timeout_ms: 600_000 }, stop.signal)
    setTimeout(() => stop.abort(), 200)
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('cancelled') })
    const endlessRows = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n'
    expect((await ask(house, id, endlessRows)).truncated).toBe(true)
    expect(await ask(house, id, 'select count(*) from t')).toMatchObject({ rows: [[2]] })
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
  test(`converts the number ${text}`, () => expect(numberCell(text)).toBe(cell))

test('quotes any name in every dialect', () => {
  const path = ['d', 'my"schema', 'or`der\\s']
  expect(
    Object.fromEntries(['postgres', 'sqlite', 'mysql', 'bigquery', 'trino'].map((dialect) => [dialect, wordsOf(dialect).table(path)])),
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
    expect(partsOf(keyOf(...parts))).toEqual(parts)
  expect(partsOf(keyOf('a', 'x'.repeat(600)))).toBeUndefined()
})
