import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { analyzeQuery, openLineageColumnLineage, parse } from '@polyglot-sql/sdk'
import { analyse } from '../src/sql/index.ts'
import { type Case, hasLabelledCases, labelledCases, readCases } from '../src/sql/testing/accuracy.ts'
import { table } from './table.ts'

/**
 * CPU time of the engine on TPC-DS compared with other parsers: the full lineage of each statement, tables and columns. The others get only
 * the columns of the tables a statement reads, not the whole catalog; their time covers only the statements they could parse.
 */
const WARM_UP = 5
const ROUNDS = 5
const TITLE = 'SQL lineage of TPC-DS, CPU ms a statement'

export const benchEngine = async (): Promise<string> => {
  if (!hasLabelledCases) return `### ${TITLE}\n\nSkipped: no labelled statements found in ${labelledCases}.\n`
  const cases = readCases('tpc')
  const rows: (string | number)[][] = []
  const notes: string[] = []
  for (const [suite, name, polyglot] of [
    ['tpc-ds', 'queries', ['analyzeQuery', byAnalyzeQuery]],
    ['tpcds', 'INSERT … SELECT', ['openLineageColumnLineage', byOpenLineage]],
  ] as const) {
    const own = cases.filter((one) => one.suite === suite)
    const ours = spread(measureEach(own, analyseOurs))
    const row = (engine: string, { read, p50, p95 }: Spread, limit = '') =>
      rows.push([`${engine}, ${name}`, `${read} of ${own.length}`, p50, p95, times(p50, ours.p50), times(p95, ours.p95), limit])
    row('Tablinum', ours, '0.3 / 1')
    row(`@polyglot-sql/sdk ${polyglot[0]}`, spread(measureEach(own, polyglot[1])))
    row('@polyglot-sql/sdk parse, no lineage', spread(measureEach(own, ({ sql }) => parse(sql).success)))
    const sqlglot = await bySqlglot(own)
    if (typeof sqlglot === 'string') notes[0] = `sqlglot was skipped: ${sqlglot}`
    else row(`sqlglot ${sqlglot.version}`, spread(sqlglot.times))
  }
  const head = ['engine', 'read', 'p50', 'p95', 'p50, times ours', 'p95, times ours', 'limit p50 / p95']
  return `${table(TITLE, head, rows)}${notes.map((note) => `\n${note}\n`).join('')}`
}

const times = (peer: number, ours: number): string => `${(peer / ours).toFixed(1)}×`

interface Spread {
  readonly read: number
  readonly p50: number
  readonly p95: number
}

/** null: the engine could not parse the statement. */
const spread = (all: readonly (number | null)[]): Spread => {
  const measured = all.filter((one) => one !== null).sort((a, b) => a - b)
  const at = (q: number) => measured[Math.min(measured.length - 1, Math.floor(measured.length * q))] ?? Number.NaN
  return { read: measured.length, p50: at(0.5), p95: at(0.95) }
}

/**
 * The median of a few rounds for each statement, after warm-up rounds, because a server has parsed many before. CPU time of the whole process
 * with its helper threads, because the clock of a single thread has only millisecond resolution.
 */
const measureEach = (cases: readonly Case[], read: (one: Case) => boolean): (number | null)[] => {
  const readable = cases.map(read)
  for (let i = 1; i < WARM_UP; i++) cases.forEach(read)
  const rounds = Array.from({ length: ROUNDS }, () => cases.map((one) => cpuMs(() => read(one))))
  return readable.map((is, i) => (is ? rounds.map((round) => round[i]!).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]! : null))
}

const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const analyseOurs = ({ sql, dialect, schemas }: Case): boolean => {
  const { parsable, incomplete } = analyse(sql, { dialect, columnsOf: (name) => schemas[name.join('.').toLowerCase()] })
  return parsable && incomplete === null
}

const columnsRead = ({ schemas, expect }: Case) => Object.entries(schemas).filter(([name]) => expect.sources?.includes(name) ?? true)

const schemaOf = (one: Case) => ({
  tables: columnsRead(one).map(([name, columns]) => ({ name, columns: columns.map((name) => ({ name, type: 'text' })) })),
})

const byAnalyzeQuery = (one: Case): boolean => analyzeQuery(one.sql, { schema: schemaOf(one) }).success

const byOpenLineage = (one: Case): boolean =>
  openLineageColumnLineage(one.sql, {
    schema: schemaOf(one),
    producer: 'https://example.com',
    datasetNamespace: 'bench',
    outputDataset: { namespace: 'bench', name: 'result' },
  }).success

/** In a separate process, measured by itself; returns an error message when sqlglot is not installed. */
const bySqlglot = (cases: readonly Case[]): Promise<{ version: string; times: (number | null)[] } | string> =>
  new Promise((resolve) => {
    const script = join(import.meta.dirname, 'lineage-sqlglot.py')
    const child = execFile('python3', [script], { maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error) resolve(stderr.trim().split('\n').at(-1) || error.message)
      else resolve(JSON.parse(stdout))
    })
    child.stdin!.on('error', () => {}) // it may exit before it has read its input: its stderr says why
    child.stdin!.end(
      JSON.stringify({
        warm_up: WARM_UP,
        rounds: ROUNDS,
        statements: cases.map((one) => ({
          sql: one.sql,
          schema: Object.fromEntries(
            columnsRead(one).map(([name, columns]) => [name, Object.fromEntries(columns.map((name) => [name, 'text']))]),
          ),
        })),
      }),
    )
  })

if (import.meta.main) console.log(await benchEngine())
