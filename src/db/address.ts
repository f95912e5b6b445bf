import { Client } from 'pg'

export interface DatabaseAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly ssl: boolean
  /** The certificate of the authority that it is checked with. */
  readonly ca?: string
}

/** Where a URL leads, as the driver reads it. Nothing is connected. */
export const addressOf = (url: string): DatabaseAddress => {
  const { host, port, database, ssl } = new Client({ connectionString: url }) as Client & { readonly ssl: unknown }
  const { ca } = (typeof ssl === 'object' ? ssl : {}) as { ca?: string }
  return { host, port, database: database ?? '', ssl: Boolean(ssl), ca }
}

/** The same server, another database. */
export const databaseUrl = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  other.searchParams.delete('database')
  return other.href
}
