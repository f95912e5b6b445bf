import { validate } from '@polyglot-sql/sdk'
import { expect, test } from 'vitest'
import { buildBackfillStatements } from '../../../src/observability/runs/backfill-sql.ts'
import {
  buildCombinedStatement,
  buildFailingRowsStatement,
  buildSeparateStatement,
  type MetricRequest,
} from '../../../src/observability/runs/metric-sql.ts'
import { displaySql, histogramSql, sampleValuesSql, summarySql, topSql } from '../../../src/observability/source-tables/statements.ts'
import { getDialectSql } from '../../../src/sources/connectors/shared/dialect-sql.ts'
import type { RecordedStatement } from '../../protocols/loopback.ts'
import { createSqlServer } from '../../protocols/sqlserver.ts'
import { findByKey, listUpstream } from '../../support/connectors.ts'
import { BOUNDS, measureTogether } from '../../support/monitors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const PASSWORD = 'correct horse'
const [TEXT, NUMBER] = ['nvarchar', 'bigint']
const texts = (...names: readonly string[]): [string, string][] => names.map((name) => [name, TEXT])
const numbers = (...names: readonly string[]): [string, string][] => names.map((name) => [name, NUMBER])

/** The results have the columns that the statements select, in their order and with their types. */
const RECORDED: readonly RecordedStatement[] = [
  { matches: /serverproperty/, columns: texts('version', 'edition', 'database'), rows: [['16.0.4105.2', 'Developer Edition', 'master']] },
  { matches: /from sys\.databases/, columns: texts('name'), rows: [['shop']] },
  { matches: /from \[shop\]\.sys\.schemas/, columns: texts('name', 'comment'), rows: [['dbo', 'The shop.']] },
  {
    matches: /from \[shop\]\.sys\.objects/,
    columns: [
      ...numbers('id'),
      ...texts('schema', 'name', 'type', 'modified', 'comment', 'definition'),
      ...numbers('row_count', 'byte_size'),
    ],
    rows: [
      [1, 'dbo', 'customers', 'U', '2026-04-01T08:00:00.000', null, null, 2, 8192],
      [2, 'dbo', 'orders', 'U', '2026-04-01T08:00:00.000', 'All orders.', null, 3_000_000_000, 8192],
      [
        3,
        'dbo',
        'open_orders',
        'V',
        '2026-04-01T08:00:00.000',
        null,
        'create view dbo.open_orders as select top (10) [id], price from dbo.orders',
        null,
        null,
      ],
    ],
  },
  {
    matches: /from \[shop\]\.sys\.columns c/,
    columns: [
      ...numbers('table_id', 'id'),
      ...texts('schema', 'table', 'name'),
      ...numbers('position'),
      ...texts('type'),
      ...numbers('max_length', 'precision', 'scale', 'nullable', 'identity'),
      ...texts('computed', 'default_value'),
      ...numbers('is_pk'),
      ...texts('comment'),
    ],
    rows: [
      [1, 1, 'dbo', 'customers', 'id', 1, 'int', 4, 10, 0, 0, 1, null, null, 1, null],
      [2, 1, 'dbo', 'orders', 'id', 1, 'int', 4, 10, 0, 0, 1, null, null, 1, null],
      [2, 2, 'dbo', 'orders', 'price', 2, 'decimal', 9, 10, 2, 1, 0, null, '((0))', 0, 'In euros.'],
      [2, 3, 'dbo', 'orders', 'customer', 3, 'nvarchar', 100, 0, 0, 1, 0, null, null, 0, null],
      [2, 4, 'dbo', 'orders', 'note', 4, 'varchar', -1, 0, 0, 1, 0, null, null, 0, null],
      [3, 1, 'dbo', 'open_orders', 'id', 1, 'int', 4, 10, 0, 0, 0, null, null, 0, null],
      [3, 2, 'dbo', 'open_orders', 'price', 2, 'decimal', 9, 10, 2, 1, 0, null, null, 0, null],
    ],
  },
  {
    matches: /from \[shop\]\.sys\.foreign_keys/,
    columns: [...numbers('table_id'), ...texts('name', 'column', 'to_schema', 'to_table', 'to_column')],
    rows: [[2, 'fk_customer', 'customer', 'dbo', 'customers', 'id']],
  },
]

const connect = (port: number) => ({ host: '127.0.0.1', port, user: 'reader', password: PASSWORD, ssl: false })

test('tables, views, keys and lineage of a server', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using server = await createSqlServer(RECORDED, PASSWORD)
  const id = await createTestIntegration(app, 'sqlserver', connect(server.port))
  expect(await runSync(app, id)).toMatchObject({
    ...{ status: 'COMPLETED', error: null },
    report: { new: { database: 1, schema: 1, table: 3, column: 7 } },
  })
  expect(await findByKey(app, id, 'shop.dbo')).toMatchObject({ description: 'The shop.' })
  expect(await findByKey(app, id, 'shop.dbo.orders')).toMatchObject({
    native_type: 'table',
    description: 'All orders.',
    row_count: 3_000_000_000,
    display_metadata: { foreign_keys: [{ name: 'fk_customer', columns: ['customer'], table: 'dbo.customers', to: ['id'] }] },
  })
  expect(await findByKey(app, id, 'shop.dbo.orders.id')).toMatchObject({ native_type: 'int', is_pk: true })
  expect(await findByKey(app, id, 'shop.dbo.orders.price')).toMatchObject({
    native_type: 'decimal(10,2)',
    description: 'In euros.',
    is_pk: false,
    display_metadata: { nullable: true, default: '((0))' },
  })
  expect(await findByKey(app, id, 'shop.dbo.orders.customer')).toMatchObject({ native_type: 'nvarchar(50)' })
  expect(await findByKey(app, id, 'shop.dbo.orders.note')).toMatchObject({ native_type: 'varchar(max)' })
  const view = await findByKey(app, id, 'shop.dbo.open_orders')
  expect(view.native_type).toBe('view')
  expect(await listUpstream(app, view.id, 'table')).toEqual(['orders'])
  expect(await listUpstream(app, (await findByKey(app, id, 'shop.dbo.open_orders.price')).id, 'column')).toEqual(['price'])
  await expectNoChanges(app, id, { database: 1, schema: 1, table: 3, column: 7 })
  expect(server.statements.every((sql) => /^\s*select /i.test(sql))).toBe(true)
})

test('errors of the server in its words, without the password', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const denied = RECORDED.map((each) =>
    /objects/.test(each.matches.source) ? { ...each, error: 'The SELECT permission was denied on the object.' } : each,
  )
  await using server = await createSqlServer(denied, PASSWORD)
  const id = await createTestIntegration(app, 'sqlserver', connect(server.port))
  const synced = await runSync(app, id)
  expect([synced.status, synced.error]).toEqual(['FAILED', expect.stringContaining('The SELECT permission was denied on the object.')])
  const wrong = await createTestIntegration(app, 'sqlserver', { ...connect(server.port), password: 'wrong horse' }, { name: 'Other' })
  const tested = await app.call('POST', `/integration/integrations/${wrong}/test`)
  expect([tested.status, tested.body.detail]).toEqual([400, expect.stringMatching(/Login failed/)])
  expect(tested.body.detail).not.toContain('wrong horse')
})

test('previews and monitors read tables with T-SQL, and custom SQL is rejected', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using server = await createSqlServer(
    [
      ...RECORDED,
      {
        matches: /fetch next 51 rows only$/,
        columns: [...numbers('id'), ...texts('price', 'customer', 'note')],
        rows: [[1, '3.50', 'x', null]],
      },
      { matches: /^select count\(\*\) as m0/, columns: numbers('m0', 'm1', 'm2'), rows: [[7, 5, 3]] },
    ],
    PASSWORD,
  )
  const id = await createTestIntegration(app, 'sqlserver', { ...connect(server.port), max_million_rows: 5_000 })
  await runSync(app, id)
  const table = await findByKey(app, id, 'shop.dbo.orders')
  const preview = await app.call('GET', `/resource/preview_v2/table/${table.id}`)
  expect([preview.status, preview.body.rows]).toEqual([200, [[1, '3.50', 'x', null]]])
  const { id: price } = await findByKey(app, id, 'shop.dbo.orders.price')
  expect(
    await measureTogether(app, {
      rows: { target: table.id, metric_type: 'row_count' },
      mean: { target: price, metric_type: 'mean' },
    }),
  ).toEqual({ rows: 7, mean: 5 })
  expect(server.statements).toContain('select count(*) as m0, avg(cast("price" as float)) as m1 from "shop"."dbo"."orders"')
  const select = { query_select: 'select 1 as x delete from orders' }
  for (const [body, problem] of [
    [{ target: table.id, metric_type: 'custom_sql', metric_config: select }, 'is not supported for this type of source'],
    [{ target: table.id, metric_type: 'row_count', metric_config: { where: '1 = 1' } }, 'is not supported for this type of source'],
    [
      { target: price, metric_type: 'pattern', metric_config: { pattern: 'x' } },
      'cannot be used because this source has no regular expressions. Use accepted_values for a list of values or range for numbers, or monitor the mean of a computed column that is 0 or 1.',
    ],
  ] as const) {
    const { status, text } = await app.call('POST', '/monitor/monitors', { body: { ...BOUNDS, ...body } })
    expect([body, status, text]).toEqual([body, 400, expect.stringContaining(problem)])
  }
})

/** No SQL Server is available: the statements are read by another parser of its dialect. */
test('the statements of previews, profiles and monitors are T-SQL', () => {
  const tsql = getDialectSql('tsql')
  const path = ['shop', 'dbo', 'or"der]s']
  const columns = [
    { name: 'id', native_type: 'int' },
    { name: 'at', native_type: 'datetime' },
    { name: 'no"te', native_type: 'nvarchar(50)' },
  ].map((column, i) => ({ ...column, id: String(i), withheld: null, position: i })) as never
  const { from } = tsql.sample(path, { rows: 100, of: 1_000_000, kind: 'table' })
  const all = (more: Partial<MetricRequest>): MetricRequest => ({ id: 'm', metric_type: '', column: 'id', timestamp_column: 'at', ...more })
  const combined = 'row_count null_percentage unique_percentage cardinality min max mean freshness partition_freshness partition_gaps'
  const failing = [
    all({ metric_type: 'accepted_values', column: 'no"te', values: ["it's", 'schön'] }),
    all({ metric_type: 'range', min_value: 1, max_value: 5 }),
    all({ metric_type: 'duplicates', key_columns: ['id', 'at'] }),
    all({ metric_type: 'referential', reference: { path: ['shop', 'dbo', 'customers'], column: 'id' } }),
  ]
  const backfill = buildBackfillStatements(tsql, { ...all({ metric_type: 'mean' }), path }, 'at', {
    ...{ frequency: 24, last_run: new Date(0), hours_ago: 2 },
  })
  const statements = [
    `select ${displaySql(tsql, 'no"te', 'nvarchar(50)')} from ${tsql.table(path)} ${tsql.limit(51)}`,
    `select count(*) from ${tsql.sample(path, { rows: 10, of: 5 }).from} s`,
    sampleValuesSql(tsql, columns, from, 100),
    summarySql(tsql, columns, from, true),
    histogramSql(tsql, [{ name: 'at', native_type: 'datetime', bounds: [tsql.timestampLiteral('2026-01-02 03:04:05')] }] as never, from),
    topSql(tsql, columns, from),
    buildCombinedStatement(
      tsql,
      path,
      [...combined.split(' ').map((metric_type) => all({ metric_type })), ...failing.slice(0, 2)].map((each, i) => ({
        ...each,
        id: `m${i}`,
      })),
    ).sql,
    ...failing.slice(2).map((each) => buildSeparateStatement(tsql, path, each)),
    ...failing.map((each) => buildFailingRowsStatement(tsql, path, each, { items: ['"id"'], rows: 20 })),
    ...backfill.statements,
  ]
  for (const sql of statements) expect([sql, validate(sql, 'tsql').valid]).toEqual([sql, true])
  expect(statements.join('\n')).toContain('"shop"."dbo"."or""der]s"')
  expect(statements.join('\n')).toContain("N'it''s', N'schön'")
  expect(statements.some((sql) => /\blimit\b|\bsubstr\(/.test(sql))).toBe(false)
  // The other parser accepts it without an order, SQL Server does not.
  const count = (pattern: RegExp) => statements.join('\n').match(pattern)?.length
  expect(count(/order by (\(select null\)|count\(\*\) desc, .*) offset 0 rows fetch next/g)).toBe(count(/offset 0 rows/g))
})
