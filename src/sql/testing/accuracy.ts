import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Analysis, analyse } from '../index.ts'

/** A labelled statement. The cases are stored outside the repository. */
export interface Case {
  readonly id: string
  /** Where it comes from. */
  readonly suite: string
  readonly dialect: string
  readonly sql: string
  readonly default_db: string | null
  readonly default_schema: string | null
  readonly schemas: Readonly<Record<string, readonly string[]>>
  readonly expect: {
    readonly sources: readonly string[] | null
    readonly targets: readonly string[] | null
    /** Source table, source column, target table, target column. */
    readonly columns: readonly (readonly [string, string, string, string])[] | null
    readonly columns_for: readonly string[] | null
  }
  readonly tags: readonly string[]
}

/** A label found wrong. */
interface Dispute {
  readonly tables?: boolean
  readonly columns?: boolean
}

export interface Score {
  cases: number
  tables: number
  tablesRight: number
  columns: number
  columnsRight: number
  hits: number
  extra: number
  missing: number
}

export interface Miss {
  readonly id: string
  readonly dialect: string
  readonly sql: string
  readonly what: 'tables' | 'columns'
  readonly expected: string
  readonly got: string
}

export const labelledCases = join(import.meta.dirname, '../../../../shared/lineage')
export const hasLabelledCases = existsSync(join(labelledCases, 'cases.jsonl'))

export const readCases = (file: 'cases' | 'trees' | 'tpc'): Case[] =>
  readFileSync(join(labelledCases, `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case)

const readDisputes = (): Readonly<Record<string, Dispute>> => JSON.parse(readFileSync(join(labelledCases, 'disputed.json'), 'utf8'))

/** Names that cannot be expressed, or where tools follow different conventions: not scored. */
const NOT_SCORED = new Set(['special-source', 'expects-error', 'subquery-as-endpoint', 'struct-subfield', 'ddl-only', 'vendor-naming'])
const IDENTIFIER = /^(?!_\d+$)[\p{L}\p{N}_$#@ -]+$/u // any other label is the text of an output without a name
const WRITES_ITSELF = /^\(?\s*(with\b.*?\)\s*)?(update|delete|merge)\b/is

const table = (name: string | readonly string[]): string =>
  (typeof name === 'string' ? name : name.join('.'))
    .replace(/[`"[\]]/g, '')
    .trim()
    .toLowerCase()
    .split('.')
    .filter((part) => part !== '' && part !== '<default>')
    .join('.')
const column = (name: string): string =>
  name
    .replace(/[`"[\]]/g, '')
    .trim()
    .toLowerCase()
const same = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((value) => other.has(value))
const without = (one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> =>
  new Set([...one].filter((value) => !other.has(value)))

const analyseCase = (one: Case): Analysis => {
  const schemas = new Map(Object.entries(one.schemas).map(([name, columns]) => [name.toLowerCase(), columns]))
  return analyse(one.sql, {
    dialect: one.dialect,
    defaults: { database: one.default_db, schema: one.default_schema },
    columnsOf: (name) => schemas.get(name.join('.').toLowerCase()),
  })
}

const emptyScore = (): Score => ({ cases: 0, tables: 0, tablesRight: 0, columns: 0, columnsRight: 0, hits: 0, extra: 0, missing: 0 })

/** Scores the engine on labelled cases, by dialect and in total, and lists its misses. */
export const scoreCases = (cases: readonly Case[]): { byDialect: Map<string, Score>; all: Score; misses: Miss[] } => {
  const disputes = readDisputes()
  const byDialect = new Map<string, Score>()
  const all = emptyScore()
  const misses: Miss[] = []
  for (const one of cases) {
    if (one.tags.some((tag) => NOT_SCORED.has(tag))) continue
    const own = byDialect.get(one.dialect) ?? emptyScore()
    byDialect.set(one.dialect, own)
    const scores = [all, own]
    for (const score of scores) score.cases++
    const analysis = analyseCase(one)
    const dispute = disputes[one.id] ?? {}
    if (one.expect.sources !== null && !dispute.tables) scoreTables(one, analysis, scores, misses)
    const { columns, targets } = one.expect
    if (columns !== null && !dispute.columns && !(columns.length === 0 && !targets?.length) && !one.tags.includes('multi'))
      scoreColumns(one, analysis, scores, misses)
  }
  return { byDialect, all, misses }
}

const scoreTables = (one: Case, analysis: Analysis, scores: readonly Score[], misses: Miss[]): void => {
  let sources = new Set(analysis.sources.map(({ name }) => table(name)))
  let targets = new Set(analysis.targets.map(({ name }) => table(name)))
  let expectedSources = new Set(one.expect.sources)
  let expectedTargets = new Set(one.expect.targets ?? [])
  if (one.default_db && !one.default_schema) {
    // With only one of the two defaults, db.table and table are the same.
    const prefix = `${one.default_db.toLowerCase()}.`
    const cut = (names: ReadonlySet<string>): Set<string> =>
      new Set([...names].map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)))
    ;[sources, targets, expectedSources, expectedTargets] = [cut(sources), cut(targets), cut(expectedSources), cut(expectedTargets)]
  }
  if (writesItself(one)) [sources, expectedSources] = [without(sources, expectedTargets), without(expectedSources, expectedTargets)]
  let right = same(sources, expectedSources) && same(targets, expectedTargets)
  if (!right && one.tags.includes('multi')) {
    // Scripts: intermediate tables may be included or left out.
    const every = (of: 'sources' | 'targets'): Set<string> =>
      new Set(analysis.statements.flatMap((statement) => statement[of].map(({ name }) => table(name))))
    right = same(every('sources'), expectedSources) && same(every('targets'), expectedTargets)
  }
  for (const score of scores) {
    score.tables++
    if (right) score.tablesRight++
  }
  if (!right)
    misses.push({
      ...one,
      what: 'tables',
      expected: `${[...expectedSources]} -> ${[...expectedTargets]}`,
      got: `${[...sources]} -> ${[...targets]}`,
    })
}

const writesItself = (one: Case): boolean => WRITES_ITSELF.test(one.sql.replace(/\/\*.*?\*\/|--[^\n]*/gs, ' ').trim())

const scoreColumns = (one: Case, analysis: Analysis, scores: readonly Score[], misses: Miss[]): void => {
  const expected = new Set<string>()
  const ambiguous = new Set<string>()
  const through = new Set<string>()
  const simple = new Set<string>()
  const unnamed = new Set<string>()
  for (const [from, name, , to] of one.expect.columns!) {
    if (name === '*') {
      if (to !== '*') through.add(`${from} ${to}`)
    } else if (!IDENTIFIER.test(to)) unnamed.add(`${from} ${name}`)
    else {
      simple.add(to)
      if (from === '') ambiguous.add(`${name} ${to}`)
      else expected.add(`${from} ${name} ${to}`)
    }
  }
  const own = writesItself(one) ? new Set(one.expect.targets ?? []) : new Set<string>()
  const got: { from: string; name: string; to: string }[] = []
  for (const statement of analysis.statements)
    for (const pair of statement.columns) {
      if (pair.kind === 'filter') continue
      const to = column(pair.to.column ?? '')
      if (one.expect.columns_for === null || one.expect.columns_for.includes(to))
        got.push({ from: table(pair.from.table), name: column(pair.from.column), to })
    }
  for (const key of [...expected]) if (own.has(key.split(' ')[0]!)) expected.delete(key)
  const actual = new Map(got.filter(({ from }) => !own.has(from)).map((pair) => [`${pair.from} ${pair.name} ${pair.to}`, pair]))
  let hits = 0
  const missing: string[] = []
  for (const key of expected) {
    if (actual.delete(key)) hits++
    else missing.push(key)
  }
  for (const key of unnamed) {
    const matching = [...actual].filter(([, pair]) => `${pair.from} ${pair.name}` === key && !simple.has(pair.to))
    if (matching.length > 0) hits++
    else missing.push(`${key} (unnamed)`)
    for (const [match] of matching) actual.delete(match)
  }
  const extra = [...actual.values()].filter(({ from, name, to }) => !ambiguous.has(`${name} ${to}`) && !through.has(`${from} ${to}`))
  for (const score of scores) {
    score.columns++
    if (missing.length === 0 && extra.length === 0) score.columnsRight++
    score.hits += hits
    score.missing += missing.length
    score.extra += extra.length
  }
  if (missing.length > 0 || extra.length > 0)
    misses.push({
      ...one,
      what: 'columns',
      expected: `missing ${missing.join('; ')}`,
      got: `extra ${extra.map(({ from, name, to }) => `${from} ${name} ${to}`).join('; ')}`,
    })
}

export const f1 = ({ hits, extra, missing }: Score): number =>
  hits + extra + missing === 0 ? 1 : (2 * hits) / (2 * hits + extra + missing)
