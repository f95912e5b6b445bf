/** Descriptions pasted from a spreadsheet: one for each row. */

/** The cells of the lines; a cell in quotes can contain line breaks and tabs. */
const parseCells = (text: string): string[][] => {
  const lines: string[][] = [[]]
  let rest = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n$/, '')
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(rest)
    const cell = quoted ? quoted[0] : /^[^\t\n]*/.exec(rest)![0]
    lines.at(-1)!.push((quoted ? quoted[1]!.replaceAll('""', '"') : cell).trim())
    rest = rest.slice(cell.length)
    if (rest === '') return lines
    if (rest[0] === '\n') lines.push([])
    rest = rest.slice(1)
  }
}

interface NamedRow {
  readonly id: string
  readonly title: string
}

/**
 * The descriptions by row ID. With several cells in each line, the first one is a name: the last one describes the row with that name, wherever it
 * is. Otherwise the lines describe the rows from the selected one on. Undefined for a single cell in a text field, where it is pasted as text, and if
 * there is no text, e.g. for an image.
 */
export const readPastedDescriptions = (
  text: string,
  rows: readonly NamedRow[],
  from: number,
  inField: boolean,
): ReadonlyMap<string, string> | undefined => {
  if (text.trim() === '') return undefined
  const lines = parseCells(text)
  if (inField && lines.length === 1 && lines[0]!.length === 1) return undefined
  const byName = new Map(rows.map((row) => [row.title.toLowerCase(), row.id]))
  if (lines.some((cells) => cells.length > 1 && byName.has(cells[0]!.toLowerCase())))
    return new Map(
      lines.flatMap((cells): [string, string][] => {
        const id = byName.get(cells[0]!.toLowerCase())
        return id && cells.length > 1 ? [[id, cells.at(-1)!]] : []
      }),
    )
  return new Map(lines.flatMap((cells, i): [string, string][] => (rows[from + i] ? [[rows[from + i]!.id, cells[0]!]] : [])))
}
