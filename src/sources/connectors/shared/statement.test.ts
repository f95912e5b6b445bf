import { describe, expect, test } from 'vitest'
import { assertSingleQuery, mostFrequentQueries, redactLiterals } from './statement.ts'

describe('accepts queries only', () => {
  for (const sql of [
    'select 1',
    ' /* why */ select 1; ',
    '(select 1)',
    'with a as (select 1) select * from a',
    'values (1)',
    "select 'a; drop table t'",
    'select 1 -- ; drop table t',
    'select "insert" from t',
    "select replace(a, 'delete', 'update') from t",
    'explain using json select 1',
    'explain (type io, format json) with a as (select 1) select * from a',
  ])
    test(`accepts: ${sql}`, () => expect(() => assertSingleQuery(sql, 'snowflake')).not.toThrow())
  for (const [sql, why] of [
    ['', 'The statement is empty.'],
    ['-- nothing', 'The statement is empty.'],
    [';', 'The statement is empty.'],
    ['select 1; select 2', 'Only a single statement is allowed.'],
    ['select 1; drop table t', 'Only a single statement is allowed.'],
    ['drop table t', 'Only queries are allowed.'],
    ['/* select */ delete from t', 'Only queries are allowed.'],
    ['put file:///etc/passwd @s', 'Only queries are allowed.'],
    ['call p()', 'Only queries are allowed.'],
    ['set x = 1', 'Only queries are allowed.'],
    ['explain', 'Only queries are allowed.'],
    ['explain analyze select 1', 'Only queries are allowed.'],
    ['explain using json delete from t', 'Only queries are allowed.'],
    ['explain with a as (select 1) delete from t', 'Only queries are allowed.'],
    ['with a as (select 1) insert into t select * from a', 'Only queries are allowed.'],
    ['with a as (select 1) delete from t', 'Only queries are allowed.'],
    ["select 'a", 'Unterminated string.'],
    ['select 1 /* ', 'Unterminated comment.'],
  ] as const)
    test(`rejects: ${sql}`, () => expect(() => assertSingleQuery(sql, 'snowflake')).toThrow(why))
})

for (const [dialect, sql, clean] of [
  ['snowflake', "select * from t where a = 'it''s' and b = 1.5e3", 'select * from t where a = ? and b = ?'],
  ['snowflake', 'select * from t where a in (1, 2, 3)', 'select * from t where a in (?)'],
  ['snowflake', 'select "a 1", t1.b from t1 -- for Ann', 'select "a 1", t1.b from t1'],
  ['snowflake', 'select /* 4711 */ a\n\nfrom t', 'select a\nfrom t'],
  ['bigquery', 'select "secret", `a-b`.c from `p-1.d.t`', 'select ?, `a-b`.c from `p-1.d.t`'],
  ['databricks', 'select "secret" from `t`', 'select ? from `t`'],
  ['trino', "select date '2026-01-01'", 'select date ?'],
] as const)
  test(`redacts literals: ${sql}`, () => expect(redactLiterals(sql, dialect)).toBe(clean))

test('groups queries that differ only in literals and sorts them by frequency', async () => {
  const statements = [
    { text: 'select a from t where b = 1', calls: 2, users: ['ann'] },
    { text: 'show tables', calls: 100, users: ['ann'] },
    { text: 'select a from t where b = 2', calls: 3, users: ['bob', 'ann'] },
    { text: 'select c from t', calls: 4, users: [] },
  ]
  expect(await mostFrequentQueries(statements, 'trino', 24)).toEqual([
    { text: 'select a from t where b = ?', calls: 5, users: ['ann', 'bob'], hours: 24 },
    { text: 'select c from t', calls: 4, users: [], hours: 24 },
  ])
})
