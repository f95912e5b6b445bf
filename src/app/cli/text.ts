import type { ColumnFlow, LineageReport, StatementReport } from './report.ts'

/** A readable report. */
export const formatText = ({ files }: LineageReport): string =>
  files
    .map(({ file, statements }) => statements.map((statement) => formatStatement(file, statement)).join('\n'))
    .filter(Boolean)
    .join('\n')

const formatStatement = (file: string, { kind, line, sources, targets, columns, unresolved }: StatementReport): string =>
  [
    `${file}:${line} ${kind.replaceAll('_', ' ')}`,
    ...(targets.length > 0 ? [`  writes ${targets.join(', ')}`] : []),
    ...(sources.length > 0 ? [`  reads  ${sources.join(', ')}`] : []),
    ...columnLines(columns),
    ...unresolved.map(({ name, reason }) => `  ? ${name} (${reason.replaceAll('_', ' ')})`),
    '',
  ].join('\n')

const SIGNS = { identity: '', expression: '~', aggregation: '+', filter: '' }

/** One line per written column: `total <- +orders.price`. */
const columnLines = (columns: readonly ColumnFlow[]): string[] => {
  const into = Map.groupBy(columns, ({ to }) => (to.column === null ? 'rows' : to.table === null ? to.column : `${to.table}.${to.column}`))
  const width = Math.max(0, ...[...into.keys()].map((name) => name.length))
  return [...into].map(([name, flows]) => {
    const sources = [...new Set(flows.map(({ from, kind }) => `${SIGNS[kind]}${from.table}.${from.column}`))]
    return `  ${name.padEnd(width)} ${name === 'rows' && flows[0]!.kind === 'filter' ? '<? ' : '<- '}${sources.join(', ')}`
  })
}
