import { describe, expect, test } from 'vitest'
import { analyse } from './index.ts'

const many = (count: number, make: (n: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(between)

/** Texts that grow with a number. */
const GROWING: Readonly<Record<string, (size: number) => string>> = {
  'parentheses around a column': (n) => `select ${'('.repeat(n)}a${')'.repeat(n)} as x from t`,
  'parentheses around a table': (n) => `select a from ${'('.repeat(n)}t${')'.repeat(n)}`,
  'parentheses around a query': (n) => `${'('.repeat(n)}select a from t${')'.repeat(n)}`,
  'parentheses around an expression with a query': (n) => `select ${'('.repeat(n)}(select a from t) + 1${')'.repeat(n)} as x from u`,
  'parentheses never closed': (n) => `select ${'('.repeat(n)} a from t`,
  'a list of numbers': (n) => `select a from t where b in (${many(n, String, ',')})`,
  conditions: (n) => `select a from t where ${many(n, (i) => `c${i} = ${i}`, ' and ')}`,
  branches: (n) => many(n, (i) => `select a, b from t${i}`, ' union all '),
  functions: (n) => `select ${'f('.repeat(n)}a${')'.repeat(n)} as x from t`,
  cases: (n) => `select ${'case when a then b else '.repeat(n)}c${' end'.repeat(n)} as x from t`,
  casts: (n) => `select ${'cast('.repeat(n)}a${' as int)'.repeat(n)} as x from t`,
  'common tables': (n) => `with c0 as (select a from t)${many(n, (i) => `, c${i + 1} as (select a from c${i})`, '')} select a from c${n}`,
  joins: (n) => `select t0.a from t0 ${many(n, (i) => `join t${i + 1} on t${i}.a = t${i + 1}.a`)}`,
  'select items': (n) => `insert into x select ${many(n, (i) => `c${i} as d${i}`, ', ')} from t`,
  'struct stars': (n) =>
    `with c as (select [struct(${many(n, (i) => `a${i} as f${i}`, ', ')})] as s from t) select m.* from c, unnest(s) as m`,
  'structs in structs': (n) => `select ${'struct('.repeat(n)}a as b${' as b)'.repeat(n)}.* from t`,
  'rows in rows': (n) => `select ${'coalesce('.repeat(n)}t${')'.repeat(n)}.* from t`,
  'rows in parentheses': (n) => `select ${'('.repeat(n)}t${')'.repeat(n)}.* from t`,
  'lines of commands': (n) => `select a from t;\n${"\\echo it's\n".repeat(n)}select b from u`,
  'copies of rows': (n) => many(n, (i) => `copy t${i} from stdin;\n1\tx\n\\.`, '\n'),
  'copies without rows': (n) => many(n, (i) => `copy t${i} from stdin;`, '\n'),
  assignments: (n) => `do $$ declare a int; begin ${many(n, (i) => `a := (select b from t${i});`)} end $$`,
  routines: (n) => many(n, (i) => `create function f${i}() returns int as $$ begin return ${i}; end $$ language plpgsql;`, '\n'),
  'rows of values': (n) => `insert into t (a, b) values ${many(n, (i) => `(${i}, 'x')`, ', ')}`,
  statements: (n) => many(n, (i) => `insert into t${i} select a from s${i}`, ';\n'),
  'parts of a name': (n) => `select ${'a.'.repeat(n)}b from t`,
  commas: (n) => `select ${','.repeat(n)} from t`,
  quotes: (n) => `select ${"'".repeat(n)}`,
  comments: (n) => `select ${'/* '.repeat(n)}`,
  'comments in comments, never closed': (n) => `select ${'/*'.repeat(n)}`,
  'comments in comments, half of them closed': (n) => `select ${'/*/* '.repeat(n)}${'*/ '.repeat(n)}`,
}

/** Only a few dialects have structs. */
const dialectOf = (what: string): string => (/struct|rows in/.test(what) ? 'bigquery' : 'postgres')

/** CPU milliseconds of this thread, the best of three runs, so that other processes and garbage collection do not count. */
const cpu = (sql: string, dialect: string): number => {
  const measureOnce = (): number => {
    const before = process.threadCpuUsage()
    analyse(sql, { dialect, milliseconds: 60_000 })
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(measureOnce(), measureOnce(), measureOnce())
}

describe('work grows linearly with the text', () => {
  for (const [what, make] of Object.entries(GROWING)) {
    test(`${what}: steps`, () => {
      const [small, large] = [500, 4_000].map((size) => {
        const analysis = analyse(make(size), { dialect: dialectOf(what), milliseconds: 60_000 })
        expect(analysis.incomplete).toBeNull()
        return analysis.steps
      })
      expect(large! / Math.max(small!, 100)).toBeLessThan(8.5)
    })

    // Eight times the text: linear work takes 8 times as long, quadratic work 64 times. On a busy machine caches and garbage collection
    // slow down the larger text, so there are three attempts; quadratic work fails all of them.
    test(`${what}: CPU`, () => {
      const ratio = (): number => cpu(make(8_000), dialectOf(what)) / Math.max(cpu(make(1_000), dialectOf(what)), 1)
      const ratios: number[] = []
      while (ratios.length < 3 && !ratios.some((one) => one < 32)) ratios.push(ratio())
      expect(Math.min(...ratios)).toBeLessThan(32)
    })
  }
})

test('ten thousand parentheses', () => {
  const { statements, incomplete } = analyse(GROWING['parentheses around a column']!(10_000), { dialect: 'ansi' })
  expect(incomplete).toBeNull()
  expect(statements[0]!.columns).toMatchObject([{ from: { table: ['t'], column: 'a' }, to: { column: 'x' }, kind: 'identity' }])
})

test('a list of a hundred thousand', () => {
  const { statements, incomplete } = analyse(GROWING['a list of numbers']!(100_000), { dialect: 'ansi' })
  expect(incomplete).toBeNull()
  expect(statements[0]!.columns).toHaveLength(2)
})

test('twenty thousand conditions', () => {
  const { statements, incomplete } = analyse(GROWING.conditions!(20_000), { dialect: 'ansi', milliseconds: 60_000 })
  expect(incomplete).toBeNull()
  expect(statements[0]!.columns.filter(({ kind }) => kind === 'filter')).toHaveLength(20_000)
})

test('a thousand branches', () => {
  const { statements, incomplete } = analyse(GROWING.branches!(1_000), { dialect: 'ansi' })
  expect(incomplete).toBeNull()
  expect(statements[0]!.sources).toHaveLength(1_000)
  expect(statements[0]!.columns).toHaveLength(2_000)
})

test('five hundred queries inside one another', () => {
  const sql = `select a from ${'(select a from '.repeat(500)}t${many(500, (n) => `) s${n}`)}`
  const { statements, incomplete } = analyse(sql, { dialect: 'ansi' })
  expect(incomplete).toBeNull()
  expect(statements[0]!.columns).toMatchObject([{ from: { table: ['t'], column: 'a' }, to: { column: 'a' } }])
})

test('a megabyte', () => {
  const sql = many(
    6_000,
    (n) =>
      `insert into target_${n} (first_column, second_column) select a.first_column, max(b.second_column) as m from source_a_${n} as a join source_b_${n} b on a.id = b.id group by a.first_column`,
    ';\n',
  )
  expect(sql.length).toBeGreaterThan(1_000_000)
  const { statements, incomplete, steps } = analyse(sql, { dialect: 'snowflake', milliseconds: 120_000 })
  expect(incomplete).toBeNull()
  expect(statements).toHaveLength(6_000)
  expect(steps).toBeLessThan(sql.length)
})

describe('marks incomplete results', () => {
  test('too deep: keeps what was parsed before', () => {
    const sql = `insert into x select b from u; select a from ${'(select a from '.repeat(5_000)}t${many(5_000, (n) => `) s${n}`)}`
    const { statements, incomplete } = analyse(sql, { dialect: 'ansi' })
    expect(incomplete).toBe('depth')
    expect(statements[0]).toMatchObject({ kind: 'insert', incomplete: null })
    expect(statements[1]).toMatchObject({ incomplete: 'depth' })
  })

  test('too long: parses the beginning', () => {
    const { sources, incomplete } = analyse('select a from t; select b from u', { dialect: 'ansi', characters: 16 })
    expect(incomplete).toBe('size')
    expect(sources.map(({ name }) => name)).toEqual([['t']])
  })

  test('out of time', () => {
    const { incomplete } = analyse(GROWING.conditions!(20_000), { dialect: 'ansi', milliseconds: 0 })
    expect(incomplete).toBe('time')
  })
})

test('stops early on a short text that multiplies its sources, and marks the result as incomplete', () => {
  const sum = many(3_000, (i) => `a${i}`, '+')
  const uses = many(3_000, (i) => `x as y${i}`, ', ')
  for (const sql of [
    `insert into u with c as (select ${sum} as x from t) select ${uses} from c`,
    `insert into u with c as (select ${sum} as x from t), d as (select ${many(3_000, () => 'x', '+')} as x from c) select ${uses} from d`,
    `insert into u with c as (select ${sum} as x from t), d as (select ${uses} from c) select y1 from d`,
  ]) {
    const analysis = analyse(sql, { dialect: 'postgres', milliseconds: 60_000 })
    expect(analysis.incomplete).toBe('size')
    expect(analysis.targets.map(({ name }) => name)).toEqual([['u']])
    expect(analysis.statements.reduce((sum, { columns }) => sum + columns.length, 0)).toBeLessThanOrEqual(1_000_000)
    expect(analysis.steps).toBeLessThan(2_000_000)
  }
})
