import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Analysis, analyse } from '../index.ts'

/** A statement with its expected lineage. */
export interface Fixture {
  readonly file: string
  readonly title: string
  readonly dialect: string
  readonly sql: string
  readonly knownColumns: ReadonlyMap<string, readonly string[]>
  readonly defaults: { readonly database?: string; readonly schema?: string }
  /** Compare names case-sensitively. */
  readonly exact: boolean
  readonly expected: readonly string[]
}

const folder = join(import.meta.dirname, '../fixtures')
/** A line with an expectation; any other comment belongs to the statement. */
const EXPECTATION = /^-- (?:reads |writes |outputs |\S.*? <- |\? |kind )/

/** The format is explained in README.md. */
export const readFixtures = (): Fixture[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .flatMap((file) => {
      const [head, ...blocks] = readFileSync(join(folder, file), 'utf8').split(/^-- # /m)
      const common = settings(head!.split('\n'))
      return blocks.flatMap((block) => parseFixtures(file, common, block))
    })

type Settings = Record<string, string>

const settings = (lines: readonly string[]): Settings => {
  const found: Settings = {}
  for (const line of lines) {
    const match = /^-- @(\w+)\s*(.*)$/.exec(line)
    if (match) found[match[1]!] = match[2]!.trim()
  }
  return found
}

const parseFixtures = (file: string, common: Settings, block: string): Fixture[] => {
  const [title, ...lines] = block.trimEnd().split('\n')
  const own = { ...common, ...settings(lines) }
  const knownColumns = new Map(
    [...(own.known ?? '').matchAll(/(\S+?)\(([^)]*)\)/g)].map((match) => [match[1]!.toLowerCase(), match[2]!.split(/\s*,\s*/)]),
  )
  const [schema, database] = (own.defaults ?? '').split('.').filter(Boolean).reverse()
  const sql = lines.filter((line) => !line.startsWith('-- @') && !EXPECTATION.test(line)).join('\n')
  const expected = lines.filter((line) => EXPECTATION.test(line)).map((line) => line.slice(3).trim())
  return own.dialect!.split(/\s+/).map((dialect) => ({
    file,
    title: title!,
    dialect,
    sql,
    knownColumns,
    defaults: { schema, database },
    exact: 'exact' in own,
    expected,
  }))
}

/** The result in the notation of a fixture. Filters and stars are included only if the fixture mentions them. */
export const describeResult = (fixture: Fixture): string[] => {
  const analysis = analyse(fixture.sql, {
    dialect: fixture.dialect,
    defaults: fixture.defaults,
    columnsOf: (name) => fixture.knownColumns.get(name.join('.').toLowerCase()),
  })
  const mentions = (start: string): boolean => fixture.expected.some((line) => line.startsWith(start))
  return [
    ...list('reads', analysis.sources),
    ...list('writes', analysis.targets),
    ...columnLines(analysis, mentions('filter <- ')),
    ...analysis.statements.flatMap((statement) =>
      statement.unresolved
        .filter(
          ({ reason }) => reason !== 'star_of_unknown_table' || fixture.expected.some((line) => line.endsWith('star_of_unknown_table')),
        )
        .map(({ name, reason }) => `? ${name} ${reason}`),
    ),
    ...analysis.problems.map(({ line, column, message }) => `? ${line}:${column} ${message}`),
    ...(mentions('outputs ') ? analysis.statements.map(({ outputs }) => `outputs ${outputLine(outputs)}`) : []),
    ...(mentions('kind ') ? analysis.statements.map(({ kind }) => `kind ${kind}`) : []),
    ...(analysis.incomplete ? [`? incomplete ${analysis.incomplete}`] : []),
  ]
}

const list = (word: string, tables: readonly { readonly name: readonly string[] }[]): string[] =>
  tables.length > 0 ? [`${word} ${[...new Set(tables.map(({ name }) => name.join('.')))].join(', ')}`] : []

const outputLine = (outputs: readonly (string | null)[] | null): string =>
  outputs === null ? 'unknown' : outputs.map((name) => name ?? '(unnamed)').join(', ') || 'none'

const SIGN = { identity: '', expression: '~', aggregation: '+', filter: '' }

/** `target <- source`: an unchanged value, `~source` through an expression, `+source` aggregated with other rows. */
const columnLines = (analysis: Analysis, filters: boolean): string[] => {
  const several = analysis.targets.length > 1 || analysis.statements.filter(({ targets }) => targets.length > 0).length > 1
  const lines = new Map<string, Set<string>>()
  for (const { columns } of analysis.statements)
    for (const { from, to, kind } of columns) {
      if (kind === 'filter' && !filters) continue
      const target = kind === 'filter' ? 'filter' : several && to.table ? `${to.table.join('.')}.${to.column}` : to.column!
      const sources = lines.get(target) ?? new Set()
      lines.set(target, sources.add(`${SIGN[kind]}${from.table.join('.')}.${from.column}`))
    }
  if (filters && !lines.has('filter')) lines.set('filter', new Set(['none']))
  return [...lines].map(([target, sources]) => `${target} <- ${[...sources].join(', ')}`)
}

/** Order is irrelevant, both of lines and within a line. */
export const normalize = (lines: readonly string[], exact: boolean): string[] =>
  lines
    .map((line) => {
      const [, head, rest] = /^(reads|writes|.*? <-) (.*)$/.exec(line) ?? []
      const same =
        rest === undefined
          ? line
          : `${head} ${rest
              .split(/\s*,\s*/)
              .sort()
              .join(', ')}`
      return exact ? same : same.toLowerCase()
    })
    .map((line) =>
      /^(?:reads|writes) /.test(line)
        ? line.replace(/^(\w+) (.*)$/, (_, word, names) => `${word} ${names.split(', ').sort().join(', ')}`)
        : line,
    )
    .sort()
