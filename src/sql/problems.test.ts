import { describe, expect, test } from 'vitest'
import { analyse, dialectNames, findDialect } from './index.ts'

const read = (sql: string) => analyse(sql, { dialect: 'postgres' })

describe('unrecognized statements', () => {
  for (const [sql, line, column, hint] of [
    ['selct a from t', 1, 1, 'Did you mean SELECT?'],
    ['\n\n  isnert into x select a from t', 3, 3, 'Did you mean INSERT?'],
    ['this is not sql', 1, 1, 'A statement starts with a keyword such as SELECT, INSERT, CREATE or MERGE.'],
    ['42', 1, 1, 'A statement starts with a keyword such as SELECT, INSERT, CREATE or MERGE.'],
  ] as const)
    test(JSON.stringify(sql), () => {
      const { parsable, statements, problems } = read(sql)
      expect({ parsable, statements }).toEqual({ parsable: false, statements: [] })
      expect(problems).toMatchObject([{ line, column, hint }])
    })

  for (const sql of ['', '   ', '-- only a comment', ';;'])
    test(`empty text has neither problems nor statements: ${JSON.stringify(sql)}`, () => {
      expect(read(sql)).toMatchObject({ parsable: false, statements: [], problems: [] })
    })

  test('accepts a function without a statement', () => {
    expect(read('create function one() returns int as $$ begin return 1; end $$ language plpgsql')).toMatchObject({
      parsable: true,
      problems: [],
    })
  })

  for (const [sql, column, message] of [
    ['select * from', 10, 'Missing table after FROM.'],
    ['select * from where a = 1', 10, 'Missing table after FROM.'],
    ['select', 1, 'Missing columns after SELECT.'],
    ['select from where', 8, 'Missing table after FROM.'],
    ['insert into', 1, 'Missing table after INSERT INTO.'],
    ['update set a = 1', 1, 'UPDATE needs a table and a SET clause.'],
    ['merge into x', 1, 'MERGE needs a USING clause.'],
    ['create table', 1, 'Missing name after CREATE.'],
    ['delete from', 1, 'Missing table after DELETE FROM.'],
  ] as const)
    test(sql, () => expect(read(sql)).toMatchObject({ parsable: false, problems: [{ line: 1, column, message }] }))

  test('parses one statement of two', () => {
    const { parsable, statements, problems } = read('insert into x select a from t;\nselct b from u')
    expect(parsable).toBe(true)
    expect(statements).toMatchObject([{ kind: 'insert' }])
    expect(problems).toMatchObject([{ line: 2, column: 1 }])
  })
})

describe('unclosed brackets, strings and comments', () => {
  for (const [sql, column, message] of [
    ["select a from t where b = 'x", 27, 'This string is not closed.'],
    ['select (a from t', 8, 'This `(` is not closed.'],
    ['select a from t)', 16, 'This `)` has no matching opening bracket.'],
    ['select a from t /* b', 17, 'This comment is not closed.'],
  ] as const)
    test(sql, () => expect(read(sql).problems).toMatchObject([{ line: 1, column, message }]))

  test('still finds the tables', () => expect(read("select a from t where b = 'x").sources).toMatchObject([{ name: ['t'] }]))
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
  test('of unresolved names', () => {
    const other = 'select a, z.b from t, u'
    expect(read(other).statements[0]!.unresolved.map(({ start, end }) => other.slice(start, end))).toEqual(['a', 'z.b'])
  })
  test('inside a function body', () => {
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
  test('an unknown dialect is parsed as ansi', () =>
    expect(analyse('select a from t', { dialect: 'klingon' })).toMatchObject({ dialect: 'ansi', parsable: true }))
})

test('requests the columns of a table once, by its full name', () => {
  const requested: string[] = []
  analyse('select a from t x, t y, T z; select b from t', {
    dialect: 'postgres',
    defaults: { database: 'd', schema: 's' },
    columnsOf: (name) => {
      requested.push(name.join('.'))
      return undefined
    },
  })
  expect(requested).toEqual(['d.s.t'])
})

test('marks the result as incomplete when columnsOf throws', () => {
  const analysis = analyse('select a from t', {
    dialect: 'ansi',
    columnsOf: () => {
      throw new Error('no catalog today')
    },
  })
  expect(analysis.incomplete).toBe('internal')
})
