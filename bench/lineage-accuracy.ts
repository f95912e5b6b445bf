// The accuracy of src/sql on labelled statements, by dialect, as a table in Markdown. Run: node bench/lineage-accuracy.ts [--misses]
import { f1, hasLabelledCases, labelledCases, readCases, type Score, scoreCases } from '../src/sql/testing/accuracy.ts'

if (!hasLabelledCases) {
  console.log(`Nothing to measure: there are no labelled statements in ${labelledCases}.`)
  process.exit(0)
}

const percent = (part: number, whole: number): string => (whole === 0 ? '' : ((100 * part) / whole).toFixed(1))

const row = (name: string, score: Score): string =>
  `| ${name} | ${score.cases} | ${percent(score.tablesRight, score.tables)} | ${score.columns === 0 ? '' : (100 * f1(score)).toFixed(1)} | ${percent(score.columnsRight, score.columns)} |`

const TITLES = {
  cases: 'Statements from the test suites of sqllineage, DataHub, OpenLineage and sqlglot',
  trees: 'Statements in 24 dialects, tables read off sqlfluff’s parse trees',
  tpc: 'TPC-H and TPC-DS',
} as const

for (const file of ['cases', 'trees', 'tpc'] as const) {
  const { all, byDialect, misses } = scoreCases(readCases(file))
  console.log(
    `\n## ${TITLES[file]}\n\n| dialect | statements | tables exact % | column F1 % | columns fully right % |\n|---|---|---|---|---|`,
  )
  console.log(row('**all**', all))
  for (const [dialect, score] of [...byDialect].sort(([, a], [, b]) => b.cases - a.cases)) console.log(row(dialect, score))
  if (!process.argv.includes('--misses')) continue
  for (const { id, dialect, what, sql, expected, got } of misses)
    console.log(`\n### ${id} (${dialect}, ${what})\n${sql.trim()}\n- expected: ${expected}\n- got: ${got}`)
}
