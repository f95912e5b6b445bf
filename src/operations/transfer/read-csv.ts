import { CsvError, type Info, parse } from 'csv-parse'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { type ColumnKind, stripFormulaGuard } from './column.ts'
import type { ReadLine } from './read-jsonl.ts'
import { COLUMN_KINDS } from './resource-columns.ts'
import { MAX_IMPORT_LINE_BYTES, pipeThrough } from './source.ts'

type Cell = string | null
interface CsvRecord {
  readonly record: Cell[]
  readonly info: Info
}

/** Reads CSV (RFC 4180) with a header line. An empty cell means no value; a quoted empty cell ("") means an empty string. */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true, // checked below, where the line number is known
    skip_empty_lines: true,
    max_record_size: MAX_IMPORT_LINE_BYTES,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value) as string,
  })
  let names: string[] | undefined
  let last = 0
  try {
    for await (const { record, info } of pipeThrough(text, parser) as AsyncIterable<CsvRecord>) {
      last = info.lines
      const line = info.lines - record.reduce((sum, cell) => sum + countLineFeeds(cell), 0)
      if (!names) names = parseHeader(record, line)
      else if (record.length !== names.length)
        yield { line, errors: { line: [`has ${record.length} cells, but the header has ${names.length}.`] } }
      else yield { line, fields: toLineFields(names, record) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number((error as { lines?: number }).lines ?? last + 1)
    yield { line, errors: { line: [CSV_PROBLEMS[error.code] ?? 'is not valid CSV.'] } }
  }
}

const CSV_PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'The file ends inside a quoted cell.',
  CSV_INVALID_CLOSING_QUOTE: 'A quoted cell continues after its closing quote. Double the quotes inside a cell.',
  INVALID_OPENING_QUOTE: 'An unquoted cell contains a quote.',
  CSV_MAX_RECORD_SIZE: 'is too long.',
}

const countLineFeeds = (cell: Cell): number => {
  let n = 0
  for (let at = cell?.indexOf('\n') ?? -1; at >= 0; at = cell!.indexOf('\n', at + 1)) n += 1
  return n
}

const parseHeader = (record: readonly Cell[], line: number): string[] => {
  const names = record.map((cell) => (cell ?? '').trim())
  const problem = names.includes('')
    ? 'A column has no name.'
    : names.some((name, i) => names.indexOf(name) !== i)
      ? 'A column name occurs twice.'
      : !names.some((name) => ['databuilder_id', 'id', 'from_identifier'].includes(name))
        ? 'The first line must contain the column names, including databuilder_id, id or from_identifier.'
        : undefined
  if (problem) throw invalid({ [`line ${line}`]: [problem] })
  return names
}

const toLineFields = (names: readonly string[], record: readonly Cell[]): Record<string, unknown> => {
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
