import { invalid } from '../../platform/core/errors.ts'
import { getTextCredential, type Source } from '../connectors/shared/connector.ts'
import type { DialectSql } from '../connectors/shared/dialect-sql.ts'
import { type ColumnMapping, LOG_FIELDS, type LogField } from './columns.ts'

/** A query log that is a table or view of another integration, and how it is read. Pure. */
export interface LogTable {
  readonly integration: string
  readonly name: string
  readonly path: readonly string[]
  readonly columns: ColumnMapping
}

/** The table in the settings, if there is one. */
export const findLogTable = (source: Source): LogTable | undefined => {
  const [integration, name] = [getTextCredential(source, 'log_integration')?.trim(), getTextCredential(source, 'log_table')?.trim()]
  if (!integration && !name) return undefined
  if (!integration) throw invalid({ 'credentials.log_integration': ['is required to read a table.'] })
  if (!name) throw invalid({ 'credentials.log_table': ['is required, e.g. history.queries.'] })
  const chosen = LOG_FIELDS.flatMap((field): [LogField, string][] => {
    const column = getTextCredential(source, `${field}_column`)?.trim()
    return column ? [[field, column]] : []
  })
  return { integration, name, path: parsePath(name), columns: Object.fromEntries(chosen) }
}

/** Parts of a name, e.g. `history.queries`; a part with dots is quoted. */
const parsePath = (name: string): string[] =>
  [...name.matchAll(/"((?:[^"]|"")*)"|([^."]+)/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!.trim())

/** The columns that are used, in the order of the fields. */
const listFields = (mapping: ColumnMapping): LogField[] => LOG_FIELDS.filter((field) => mapping[field] !== undefined)

/** Rows from a time on, oldest first. The time is also read as text, because drivers write it in different ways. */
export const pageSql = (dialect: DialectSql, { path }: LogTable, mapping: ColumnMapping, from: string, rows: number): string => {
  const time = dialect.quote(mapping.time!)
  const columns = listFields(mapping).map((field) => (field === 'time' ? dialect.castToText(time) : dialect.quote(mapping[field]!)))
  return `select ${columns.join(', ')} from ${dialect.table(path)} where ${time} >= ${toLiteral(dialect, from)} order by ${time} ${dialect.limit(rows)}`
}

export const newestSql = (dialect: DialectSql, { path }: LogTable, { time }: ColumnMapping): string =>
  `select ${dialect.castToText(`max(${dialect.quote(time!)})`)} from ${dialect.table(path)}`

export const columnsSql = (dialect: DialectSql, { path }: LogTable): string => `select * from ${dialect.table(path)} ${dialect.limit(1)}`

/** A row of the page by the names of its columns. */
export const toLogRow = (mapping: ColumnMapping, cells: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(listFields(mapping).map((field, i) => [mapping[field]!, cells[i]]))

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d))?/
const NUMBER = /^(\d{9,19})(?:\.\d+)?$/

/** The second of a time as the source writes it, without its zone: it is compared in the zone in which it was written. Undefined if it is none. */
export const toPosition = (text: string): string | undefined => {
  const [, date, time] = TIME.exec(text) ?? []
  return date ? `${date}${time ? ` ${time}` : ''}` : NUMBER.exec(text)?.[1]
}

/** An earlier position. */
export const goBack = (position: string, hours: number): string => {
  if (/^\d+$/.test(position)) {
    // Seconds, milliseconds, microseconds or nanoseconds since 1970, by their number of digits.
    const perSecond = 10n ** BigInt([11, 14, 17].filter((digits) => position.length > digits).length * 3)
    const earlier = BigInt(position) - BigInt(Math.round(hours * 3600)) * perSecond
    return String(earlier > 0n ? earlier : 0n)
  }
  const [, date, time = '00:00:00'] = TIME.exec(position)!
  const earlier = new Date(Date.parse(`${date}T${time}Z`) - hours * 3_600_000).toISOString()
  return position.length > 10 ? earlier.slice(0, 19).replace('T', ' ') : earlier.slice(0, 10)
}

const toLiteral = (dialect: DialectSql, position: string): string =>
  /^\d+$/.test(position) ? position : dialect.timestampLiteral(position)
