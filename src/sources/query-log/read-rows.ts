import { open } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse'
import { invalid } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { DamagedText, openText, type TextFile } from './open-text.ts'
import type { LogRow } from './statements.ts'

/** The rows of a log file, one after the other. A row that cannot be read is an error with its line. */
export type ReadRow = { readonly line: number; readonly row: LogRow } | { readonly line: number; readonly error: string }

export interface LogFile {
  readonly columns: readonly string[]
  rows(): AsyncIterable<ReadRow>
}

const MAX_ROW_CHARACTERS = 2_000_000
const PARQUET_MAGIC = 'PAR1'
const SAMPLE_LINES = 100
const PARQUET_ROWS = 5_000

/** CSV with a header, JSON lines, or Parquet, by its content. */
export const openLogFile = async (path: string): Promise<LogFile> => {
  const handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0).finally(() => handle.close())
  const start = buffer.subarray(0, bytesRead)
  if (start.subarray(0, 4).toString('latin1') === PARQUET_MAGIC) return openParquet(path)
  const file = await openText(path, start)
  const text = file.start.trimStart()
  if (text === '') throw invalid({ file: ['is empty.'] })
  if (/^\[\s*[{\]]/.test(text)) throw invalid({ file: ['is a JSON list. Write one object per line.'] })
  return text.startsWith('{') ? openJsonLines(file) : openCsv(file)
}

/** The rows until the compressed data is damaged, and that it is. */
async function* untilDamaged(rows: AsyncIterable<ReadRow>): AsyncGenerator<ReadRow> {
  let line = 0
  try {
    for await (const each of rows) {
      line = each.line
      yield each
    }
  } catch (error) {
    if (!(error instanceof DamagedText)) throw error
    yield { line: line + 1, error: `the compressed file is damaged from here on (${error.message})` }
  }
}

const openJsonLines = async (file: TextFile): Promise<LogFile> => {
  const readLines = async function* (): AsyncGenerator<ReadRow> {
    let line = 0
    for await (const text of splitLines(file.open())) {
      line += 1
      if (text.length > MAX_ROW_CHARACTERS) yield { line, error: 'the line is too long' }
      else if (text.trim() !== '') yield parseLine(line === 1 ? text.replace(/^\uFEFF/, '') : text, line)
    }
  }
  const rows = () => untilDamaged(readLines())
  const columns = new Set<string>()
  let read = 0
  for await (const each of rows()) {
    if ('row' in each) for (const name of Object.keys(each.row)) columns.add(name)
    read += 1
    if (read >= SAMPLE_LINES) break
  }
  return { columns: [...columns], rows }
}

/** Of a line that is too long, only the beginning. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!.slice(0, MAX_ROW_CHARACTERS + 1)
    yield* lines
  }
  if (rest !== '') yield rest
}

const parseLine = (text: string, line: number): ReadRow => {
  try {
    const row = JSON.parse(text)
    return isObject(row) ? { line, row } : { line, error: 'the line is no JSON object' }
  } catch {
    return { line, error: 'the line is not valid JSON' }
  }
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

const openCsv = async (file: TextFile): Promise<LogFile> => {
  let columns: readonly string[] = []
  const readRecords = async function* (): AsyncGenerator<ReadRow> {
    let end = 0
    let isHeader = true
    /** csv-parse counts CRLF in quotes as two lines. */
    let twice = 0
    const input = file.open()
    const parser = parse({
      ...{ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true },
      max_record_size: MAX_ROW_CHARACTERS,
    })
    input.on('error', (error) => parser.destroy(error))
    try {
      for await (const { record, info } of input.pipe(parser) as AsyncIterable<CsvRecord>) {
        twice += countIn(record, '\r\n')
        end = info.lines - twice
        const line = end - countIn(record, '\n')
        if (isHeader) columns = record
        else if (record.length > columns.length) yield { line, error: 'the row has more columns than the header (an unquoted comma?)' }
        else yield { line, row: Object.fromEntries(record.map((value, i) => [columns[i], withoutQuotes(value)])) }
        isHeader = false
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      yield { line: end + 1, error: `the file is not valid CSV from here on (${error.code})` }
    }
  }
  const rows = () => untilDamaged(readRecords())
  for await (const each of rows()) {
    if ('row' in each || columns.length > 0) return { columns, rows }
    throw invalid({ file: [`Line ${each.line}: ${each.error}.`] })
  }
  throw invalid({ file: ['has no rows.'] })
}

const countIn = (values: readonly string[], text: string): number => values.reduce((sum, value) => sum + value.split(text).length - 1, 0)

/** Quotes in a quoted value that are not doubled: the outer ones are still there. */
const withoutQuotes = (value: string): string => (/^"[^"]*"(?!").*"$/s.test(value) ? value.slice(1, -1) : value)

const openParquet = async (path: string): Promise<LogFile> => {
  // Loaded when needed: its 40 modules would delay every start.
  const [{ asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ])
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file).catch((error: Error) => {
    throw invalid({ file: [`is not a readable Parquet file: ${error.message}`] })
  })
  const columns = parquetSchema(metadata).children.map(({ element }) => element.name)
  const rows = async function* (): AsyncGenerator<ReadRow> {
    const total = Number(metadata.num_rows)
    for (let start = 0; start < total; start += PARQUET_ROWS) {
      const objects = await parquetReadObjects({
        file,
        metadata,
        compressors,
        rowStart: start,
        rowEnd: Math.min(start + PARQUET_ROWS, total),
      }).catch((error: Error) => {
        throw invalid({ file: [`Row ${(start + 1).toLocaleString('en')} of the Parquet file cannot be read: ${error.message}`] })
      })
      for (const [i, row] of objects.entries()) yield { line: start + i + 1, row }
    }
  }
  return { columns, rows }
}
