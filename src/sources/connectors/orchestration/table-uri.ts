import { findEngineDialect } from '../bi/engines.ts'

export interface NamedTable {
  /** From the database, or as much of it as is known, down to the table. */
  readonly table: readonly string[]
  readonly dialect?: string
}

/** Parts of the path that name the table, where the systems have fewer than three. */
const PART_COUNTS: Readonly<Record<string, number>> = { mysql: 2, clickhouse: 2, sqlite: 2 }

/**
 * The table that an address such as `postgres://host:5432/shop/public/orders` or `bigquery://project/dataset/table` names; `snowflake://account/db.schema.table`
 * is written by some as well. Undefined for files, streams and everything else. Pure.
 */
export const parseTableUri = (uri: string): NamedTable | undefined => {
  const [, scheme = '', rest = ''] = /^([a-z][\w.+-]*):\/\/(.*)$/i.exec(uri.replace(/[?#].*$/s, '')) ?? []
  const dialect = findEngineDialect(scheme)
  if (dialect === undefined) return undefined
  const [host = '', ...path] = rest.split('/').filter((part, i) => i === 0 || part !== '')
  const written = dialect === 'bigquery' && path.length === 2 ? [host, ...path] : path
  const parts = (written.length === 1 ? written[0]!.split('.') : written).map(decode)
  const max = PART_COUNTS[dialect] ?? 3
  return parts.length >= 2 && parts.length <= max && parts.every((part) => part !== '') ? { table: parts, dialect } : undefined
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
