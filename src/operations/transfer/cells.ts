import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { type ColumnKind, stripFormulaGuard } from './column.ts'
import { COLUMN_KINDS } from './resource-columns.ts'

/** The cells of a table (CSV or worksheet) as fields of a line. */
export type Cell = string | null

/** As in a spreadsheet. */
const MAX_COLUMNS = 16_384

export const parseHeader = (record: readonly Cell[], line: number): string[] => {
  const names = record.map((cell) => (cell ?? '').trim())
  const unique = new Set(names)
  const problem =
    names.length > MAX_COLUMNS
      ? `There are more than ${MAX_COLUMNS.toLocaleString('en')} columns.`
      : unique.has('')
        ? 'A column has no name.'
        : unique.size < names.length
          ? 'A column name occurs twice.'
          : !['databuilder_id', 'id', 'from_identifier'].some((name) => unique.has(name))
            ? 'The first line must contain the column names, including databuilder_id, id or from_identifier.'
            : undefined
  if (problem) throw invalid({ [`line ${line}`]: [problem] })
  return names
}

export const toLineFields = (names: readonly string[], record: readonly Cell[]): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  names.forEach((name, i) => {
    const cell = record[i]!
    fields[name] = cell === null ? null : parseCell(Object.hasOwn(COLUMN_KINDS, name) ? COLUMN_KINDS[name]! : 'text', cell)
  })
  return fields
}

/** A cell that cannot be converted stays text and fails validation. */
const parseCell = (kind: ColumnKind, cell: string): unknown => {
  if (kind === 'text') return stripFormulaGuard(cell)
  if (cell.trim() === '') return null
  if (kind === 'boolean') return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell
  if (kind === 'number') return /^-?\d{1,16}$/.test(cell) ? Number(cell) : cell
  if (kind === 'ids' || kind === 'texts') return parseList(kind, cell)
  if (kind === 'json') return parseJson(cell)
  return cell
}

const parseList = (kind: 'ids' | 'texts', cell: string): unknown => {
  if (cell.startsWith('[')) return parseJson(cell)
  if (kind === 'texts') return cell.split(';').filter((each) => each !== '')
  const ids = cell.split(/[;,\s]+/).filter((each) => each !== '')
  // Names can contain spaces.
  const names = cell.split(/[;,]/).map((each) => each.trim())
  return ids.every(parseId) ? ids : names.filter((each) => each !== '')
}

const parseJson = (cell: string): unknown => {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}
