import { type LineageReport, tableFlows } from './report.ts'

/** The full report with the graph of tables, as JSON. */
export const formatJson = (report: LineageReport): string => {
  const { tables, flows } = tableFlows(report)
  const edges = [...flows].sort().map((pair) => {
    const [from, to] = JSON.parse(pair) as [string, string]
    return { from, to }
  })
  return `${JSON.stringify({ ...report, tables: [...tables].sort(), edges }, null, 2)}\n`
}
