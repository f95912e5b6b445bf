import { CompiledQuery } from 'kysely'
import type { Db } from './connect.ts'
import { CopyData } from './copy-query.ts'
import { throwDatabaseError } from './database-error.ts'

/** Fewer rows are a prepared statement, because the text of a COPY is parsed each time. */
export const MIN_COPIED_ROWS = 50

type CopyColumns = Readonly<Record<string, string>>
type RowFields = Readonly<Record<string, unknown>>

/**
 * Inserts any number of rows. Postgres reads them faster than the same rows as JSON and writes whole pages at once. `shared` are values that are the
 * same in all rows. As in a statement with `rowsParam`, every column of `types` is written: what a row lacks is null, never its default.
 */
export const copyIn = async (db: Db, table: string, types: CopyColumns, rows: readonly object[], shared: RowFields = {}): Promise<void> => {
  if (rows.length === 0) return
  const columns = Object.keys(types)
  const names = [...columns, ...Object.keys(shared)].map((column) => `"${column}"`).join(', ')
  const text = toCopyText(rows as readonly RowFields[], columns, types, Object.values(shared))
  // Postgres rejects it as JSON; UTF-8 would silently replace it by another character.
  if (!text.isWellFormed()) throwDatabaseError(Object.assign(new Error('A text contains an unpaired surrogate.'), { code: INVALID_TEXT }))
  await db.executeQuery(CompiledQuery.raw(`copy ${table} (${names}) from stdin`, [new CopyData(text)]))
}

/** SQLSTATE of a text that is no value of its type, e.g. JSON with an unpaired surrogate. */
const INVALID_TEXT = '22P02'

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

const toArrayElement = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escapeText = (text: string): string => (/[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (each) => ESCAPES[each]!) : text)
