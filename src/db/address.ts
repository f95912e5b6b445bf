import { Client } from 'pg'

export interface DatabaseAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly ssl: boolean
}

/** Where a URL leads, as the driver reads it. Nothing is connected. */
export const addressOf = (url: string): DatabaseAddress => {
  const { host, port, database, ssl } = new Client({ connectionString: url }) as Client & { readonly ssl: unknown }
  return { host, port, database: database ?? '', ssl: Boolean(ssl) }
}

/** The same server, another database. */
export const databaseUrl = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  other.searchParams.delete('database')
  return other.href
}
