import { createHash } from 'node:crypto'
import type { ItemQuery, LineageSource } from '../../../../connector/src/protocol.ts'

/** Parts of items that connectors of BI tools share. Pure. */

const MAX_KEY_LENGTH = 400

/** The key of something in an item: what cannot be read of the item is not treated as missing with it. */
export const childKey = (parent: string, name: string): string => {
  const key = `${parent}.${name.replace(/[.\\]/g, '\\$&')}`
  if (key.length <= MAX_KEY_LENGTH) return key
  return `${key.slice(0, MAX_KEY_LENGTH - 45)}…${createHash('sha256').update(key).digest('base64url')}`
}

export const joinUrl = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${path}`

/** The database a query runs in, as far as the BI tool tells. */
export interface QueryDatabase {
  readonly dialect?: string | undefined
  readonly database?: string | undefined
  readonly schema?: string | undefined
}

/** Undefined if the dialect of the SQL is not known. */
export const toItemQuery = (sql: string, { dialect, database, schema }: QueryDatabase): ItemQuery | undefined =>
  dialect === undefined || sql.trim() === ''
    ? undefined
    : { sql, dialect, ...(database ? { database } : {}), ...(schema ? { schema } : {}) }

/** A table by the parts of its name that are known. */
export const toTableSource = (
  path: readonly (string | undefined)[],
  columns: readonly string[],
  { dialect, into }: { readonly dialect?: string | undefined; readonly into?: string } = {},
): LineageSource => ({
  table: path.filter((part): part is string => part !== undefined && part !== ''),
  columns,
  ...(into === undefined ? {} : { into }),
  ...(dialect ? { dialect } : {}),
})

/** Names that are no e-mail addresses are left out: owners are found by their address. */
export const toOwners = (...names: readonly (string | undefined)[]): { owners?: string[] } => {
  const emails = [...new Set(names.filter((name): name is string => name?.includes('@') === true))]
  return emails.length > 0 ? { owners: emails } : {}
}

/** Values that the API does not report are left out. */
export const toUsage = (count: number | undefined, since?: string): { usage?: { count: number; since: string | null } } =>
  count === undefined ? {} : { usage: { count, since: since ?? null } }

const BACKTICKS = ['mysql', 'bigquery', 'databricks', 'clickhouse']

export const quoteName = (name: string, dialect: string): string => (/^[a-z_][a-z0-9_]*$/i.test(name) ? name : markName(name, dialect))

/** Always in quotes: it may be a reserved word. */
export const markName = (name: string, dialect: string): string => {
  const mark = BACKTICKS.includes(dialect) ? '`' : '"'
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}

/** Without a value for the parameters `{{ name }}`. */
export const fillParameters = (sql: string): string => sql.replace(/\{\{[^}]*\}\}/g, 'null')

/** The names of tags, as far as they can be tags here. */
export const toTags = (names: readonly string[]): { tags?: string[] } => {
  const tags = [...new Set(names.map((name) => name.trim().slice(0, 100)))].filter((name) => name !== '')
  return tags.length > 0 ? { tags } : {}
}
