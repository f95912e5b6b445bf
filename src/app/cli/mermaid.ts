import { type LineageReport, tableFlows } from './report.ts'

/** A Mermaid diagram, which GitHub, GitLab and most editors render in Markdown. */
export const formatMermaid = (report: LineageReport, { columns }: { columns: boolean }): string => {
  const { tables, flows } = tableFlows(report)
  const names = new Map([...tables].sort().map((table, i) => [table, `t${i + 1}`]))
  const lines = columns ? columnLines(report, names) : [...names].map(([table, id]) => `  ${id}["${escapeLabel(table)}"]`)
  const arrows = columns
    ? []
    : [...flows].sort().map((pair) => {
        const [from, to] = JSON.parse(pair) as [string, string]
        return `  ${names.get(from)} --> ${names.get(to)}`
      })
  return `${['flowchart LR', ...lines, ...arrows].join('\n')}\n`
}

const columnLines = ({ files }: LineageReport, names: ReadonlyMap<string, string>): string[] => {
  const boxes = new Map([...names.keys()].map((table) => [table, new Map<string, string>()]))
  const idOf = (table: string, column: string): string | undefined => {
    const box = boxes.get(table)
    if (!box) return undefined
    const id = box.get(column) ?? `${names.get(table)}c${box.size + 1}`
    box.set(column, id)
    return id
  }
  const arrows = new Set<string>()
  for (const { file, statements } of files)
    for (const { columns } of statements)
      for (const { from, to, kind } of columns) {
        if (to.column === null) continue
        const [one, other] = [idOf(from.table, from.column), idOf(to.table ?? file, to.column)]
        if (one && other) arrows.add(`  ${one} ${kind === 'identity' ? '-->' : `-- ${kind} -->`} ${other}`)
      }
  return [
    ...[...boxes].flatMap(([table, box]) => [
      `  subgraph ${names.get(table)}["${escapeLabel(table)}"]`,
      ...[...box].map(([column, id]) => `    ${id}["${escapeLabel(column)}"]`),
      '  end',
    ]),
    ...arrows,
  ]
}

/** Inside quotes, only these characters are special in Mermaid. */
const escapeLabel = (text: string): string => text.replace(/["#<>&\n]/g, (char) => `#${char.codePointAt(0)};`)
