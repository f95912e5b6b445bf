import { Client } from 'pg'

export interface DatabaseAddress {
  /** Host name, IP address, or socket folder. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly ssl: boolean
  /** The CA certificate. */
  readonly ca?: string
}

/** Parses a database URL with the driver, without connecting. */
export const parseDatabaseUrl = (url: string): DatabaseAddress => {
  const { host, port, database, ssl } = new Client({ connectionString: url }) as Client & { readonly ssl: unknown }
  const { ca } = (typeof ssl === 'object' ? ssl : {}) as { ca?: string }
  return { host, port, database: database ?? '', ssl: Boolean(ssl), ca }
}

/** The same server, another database. */
export const withDatabase = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  other.searchParams.delete('database')
  return other.href
}
