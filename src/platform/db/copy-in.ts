import { CompiledQuery } from 'kysely'
import type { Db } from './connect.ts'
import { CopyData } from './copy-query.ts'

/** Fewer rows are a prepared statement, because the text of a COPY is parsed each time. */
export const MIN_COPIED_ROWS = 50

type CopyColumns = Readonly<Record<string, string>>
type RowFields = Readonly<Record<string, unknown>>

/**
 * Inserts any number of rows. Postgres reads them faster than the same rows as JSON and writes whole pages at once. `shared` are values that are the
 * same in all rows. Columns that are null in every row are left out and get their default.
 */
export const copyIn = async (db: Db, table: string, types: CopyColumns, rows: readonly object[], shared: RowFields = {}): Promise<void> => {
  if (rows.length === 0) return
  const columns = Object.keys(types).filter((column) => (rows as readonly RowFields[]).some((row) => row[column] != null))
  const names = [...columns, ...Object.keys(shared)].map((column) => `"${column}"`).join(', ')
  const text = toCopyText(rows as readonly RowFields[], columns, types, Object.values(shared))
  await db.executeQuery(CompiledQuery.raw(`copy ${table} (${names}) from stdin`, [new CopyData(text)]))
}

/** The text format of COPY: a line per row, values separated by tabs. */
const toCopyText = (rows: readonly RowFields[], columns: readonly string[], types: CopyColumns, shared: readonly unknown[]): string => {
  const isJson = columns.map((column) => types[column] === 'jsonb')
  const end = `${shared.map((value) => `\t${toCopyValue(value, false)}`).join('')}\n`
  let text = ''
  for (const row of rows) {
    for (let i = 0; i < columns.length; i += 1) {
      if (i > 0) text += '\t'
      text += toCopyValue(row[columns[i]!], isJson[i]!)
    }
    text += end
  }
  return text
}

const toCopyValue = (value: unknown, isJson: boolean): string => {
  if (value === null || value === undefined) return '\\N'
  if (isJson) return escapeText(JSON.stringify(value))
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return escapeText(`{${value.map(toArrayElement).join()}}`)
  return value instanceof Date ? value.toISOString() : String(value)
}

const toArrayElement = (value: unknown): string => `"${String(value).replace(/["\\]/g, '\\$&')}"`

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escapeText = (text: string): string => (/[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (each) => ESCAPES[each]!) : text)
