import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { CsvError, parse } from 'csv-parse'
import { invalid } from '../../platform/core/errors.ts'
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
  const text = start
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text === '') throw invalid({ file: ['is empty.'] })
  return text.startsWith('{') ? openJsonLines(path) : openCsv(path)
}

const openJsonLines = async (path: string): Promise<LogFile> => {
  const rows = async function* (): AsyncGenerator<ReadRow> {
    let line = 0
    for await (const text of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1
      if (text.trim() === '') continue
      if (text.length > MAX_ROW_CHARACTERS) yield { line, error: 'the line is too long' }
      else yield parseLine(text, line)
    }
  }
  const columns = new Set<string>()
  let read = 0
  for await (const each of rows()) {
    if ('row' in each) for (const name of Object.keys(each.row)) columns.add(name)
    read += 1
    if (read >= SAMPLE_LINES) break
  }
  return { columns: [...columns], rows }
}

const parseLine = (text: string, line: number): ReadRow => {
  try {
    const row = JSON.parse(text)
    return typeof row === 'object' && row !== null && !Array.isArray(row) ? { line, row } : { line, error: 'the line is no JSON object' }
  } catch {
    return { line, error: 'the line is not valid JSON' }
  }
}

const openCsv = async (path: string): Promise<LogFile> => {
  const rows = async function* (): AsyncGenerator<ReadRow> {
    let line = 1
    const parser = createReadStream(path, 'utf8').pipe(
      parse({ bom: true, columns: true, relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_ROW_CHARACTERS }),
    )
    try {
      for await (const row of parser as AsyncIterable<LogRow>) {
        line += 1
        yield { line, row }
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      yield { line: Number((error as { lines?: number }).lines ?? line), error: `the file is not valid CSV from here on (${error.code})` }
    }
  }
  for await (const each of rows()) {
    if ('row' in each) return { columns: Object.keys(each.row), rows }
    throw invalid({ file: [`Line ${each.line}: ${each.error}.`] })
  }
  throw invalid({ file: ['has no rows.'] })
}

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
