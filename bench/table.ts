/** One Markdown table for each claim, for docs/benchmarks.md. */
export const table = (title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => {
  const cells = [head, ...rows].map((row) => row.map(formatCell))
  const widths = head.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return `### ${title}\n\n${[line(cells[0]!), rule, ...cells.slice(1).map(line)].join('\n')}\n`
}

const formatCell = (value: string | number): string =>
  typeof value === 'string'
    ? value
    : Number.isNaN(value)
      ? '–'
      : value >= 100
        ? Math.round(value).toLocaleString('en')
        : value.toFixed(value >= 10 ? 1 : 2)

export const formatPercent = (part: number, whole: number): string =>
  Number.isFinite(part / whole) ? `${Math.round((100 * part) / whole)} %` : '–'
