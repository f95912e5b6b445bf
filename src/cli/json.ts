import { type Report, tableFlows } from './report.ts'

/** For programs: everything that is known, and the graph of the tables. */
export const asJson = (report: Report): string => {
  const { tables, flows } = tableFlows(report)
  const edges = [...flows].sort().map((pair) => {
    const [from, to] = JSON.parse(pair) as [string, string]
    return { from, to }
  })
  return `${JSON.stringify({ ...report, tables: [...tables].sort(), edges }, null, 2)}\n`
}
