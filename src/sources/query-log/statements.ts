import { hash } from 'node:crypto'
import type { ColumnMapping } from './columns.ts'

/** A row of a log as a statement that was executed. Pure. */
export interface Execution {
  readonly hash: Buffer
  readonly sql: string
  readonly database: string | null
  readonly schema: string | null
  readonly at: string | null
  readonly user: string
  readonly duration_ms: number | null
}

export type LogRow = Readonly<Record<string, unknown>>

const MAX_SQL_LENGTH = 100_000
const MAX_NAME_LENGTH = 500

/** The execution, or why the row has none. */
export const readExecution = (row: LogRow, mapping: ColumnMapping): Execution | { readonly skipped: string } => {
  const value = (field: keyof ColumnMapping) => (mapping[field] === undefined ? undefined : row[mapping[field]])
  const sql = toText(value('sql'))?.trim()
  if (!sql) return { skipped: 'no SQL' }
  if (sql.length > MAX_SQL_LENGTH) return { skipped: `SQL longer than ${MAX_SQL_LENGTH.toLocaleString('en')} characters` }
  if (!READS_OR_WRITES.test(stripComments(sql))) return { skipped: 'reads and writes no table (SET, COMMIT, SHOW and so on)' }
  const at = toTime(value('time'))
  if (at === 'invalid') return { skipped: 'the time is not a timestamp' }
  const [database, schema] = [toName(value('database')), toName(value('schema'))]
  const duration = Number(value('duration') ?? Number.NaN)
  return {
    hash: hash('sha256', [normalizeSql(sql), database, schema].join('\0'), 'buffer'),
    ...{ sql, database, schema, at, user: toName(value('user')) ?? '' },
    duration_ms: Number.isFinite(duration) && duration >= 0 ? duration : null,
  }
}

const READS_OR_WRITES =
  /^[\s(;]*(select|with|insert|update|delete|merge|create|replace|copy|unload|alter|upsert|from|export|load|truncate|call|exec|begin\s+\w)/i

/** A comment that is not closed ends with the text: otherwise each start would be searched to the end. */
const stripComments = (sql: string): string => sql.replace(/\/\*[\s\S]*?(?:\*\/|$)|--[^\n]*/g, ' ')

/** Equal for statements that differ only in literals, comments, case of keywords and white space. */
export const normalizeSql = (sql: string): string =>
  stripComments(sql)
    .replace(/'(?:[^'\\]|''|\\.)*'/g, '?')
    .replace(/\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi, '?')
    .replace(/\(\s*\?(?:\s*,\s*\?)+\s*\)/g, '(?)')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s;])[\s;]+$/, '')
    .trim()
    .toLowerCase()

const toText = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value.replaceAll('\0', '\uFFFD').toWellFormed()
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : undefined

const toName = (value: unknown): string | null => toText(value)?.trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || null

/** A timestamp, a date, or seconds or milliseconds since 1970. Without a time zone, it is UTC. */
const toTime = (value: unknown): string | null | 'invalid' => {
  if (value === undefined || value === null || value === '') return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()
  const text = toText(value)?.trim() ?? ''
  if (/^\d{9,19}(\.\d+)?$/.test(text)) return fromNumber(Number(text))
  const [, date, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i.exec(text) ?? []
  const parsed = date ? Date.parse(`${date}T${time.replace(/(\.\d{3})\d+$/, '$1')}${toZone(zone)}`) : Number.NaN
  return Number.isNaN(parsed) ? 'invalid' : new Date(parsed).toISOString()
}

const toZone = (zone: string): string => (/^(z|utc)$/i.test(zone) ? 'Z' : /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone)

/** Seconds, milliseconds, microseconds or nanoseconds, by size. */
const fromNumber = (value: number): string | 'invalid' => {
  const ms = value < 1e11 ? value * 1000 : value < 1e14 ? value : value < 1e17 ? value / 1000 : value / 1e6
  return ms < 8.64e15 ? new Date(ms).toISOString() : 'invalid'
}
