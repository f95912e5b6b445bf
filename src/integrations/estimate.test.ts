import { expect, test } from 'vitest'
import type { Rows } from './connectors/connector.ts'
import { wordsOf } from './connectors/words.ts'
import { inWords, mustBeAffordable } from './estimate.ts'

const table = (names: readonly string[], ...rows: Rows['rows']): Rows => ({
  columns: names.map((name) => ({ name, type: '' })),
  rows,
  truncated: false,
})

/** A source that gives this plan, or none. */
const asked = async (dialect: string, plan: Rows | undefined, known: number | null, counts = false, most = 1e9): Promise<string> => {
  const ask = async (): Promise<Rows> => plan ?? Promise.reject(new Error('There is no plan.'))
  return mustBeAffordable({ dialect, words: wordsOf(dialect), reads_at_most: most, ask }, 'select 1', { rows: known, counts }).then(
    () => 'fine',
    (error: Error) => error.message.replace(/;.*/, ''),
  )
}

const json = (plan: unknown): Rows => table(['plan'], [JSON.stringify(plan)])
const ESTIMATE = ['database', 'table', 'parts', 'rows', 'marks']
const snowflake = (partitionsAssigned: number) => json({ GlobalStats: { partitionsTotal: 1000, partitionsAssigned, bytesAssigned: 1 } })

// Plans in the shapes that are documented; real servers are asked in test/monitors-cost.test.ts.
test.each([
  ['few rows are known', 'clickhouse', undefined, 5e8, 'fine'],
  ['many rows are known, and no plan', 'redshift', undefined, 3e9, 'It would read about 3 billion rows'],
  ['nothing is known', 'sqlite', undefined, null, 'fine'],
  ['ClickHouse reads few of many', 'clickhouse', table(ESTIMATE, ['d', 't', 1, 8192, 1]), 3e9, 'fine'],
  [
    'ClickHouse reads many',
    'clickhouse',
    table(ESTIMATE, ['d', 't', 9, '1500000000', 9], ['d', 'u', 9, 5e8, 9]),
    null,
    'It would read about 2 billion rows',
  ],
  ['ClickHouse cannot say', 'clickhouse', table(ESTIMATE), 3e9, 'It would read about 3 billion rows'],
  ['Snowflake leaves most partitions', 'snowflake', snowflake(10), 3e9, 'fine'],
  ['Snowflake reads most partitions', 'snowflake', snowflake(900), 3e9, 'It would read about 2.7 billion rows'],
  ['Snowflake of a view', 'snowflake', snowflake(900), null, 'fine'],
  [
    'Trino reads much',
    'trino',
    json({ inputTableColumnInfos: [{ estimate: { outputRowCount: 4e9 } }] }),
    null,
    'It would read about 4 billion rows',
  ],
  ['Trino has no statistics', 'trino', json({ inputTableColumnInfos: [{ estimate: { outputRowCount: 'NaN' } }] }), null, 'fine'],
  ['what is no plan', 'trino', table(['x'], ['oh']), null, 'fine'],
] as const)('%s', async (_, dialect, plan, known, said) => expect(await asked(dialect, plan, known)).toBe(said))

// In the form of real answers: from Trino's documentation and the code that prints its plans, from Snowflake's documentation, from ClickHouse's
// issues 26131, 35510 and 58340.
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
/** As newer ones print constraints. One table was analysed, the other never. */
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
/** Older ones, and Presto today. */
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
  ['Trino, where one table has no statistics: at least the other', 'trino', table(['Query Plan'], [TRINO_PARTLY]), null, 6_001_215],
  ['and at least what the catalog knows', 'trino', table(['Query Plan'], [TRINO_PARTLY]), 7e9, 7e9],
  ['Trino of old names no rows: what the catalog knows', 'trino', table(['Query Plan'], [TRINO_OLD]), 1500, 1500],
  ['Snowflake, two tables in full', 'snowflake', table(['content'], [SNOWFLAKE]), 5000, 5000],
  ['Snowflake with no partition to count', 'snowflake', table(['content'], [NOTHING]), 5000, 5000],
  ['ClickHouse', 'clickhouse', table(ESTIMATE, ['default', 'lineorder_flat', '14', '14430068', '1780']), null, 14_430_068],
  ['ClickHouse: a limit is not reckoned with', 'clickhouse', table(ESTIMATE, ['system', 'query_log', 16, 1_824_132, 308]), 2e6, 1_824_132],
  ['ClickHouse: a Merge or Distributed table has no estimate', 'clickhouse', table(ESTIMATE), 1e7, 1e7],
  // Plans in words and trees have another column, and are no answer to ESTIMATE.
  ['ClickHouse: a plan in words says nothing', 'clickhouse', table(['explain'], ['ReadFromMergeTree (default.t)']), 1e7, 1e7],
] as const)('a real answer: %s', async (_, dialect, plan, known, rows) => {
  expect(await asked(dialect, plan, known, false, rows)).toBe('fine')
  expect(await asked(dialect, plan, known, false, rows - 1)).toBe(`It would read about ${inWords(rows)} rows`)
})

test('a count that costs nothing is asked, however many there are', async () => {
  expect(await asked('snowflake', undefined, 9e9, true)).toBe('fine')
  expect(await asked('postgres', undefined, 9e9, true)).toBe('It would read about 9 billion rows')
})

test('numbers in words', () =>
  expect([12, 1234, 1_234_567, 2e9, 1.5e13].map(inWords)).toEqual(['12', '1,234', '1.23 million', '2 billion', '15 trillion']))
