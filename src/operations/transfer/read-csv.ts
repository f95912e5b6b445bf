import { CsvError, type Info, parse } from 'csv-parse'
import { type Cell, parseHeader, toLineFields } from './cells.ts'
import type { ReadLine } from './read-jsonl.ts'
import { MAX_IMPORT_LINE_BYTES, pipeThrough } from './uploaded-file.ts'

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
