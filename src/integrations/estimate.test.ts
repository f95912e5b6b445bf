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
const asked = async (dialect: string, plan: Rows | undefined, known: number | null, counts = false): Promise<string> => {
  const ask = async (): Promise<Rows> => plan ?? Promise.reject(new Error('There is no plan.'))
  return mustBeAffordable({ dialect, words: wordsOf(dialect), reads_at_most: 1e9, ask }, 'select 1', { rows: known, counts }).then(
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

test('a count that costs nothing is asked, however many there are', async () => {
  expect(await asked('snowflake', undefined, 9e9, true)).toBe('fine')
  expect(await asked('postgres', undefined, 9e9, true)).toBe('It would read about 9 billion rows')
})

test('numbers in words', () =>
  expect([12, 1234, 1_234_567, 2e9, 1.5e13].map(inWords)).toEqual(['12', '1,234', '1.23 million', '2 billion', '15 trillion']))
