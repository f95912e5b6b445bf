import { CsvError, type Info, parse } from 'csv-parse'
import { invalid } from '../errors.ts'
import { type ColumnKind, unguarded } from './column.ts'
import type { ReadLine } from './read-jsonl.ts'
import { COLUMN_KINDS } from './resource-columns.ts'
import { LONGEST_LINE, through } from './source.ts'

type Cell = string | null
interface CsvRecord {
  readonly record: Cell[]
  readonly info: Info
}

/** A CSV after RFC 4180 with a line of names on top. An empty cell says "nothing"; "" in a text says "an empty text". */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true, // counted below, where the line is known
    skip_empty_lines: true,
    max_record_size: LONGEST_LINE,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value) as string,
  })
  let names: string[] | undefined
  let last = 0
  try {
    for await (const { record, info } of through(text, parser) as AsyncIterable<CsvRecord>) {
      last = info.lines
      const line = info.lines - record.reduce((sum, cell) => sum + lineFeeds(cell), 0)
      if (!names) names = readNames(record, line)
      else if (record.length !== names.length)
        yield { line, errors: { line: [`has ${record.length} cells, the first line has ${names.length}.`] } }
      else yield { line, fields: fieldsOf(names, record) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number((error as { lines?: number }).lines ?? last + 1)
    yield { line, errors: { line: [PROBLEMS[error.code] ?? 'is not CSV.'] } }
  }
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'The file ends inside of a quoted cell.',
  CSV_INVALID_CLOSING_QUOTE: 'A quoted cell goes on after its closing quote; quotes inside of it are doubled.',
  INVALID_OPENING_QUOTE: 'A quote stands inside of a cell that does not begin with one.',
  CSV_MAX_RECORD_SIZE: 'is too long.',
}

const lineFeeds = (cell: Cell): number => {
  let n = 0
  for (let at = cell?.indexOf('\n') ?? -1; at >= 0; at = cell!.indexOf('\n', at + 1)) n += 1
  return n
}

const readNames = (record: readonly Cell[], line: number): string[] => {
  const names = record.map((cell) => (cell ?? '').trim())
  const problem = names.includes('')
    ? 'A column has no name.'
    : names.some((name, i) => names.indexOf(name) !== i)
      ? 'A column name stands here twice.'
      : !names.some((name) => ['databuilder_id', 'id', 'from_identifier'].includes(name))
        ? 'The first line names the columns; one must be databuilder_id, id or from_identifier.'
        : undefined
  if (problem) throw invalid({ [`line ${line}`]: [problem] })
  return names
}

const fieldsOf = (names: readonly string[], record: readonly Cell[]): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  names.forEach((name, i) => {
    const cell = record[i]!
    fields[name] = cell === null ? null : readCell(Object.hasOwn(COLUMN_KINDS, name) ? COLUMN_KINDS[name]! : 'text', cell)
  })
  return fields
}

/** What does not read as its kind stays text, and is refused as such. */
const readCell = (kind: ColumnKind, cell: string): unknown => {
  if (kind === 'text') return unguarded(cell)
  if (cell.trim() === '') return null
  if (kind === 'boolean') return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell
  if (kind === 'number') return /^-?\d{1,16}$/.test(cell) ? Number(cell) : cell
  if (kind === 'ids' || kind === 'texts') return listOf(kind, cell)
  return cell
}

const listOf = (kind: 'ids' | 'texts', cell: string): unknown => {
  if (!cell.startsWith('[')) return cell.split(kind === 'ids' ? /[;,\s]+/ : ';').filter((each) => each !== '')
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}
