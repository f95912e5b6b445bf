import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mapColumns } from '../../../src/sources/query-log/columns.ts'
import { openLogFile } from '../../../src/sources/query-log/read-rows.ts'
import { normalizeSql, readExecution } from '../../../src/sources/query-log/statements.ts'
import { createTestIntegration, findByFullTitle, findLineageSources, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const toForm = (content: string | Buffer) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=log' },
  body: Buffer.concat([
    Buffer.from('--log\r\ncontent-disposition: form-data; name="file"; filename="history"\r\n\r\n'),
    Buffer.from(content),
    Buffer.from('\r\n--log--\r\n'),
  ]),
})

const upload = async (app: TestApp, id: string, content: string | Buffer, query = '', token?: string) =>
  app.call('POST', `/integration/query_log/${id}/upload${query}`, { ...toForm(content), ...(token ? { token } : {}) })

/** A custom integration with the tables shop.public.raw, orders and unused. */
const createTables = async (app: TestApp): Promise<string> => {
  const { body } = await app.call('POST', '/integration/integrations', { body: { name: 'Vertica', type: 'custom' } })
  const create = (title: string, entity_type: string, parent?: string) =>
    app.createResource({ title, entity_type, integration: body.id, ...(parent ? { parent } : {}) })
  const { id: database } = await create('shop', 'database')
  const { id: schema } = await create('public', 'schema', database)
  for (const title of ['raw', 'orders', 'unused']) await create(title, 'table', schema)
  return body.id
}

const HISTORY = [
  'query_text,user_name,start_time,total_elapsed_time,database_name,extra',
  '"insert into public.orders select * from public.raw where day = \'2026-01-01\'",etl,2026-01-01 10:00:00,120,shop,1',
  '"insert into public.orders select * from public.raw where day = \'2026-01-02\'",etl,2026-01-02 10:00:00,80,shop,1',
  '"select count(*) from public.orders -- how many?\nwhere id > 5",ada@example.com,2026-01-02 11:00:00.123456+00,5,shop,1',
  '"select count(*) from public.orders where id > 7",grace,1767351600000,5,shop,1',
  'set timezone to utc,etl,2026-01-02 11:00:00,1,shop,1',
  'select * from,etl,2026-01-02 11:00:00,1,shop,1',
  'select 1 from public.raw,etl,yesterday,1,shop,1',
  ',etl,2026-01-02 11:00:00,1,shop,1',
].join('\n')

test('a query log becomes usage and lineage of tables of another integration, once', async () => {
  await using app = await createTestApp()
  const warehouse = await createTables(app)
  const id = await createTestIntegration(app, 'query_log', { dialect: 'postgres', warehouse, database: 'shop' })
  const dry = await upload(app, id, HISTORY, '?dry_run=true')
  expect(dry.body).toMatchObject({ rows: 8, statements: 3, executions: 5, job: null, repeated: false })
  expect((await sql`select from query_log_statements`.execute(app.db)).rows).toEqual([])

  const { status, body } = await upload(app, id, HISTORY)
  expect([status, body.statements, body.executions, body.first_at, body.last_at]).toEqual([
    200,
    3,
    5,
    '2026-01-01T10:00:00.000Z',
    '2026-01-02T11:00:00.123Z',
  ])
  expect(body.mapping).toEqual({
    sql: 'query_text',
    user: 'user_name',
    time: 'start_time',
    duration: 'total_elapsed_time',
    database: 'database_name',
  })
  expect(body.skipped).toEqual([
    { reason: 'reads and writes no table (SET, COMMIT, SHOW and so on)', rows: 1, first_line: 7 },
    { reason: 'the time is not a timestamp', rows: 1, first_line: 9 },
    { reason: 'no SQL', rows: 1, first_line: 10 },
  ])
  const sync = await runSync(app, id)
  expect(sync).toMatchObject({ status: 'COMPLETED', report: { new: { query: 3 }, lineage: { read: 2, unreadable: 1 } } })
  const { body: job } = await app.call('GET', `/background_jobs/${sync.id}`)
  expect(job.logs).toContain('Lineage could not be read from 1 definition:')

  const [orders, raw, unused] = await Promise.all(['orders', 'raw', 'unused'].map((title) => findByFullTitle(app, `shop.public.${title}`)))
  expect(await findLineageSources(app, orders.id)).toEqual(['orders', 'raw'])
  expect([orders.external_usage, raw.external_usage, unused.external_usage]).toEqual([2, 1, 0])
  expect([orders.external_users, raw.external_users]).toEqual([['ada@example.com', 'grace'], ['etl']])

  const again = await upload(app, id, HISTORY)
  expect(again.body).toMatchObject({ repeated: true, statements: 0, executions: 0, job: null })
  // Another file that overlaps with the first one.
  const later = `${HISTORY}\n"select count(*) from public.orders where id > 9",grace,2026-01-02 11:30:00,5,shop,1`
  expect((await upload(app, id, later)).body).toMatchObject({ repeated: false, statements: 0, executions: 1 })
  await runSync(app, id)
  expect((await findByFullTitle(app, 'shop.public.orders')).external_usage).toBe(3)

  const unknown = await upload(app, id, 'stmt,who\nselect 1 from t,ada', '?dry_run=true')
  expect([unknown.status, unknown.body.columns, unknown.body.mapping]).toEqual([200, ['stmt', 'who'], {}])
  expect((await upload(app, id, 'stmt,who\nselect 1 from t,ada', '?dry_run=true&sql=stmt')).body).toMatchObject({
    statements: 1,
    executions: 1,
  })
  const { token: viewer } = await app.createUser('viewer')
  expect((await upload(app, id, HISTORY, '', viewer)).status).toBe(403)
  for (const [content, query, field] of [
    ['', '', 'file'],
    ['a,b\n1,2', '', 'sql'],
    [HISTORY, '?sql=missing', 'sql'],
    [Buffer.from('PAR1 is not enough'), '', 'file'],
  ] as const) {
    const wrong = await upload(app, id, content, query)
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, [field]])
  }
  expect((await upload(app, warehouse, HISTORY)).status).toBe(400)
  expect((await app.call('DELETE', `/integration/integrations/${id}`)).status).toBeLessThan(300)
})

describe('files', () => {
  test('CSV, JSON lines and Parquet have the same rows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'log-'))
    try {
      const instance = await DuckDBInstance.create(':memory:')
      const connection = await instance.connect()
      const path = (name: string) => join(folder, name)
      await connection.run(
        `create table history as select 'select ' || i || ' from t' as query, timestamp '2026-01-01 00:00:00' + i * interval 1 second as ts from range(12000) r(i)`,
      )
      for (const [name, options] of [
        ['log.csv', 'format csv, header'],
        ['log.jsonl', 'format json'],
        ['zstd.parquet', 'format parquet, compression zstd'],
        ['snappy.parquet', 'format parquet, compression snappy, row_group_size 4096'],
      ])
        await connection.run(`copy history to '${path(name!)}' (${options})`)
      connection.closeSync()
      const summaries = await Promise.all(
        ['log.csv', 'log.jsonl', 'zstd.parquet', 'snappy.parquet'].map(async (name) => {
          const file = await openLogFile(path(name))
          const mapping = mapColumns(file.columns, {})
          const read: unknown[] = []
          for await (const each of file.rows()) if ('row' in each) read.push(readExecution(each.row, mapping))
          return { n: read.length, first: read[0], last: read.at(-1) }
        }),
      )
      expect(summaries[0]).toMatchObject({ n: 12_000, last: { sql: 'select 11999 from t', at: '2026-01-01T03:19:59.000Z' } })
      for (const other of summaries.slice(1)) expect(other).toEqual(summaries[0])
      await writeFile(path('broken.jsonl'), '{"query": "select 1"}\n{broken\n[1]\n')
      const lines: unknown[] = []
      for await (const each of (await openLogFile(path('broken.jsonl'))).rows()) lines.push('error' in each ? each.error : each.line)
      expect(lines).toEqual([1, 'the line is not valid JSON', 'the line is no JSON object'])
      expect((await readFile(path('broken.jsonl'))).length).toBeGreaterThan(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

test.each([
  ["select * from t where a = 'x' and b in (1, 2, 3)", "SELECT *  from t where a = 'it''s' and b in (4,5);"],
  ['select a -- comment\nfrom t', 'select a /* other */ from t'],
  ['select 1.5e3 from t2', 'select 7 from t2'],
])('%s and %s are one statement', (one, other) => {
  expect(normalizeSql(one)).toBe(normalizeSql(other))
})

test.each([
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['2026-01-02 03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02T03:04:05.678901234+02:00', '2026-01-02T01:04:05.678Z'],
  ['2026-01-02 03:04:05 UTC', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05.5-07', '2026-01-02T10:04:05.500Z'],
  [1_767_322_800, '2026-01-02T03:00:00.000Z'],
  ['1767322800000', '2026-01-02T03:00:00.000Z'],
  [1_767_322_800_000_000n, '2026-01-02T03:00:00.000Z'],
  [null, null],
])('the time %s is %s', (ts, at) => {
  expect(readExecution({ sql: 'select 1 from t', ts }, { sql: 'sql', time: 'ts' })).toMatchObject({ at })
})

test('a form that cannot be read is a clear error', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'query_log', { dialect: 'postgres', warehouse: await createTables(app), database: 'shop' })
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=log', 'multipart/form-data; boundary="'])
    for (const body of [
      '[[null, 1]]',
      '--log\r\n',
      '--log\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nsql\nselect 1',
    ]) {
      const answer = await app.call('POST', `/integration/query_log/${id}/upload`, { headers: { 'content-type': type }, body })
      expect([type, body, answer.status, answer.body.errors]).toEqual([type, body, 400, { body: ['must be a valid multipart form.'] }])
    }
})
