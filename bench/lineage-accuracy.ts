// The accuracy of src/sql by dialect and construct, as Markdown tables.
// Run: node bench/lineage-accuracy.ts [--misses] [--write]; `npm run accuracy` writes them into docs/lineage-accuracy.md.
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ENGINE_VERSION } from '../src/lineage/queries/parse-sql.ts'
import { f1, hasLabelledCases, labelledCases, type Miss, readCases, type Score, scoreCases } from '../src/sql/testing/accuracy.ts'
import { describeResult, type Fixture, normalize, readFixtures } from '../src/sql/testing/fixtures.ts'
import { REVIEWED_CASES } from '../src/sql/testing/judged.ts'
import { table } from './table.ts'

const DOCS_PAGE = 'docs/lineage-accuracy.md'
const TITLES = {
  cases: 'Test suites of sqllineage, DataHub, OpenLineage and sqlglot',
  trees: 'Statements in 24 dialects, tables read off sqlfluff’s parse trees',
  tpc: 'TPC-H and TPC-DS',
} as const

const percent = (part: number, whole: number): string => (whole === 0 ? '' : ((100 * part) / whole).toFixed(2))

const ownFixtures = (): string => {
  const results = readFixtures().map(scoreFixture)
  const rows = (by: (result: FixtureResult) => string) =>
    [...Map.groupBy(results, by)]
      .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
      .map(([name, group]) => toRow(name, group))
  const head = ['statements', 'tables exact %', 'columns fully right %', 'everything right %']
  return [
    table('Our fixtures, by dialect', ['dialect', ...head], [toRow('**all**', results), ...rows(({ dialect }) => dialect)]),
    table(
      'Our fixtures, by construct',
      ['file in `src/sql/fixtures`', ...head],
      rows(({ file }) => file.replace('.sql', '')),
    ),
  ].join('\n')
}

interface FixtureResult extends Fixture {
  readonly tables: boolean
  readonly columns: boolean
  readonly everything: boolean
}

/** Compares everything, including transformations, unresolved names with their reasons, and problems. */
const scoreFixture = (fixture: Fixture): FixtureResult => {
  const [actualLines, expectedLines] = [describeResult(fixture), fixture.expected].map((lines) => normalize(lines, fixture.exact)) as [
    string[],
    string[],
  ]
  const same = (of: RegExp): boolean =>
    String(actualLines.filter((line) => of.test(line))) === String(expectedLines.filter((line) => of.test(line)))
  return { ...fixture, tables: same(/^(?:reads|writes) /), columns: same(/ <- /), everything: same(/^/) }
}

const toRow = (name: string, results: readonly FixtureResult[]): string[] => [
  name,
  String(results.length),
  ...(['tables', 'columns', 'everything'] as const).map((what) => percent(results.filter((one) => one[what]).length, results.length)),
]

const labelled = (file: keyof typeof TITLES): { text: string; misses: readonly Miss[] } => {
  const { all, byDialect, misses } = scoreCases(readCases(file))
  const hasColumns = all.columns > 0
  const row = (name: string, score: Score): string[] => [
    name,
    String(score.cases),
    percent(score.tablesRight, score.tables),
    ...(hasColumns ? [score.columns === 0 ? '' : (100 * f1(score)).toFixed(2), percent(score.columnsRight, score.columns)] : []),
  ]
  const head = ['dialect', 'statements', 'tables exact %', ...(hasColumns ? ['column F1 %', 'columns fully right %'] : [])]
  const dialects = [...byDialect].sort(([, a], [, b]) => b.cases - a.cases)
  return { text: table(TITLES[file], head, [row('**all**', all), ...dialects.map(([name, score]) => row(name, score))]), misses }
}

const labelledStatements = (): { text: string; misses: readonly Miss[] } => {
  const parts = (['cases', 'trees', 'tpc'] as const).map(labelled)
  const misses = parts.flatMap((part) => part.misses)
  const list = misses.map(({ id, dialect }) => [id, dialect, REVIEWED_CASES[id] ?? '**ours: not judged**'])
  const missed = table('Misses above, and our review', ['statement', 'dialect', 'review'], list)
  return { text: [...parts.map(({ text }) => text), missed].join('\n'), misses }
}

/** Replaces one section of the page; sections that cannot be measured here stay unchanged. */
const replacePart = (page: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- ${name}: made by npm run accuracy -->`, `<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${DOCS_PAGE} has no section markers for ${name}.`)
  return `${page.slice(0, from + begin.length)}\n\n${text}\n${page.slice(to)}`
}

const { values: args } = parseArgs({ options: { misses: { type: 'boolean' }, write: { type: 'boolean' } } })
const when = `Engine version ${ENGINE_VERSION}, ${new Date().toISOString().slice(0, 10)}.`
const parts: Record<string, string> = { fixtures: `${when}\n\n${ownFixtures()}` }
const found = hasLabelledCases ? labelledStatements() : undefined
if (found) parts['labelled statements'] = `${when}\n\n${found.text}`
else console.error(`Skipped the labelled statements: none found in ${labelledCases}.`)

if (args.write) {
  const page = await readFile(DOCS_PAGE, 'utf8')
  await writeFile(
    DOCS_PAGE,
    Object.entries(parts).reduce((page, [name, text]) => replacePart(page, name, text), page),
  )
  console.log(`Wrote ${DOCS_PAGE}.`)
} else console.log(Object.values(parts).join('\n'))
if (args.misses)
  for (const { id, dialect, what, sql, expected, got: actualLines } of found?.misses ?? [])
    console.log(`\n### ${id} (${dialect}, ${what})\n${sql.trim()}\n- expected: ${expected}\n- got: ${actualLines}`)
