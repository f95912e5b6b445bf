import { describe, expect, test } from 'vitest'
import { frequent, mustBeQuery, withoutValues } from './statement.ts'

describe('only a query may be asked', () => {
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
    test(`yes: ${sql}`, () => expect(() => mustBeQuery(sql, 'snowflake')).not.toThrow())
  for (const [sql, why] of [
    ['', 'There is no statement in it.'],
    ['-- nothing', 'There is no statement in it.'],
    [';', 'There is no statement in it.'],
    ['select 1; select 2', 'It must be one statement.'],
    ['select 1; drop table t', 'It must be one statement.'],
    ['drop table t', 'Only a query can be asked.'],
    ['/* select */ delete from t', 'Only a query can be asked.'],
    ['put file:///etc/passwd @s', 'Only a query can be asked.'],
    ['call p()', 'Only a query can be asked.'],
    ['set x = 1', 'Only a query can be asked.'],
    ['explain', 'Only a query can be asked.'],
    ['explain analyze select 1', 'Only a query can be asked.'],
    ['explain using json delete from t', 'Only a query can be asked.'],
    ['explain with a as (select 1) delete from t', 'Only a query can be asked.'],
    ['with a as (select 1) insert into t select * from a', 'Only a query can be asked.'],
    ['with a as (select 1) delete from t', 'Only a query can be asked.'],
    ["select 'a", 'A string in it is not closed.'],
    ['select 1 /* ', 'A comment in it is not closed.'],
  ] as const)
    test(`no: ${sql}`, () => expect(() => mustBeQuery(sql, 'snowflake')).toThrow(why))
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
  test(`without values: ${sql}`, () => expect(withoutValues(sql, dialect)).toBe(clean))

test('queries that differ in their values alone are one; the most frequent come first', async () => {
  const asked = [
    { text: 'select a from t where b = 1', calls: 2, users: ['ann'] },
    { text: 'show tables', calls: 100, users: ['ann'] },
    { text: 'select a from t where b = 2', calls: 3, users: ['bob', 'ann'] },
    { text: 'select c from t', calls: 4, users: [] },
  ]
  expect(await frequent(asked, 'trino', 24)).toEqual([
    { text: 'select a from t where b = ?', calls: 5, users: ['ann', 'bob'], hours: 24 },
    { text: 'select c from t', calls: 4, users: [], hours: 24 },
  ])
})
