/** A line of a CSV file. */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCsvCell).join(',')}\r\n`

/** Spreadsheets execute cells that start like a formula; a leading apostrophe makes them text, as in every export. */
const toCsvCell = (text: string): string => {
  const guarded = /^[=+\-@\t\r\n＝＋－＠']/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
