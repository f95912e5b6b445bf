import { describe, expect, test } from 'vitest'
import { analyse, dialectNames, findDialect } from './index.ts'

const read = (sql: string) => analyse(sql, { dialect: 'postgres' })

describe('what cannot be recognised', () => {
  for (const [sql, line, column, hint] of [
    ['selct a from t', 1, 1, 'Did you mean SELECT?'],
    ['\n\n  isnert into x select a from t', 3, 3, 'Did you mean INSERT?'],
    ['this is not sql', 1, 1, 'A statement begins with a word such as SELECT, INSERT, CREATE or MERGE.'],
    ['42', 1, 1, 'A statement begins with a word such as SELECT, INSERT, CREATE or MERGE.'],
  ] as const)
    test(JSON.stringify(sql), () => {
      const { parsable, statements, problems } = read(sql)
      expect({ parsable, statements }).toEqual({ parsable: false, statements: [] })
      expect(problems).toMatchObject([{ line, column, hint }])
    })

  for (const sql of ['', '   ', '-- only a comment', ';;'])
    test(`nothing at all is no problem, and no statement: ${JSON.stringify(sql)}`, () => {
      expect(read(sql)).toMatchObject({ parsable: false, statements: [], problems: [] })
    })

  test('a function without a statement in it is read', () => {
    expect(read('create function one() returns int as $$ begin return 1; end $$ language plpgsql')).toMatchObject({
      parsable: true,
      problems: [],
    })
  })

  for (const [sql, column, message] of [
    ['select * from', 10, 'There is no table behind FROM.'],
    ['select * from where a = 1', 10, 'There is no table behind FROM.'],
    ['select', 1, 'There is nothing behind SELECT.'],
    ['select from where', 8, 'There is no table behind FROM.'],
    ['insert into', 1, 'There is no table to insert into.'],
    ['update set a = 1', 1, 'There is no table to update, or no SET.'],
    ['merge into x', 1, 'A MERGE needs USING.'],
    ['create table', 1, 'There is no name for what is to be created.'],
    ['delete from', 1, 'There is no table to delete from.'],
  ] as const)
    test(sql, () => expect(read(sql)).toMatchObject({ parsable: false, problems: [{ line: 1, column, message }] }))

  test('one statement of two', () => {
    const { parsable, statements, problems } = read('insert into x select a from t;\nselct b from u')
    expect(parsable).toBe(true)
    expect(statements).toMatchObject([{ kind: 'insert' }])
    expect(problems).toMatchObject([{ line: 2, column: 1 }])
  })
})

describe('what was opened and never closed', () => {
  for (const [sql, column, message] of [
    ["select a from t where b = 'x", 27, 'This string is never closed.'],
    ['select (a from t', 8, 'This `(` is never closed.'],
    ['select a from t)', 16, 'This `)` closes nothing.'],
    ['select a from t /* b', 17, 'This comment is never closed.'],
  ] as const)
    test(sql, () => expect(read(sql).problems).toMatchObject([{ line: 1, column, message }]))

  test('the tables are found all the same', () => expect(read("select a from t where b = 'x").sources).toMatchObject([{ name: ['t'] }]))
})

describe('spans', () => {
  const sql = 'insert into  s.x (p)\nselect max( a ) as m from  t where b = 1'
  const text = ({ start, end }: { start: number; end: number }): string => sql.slice(start, end)
  const [statement] = read(sql).statements

  test('of tables', () => {
    expect(statement!.sources.map(text)).toEqual(['t'])
    expect(statement!.targets.map(text)).toEqual(['s.x'])
  })
  test('of pairs', () =>
    expect(statement!.columns.map((pair) => `${pair.kind}: ${text(pair)}`)).toEqual(['aggregation: max( a )', 'filter: b = 1']))
  test('of what stayed unresolved', () => {
    const other = 'select a, z.b from t, u'
    expect(read(other).statements[0]!.unresolved.map(({ start, end }) => other.slice(start, end))).toEqual(['a', 'z.b'])
  })
  test('inside the text of a function', () => {
    const script = 'do $$ begin insert into x select a from t; end $$'
    expect(read(script).sources.map(({ start, end }) => script.slice(start, end))).toEqual(['t'])
  })
})

describe('dialects', () => {
  for (const name of 'postgres postgresql redshift mysql mariadb bigquery snowflake databricks spark hive trino presto athena duckdb sqlite tsql mssql sqlserver oracle clickhouse teradata vertica db2 starrocks exasol ansi'.split(
    ' ',
  ))
    test(name, () => {
      expect(dialectNames).toContain(name)
      expect(findDialect(name.toUpperCase())).toBeDefined()
    })
  test('one that is not known is read as ansi', () =>
    expect(analyse('select a from t', { dialect: 'klingon' })).toMatchObject({ dialect: 'ansi', parsable: true }))
})

test('a table is asked for its columns once, by its full name', () => {
  const asked: string[] = []
  analyse('select a from t x, t y, T z; select b from t', {
    dialect: 'postgres',
    defaults: { database: 'd', schema: 's' },
    columnsOf: (name) => {
      asked.push(name.join('.'))
      return undefined
    },
  })
  expect(asked).toEqual(['d.s.t'])
})

test('columnsOf may throw: the answer says it is not complete', () => {
  const answer = analyse('select a from t', {
    dialect: 'ansi',
    columnsOf: () => {
      throw new Error('no catalog today')
    },
  })
  expect(answer.incomplete).toBe('internal')
})
