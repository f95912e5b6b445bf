import { expect, test } from 'vitest'
import type { SourceRows } from '../connectors/shared/connector.ts'
import { getDialectSql } from '../connectors/shared/dialect-sql.ts'
import { assertWithinRowLimit, formatRowCount } from './estimate.ts'

const table = (names: readonly string[], ...rows: SourceRows['rows']): SourceRows => ({
  columns: names.map((name) => ({ name, type: '' })),
  rows,
  truncated: false,
})

/** A source that returns this plan, or fails to explain the query. */
const checkLimit = async (
  dialect: string,
  plan: SourceRows | undefined,
  knownRows: number | null,
  counts = false,
  maxRows = 1e9,
): Promise<string> => {
  const query = async (): Promise<SourceRows> => plan ?? Promise.reject(new Error('No plan.'))
  return assertWithinRowLimit({ dialect, dialectSql: getDialectSql(dialect), max_scanned_rows: maxRows, query }, 'select 1', {
    rows: knownRows,
    counts,
  }).then(
    () => 'fine',
    (error: Error) => error.message.replace(/;.*/, ''),
  )
}

const json = (plan: unknown): SourceRows => table(['plan'], [JSON.stringify(plan)])
const ESTIMATE = ['database', 'table', 'parts', 'rows', 'marks']
const snowflake = (partitionsAssigned: number) => json({ GlobalStats: { partitionsTotal: 1000, partitionsAssigned, bytesAssigned: 1 } })

// Plans in the documented shapes; test/monitors/monitors-cost.test.ts runs against real servers.
test.each([
  ['a small table', 'clickhouse', undefined, 5e8, 'fine'],
  ['a large table without a plan', 'redshift', undefined, 3e9, 'This query would scan about 3 billion rows'],
  ['an unknown row count', 'sqlite', undefined, null, 'fine'],
  ['ClickHouse scans few rows of many', 'clickhouse', table(ESTIMATE, ['d', 't', 1, 8192, 1]), 3e9, 'fine'],
  [
    'ClickHouse scans many rows',
    'clickhouse',
    table(ESTIMATE, ['d', 't', 9, '1500000000', 9], ['d', 'u', 9, 5e8, 9]),
    null,
    'This query would scan about 2 billion rows',
  ],
  ['ClickHouse without an estimate', 'clickhouse', table(ESTIMATE), 3e9, 'This query would scan about 3 billion rows'],
  ['Snowflake prunes most partitions', 'snowflake', snowflake(10), 3e9, 'fine'],
  ['Snowflake reads most partitions', 'snowflake', snowflake(900), 3e9, 'This query would scan about 2.7 billion rows'],
  ['Snowflake view', 'snowflake', snowflake(900), null, 'fine'],
  [
    'Trino scans many rows',
    'trino',
    json({ inputTableColumnInfos: [{ estimate: { outputRowCount: 4e9 } }] }),
    null,
    'This query would scan about 4 billion rows',
  ],
  ['Trino has no statistics', 'trino', json({ inputTableColumnInfos: [{ estimate: { outputRowCount: 'NaN' } }] }), null, 'fine'],
  ['an unparsable plan', 'trino', table(['x'], ['oh']), null, 'fine'],
] as const)('%s', async (_, dialect, plan, knownRows, expected) => expect(await checkLimit(dialect, plan, knownRows)).toBe(expected))

// Real responses: from the documentation and plan printer of Trino, the documentation of Snowflake, and the ClickHouse issues 26131, 35510
// and 58340.
const TRINO_HIVE = `{
  "inputTableColumnInfos" : [ {
    "table" : { "catalog" : "hive", "schemaTable" : { "schema" : "tpch", "table" : "test_orders" } },
    "columnConstraints" : [ { "columnName" : "orderkey", "type" : "bigint", "domain" : { "nullsAllowed" : false, "ranges" : [ {
      "low" : { "value" : "1", "bound" : "EXACTLY" }, "high" : { "value" : "2", "bound" : "EXACTLY" } } ] } } ],
    "estimate" : { "outputRowCount" : 2.0, "outputSizeInBytes" : 40.0, "cpuCost" : 40.0, "maxMemory" : 0.0, "networkCost" : 0.0 }
  } ],
  "outputTable" : { "catalog" : "hive", "schemaTable" : { "schema" : "tpch", "table" : "test_orders" } },
  "estimate" : { "outputRowCount" : "NaN", "outputSizeInBytes" : "NaN", "cpuCost" : "NaN", "maxMemory" : "NaN", "networkCost" : "NaN" }
}`
/** The constraint format of newer versions. One table was analyzed, the other was not. */
const TRINO_PARTLY = `{
  "inputTableColumnInfos" : [ {
    "table" : { "catalog" : "tpch", "schemaTable" : { "schema" : "sf1", "table" : "lineitem" } },
    "constraint" : { "none" : false, "columnConstraints" : [ ] },
    "estimate" : { "outputRowCount" : 6001215.0, "outputSizeInBytes" : 54010935.0, "cpuCost" : 54010935.0, "maxMemory" : 0.0, "networkCost" : 0.0 }
  }, {
    "table" : { "catalog" : "hive", "schemaTable" : { "schema" : "raw", "table" : "events" } },
    "constraint" : { "none" : false, "columnConstraints" : [ ] },
    "estimate" : { "outputRowCount" : "NaN", "outputSizeInBytes" : "NaN", "cpuCost" : "NaN", "maxMemory" : 0.0, "networkCost" : 0.0 }
  } ],
  "estimate" : { "outputRowCount" : "NaN", "outputSizeInBytes" : "NaN", "cpuCost" : "NaN", "maxMemory" : "NaN", "networkCost" : "NaN" }
}`
/** Older versions, and Presto today. */
const TRINO_OLD = `{
  "inputTableColumnInfos" : [ {
    "table" : { "catalog" : "tpch", "schemaTable" : { "schema" : "sf0.01", "table" : "customer" } },
    "columnConstraints" : [ ]
  } ]
}`
const SNOWFLAKE = `{"GlobalStats":{"partitionsTotal":2,"partitionsAssigned":2,"bytesAssigned":1024},"Operations":[[{"id":0,"operation":"Result","expressions":["Z1.ID","Z2.ID"]},{"id":1,"parentOperators":[0],"operation":"InnerJoin","expressions":["joinKey: (Z2.ID = Z1.ID)"]},{"id":2,"parentOperators":[1],"operation":"TableScan","objects":["TESTDB.TEMPORARY_DOC_TEST.Z2"],"expressions":["ID"],"partitionsAssigned":1,"partitionsTotal":1,"bytesAssigned":512},{"id":3,"parentOperators":[1],"operation":"JoinFilter","expressions":["joinKey: (Z2.ID = Z1.ID)"]},{"id":4,"parentOperators":[3],"operation":"TableScan","objects":["TESTDB.TEMPORARY_DOC_TEST.Z1"],"expressions":["ID"],"partitionsAssigned":1,"partitionsTotal":1,"bytesAssigned":512}]]}`
const NOTHING = `{"GlobalStats":{"partitionsTotal":0,"partitionsAssigned":0,"bytesAssigned":0}}`

test.each([
  ['Trino on Hive', 'trino', table(['Query Plan'], [TRINO_HIVE]), null, 2],
  ['Trino, one table without statistics: at least the other', 'trino', table(['Query Plan'], [TRINO_PARTLY]), null, 6_001_215],
  ['Trino, one table without statistics: at least the row count in the catalog', 'trino', table(['Query Plan'], [TRINO_PARTLY]), 7e9, 7e9],
  ['older Trino reports no rows: the row count in the catalog', 'trino', table(['Query Plan'], [TRINO_OLD]), 1500, 1500],
  ['Snowflake, two tables in full', 'snowflake', table(['content'], [SNOWFLAKE]), 5000, 5000],
  ['Snowflake without partitions', 'snowflake', table(['content'], [NOTHING]), 5000, 5000],
  ['ClickHouse', 'clickhouse', table(ESTIMATE, ['default', 'lineorder_flat', '14', '14430068', '1780']), null, 14_430_068],
  ['ClickHouse ignores a limit', 'clickhouse', table(ESTIMATE, ['system', 'query_log', 16, 1_824_132, 308]), 2e6, 1_824_132],
  ['ClickHouse: a Merge or Distributed table has no estimate', 'clickhouse', table(ESTIMATE), 1e7, 1e7],
  // Plans as text or trees have other columns and are not an ESTIMATE result.
  ['ClickHouse: a text plan is ignored', 'clickhouse', table(['explain'], ['ReadFromMergeTree (default.t)']), 1e7, 1e7],
] as const)('real response: %s', async (_, dialect, plan, knownRows, rows) => {
  expect(await checkLimit(dialect, plan, knownRows, false, rows)).toBe('fine')
  expect(await checkLimit(dialect, plan, knownRows, false, rows - 1)).toBe(`This query would scan about ${formatRowCount(rows)} rows`)
})

test('allows a free row count of any size', async () => {
  expect(await checkLimit('snowflake', undefined, 9e9, true)).toBe('fine')
  expect(await checkLimit('postgres', undefined, 9e9, true)).toBe('This query would scan about 9 billion rows')
})

test('formats row counts', () =>
  expect([12, 1234, 1_234_567, 2e9, 1.5e13].map(formatRowCount)).toEqual(['12', '1,234', '1.23 million', '2 billion', '15 trillion']))
