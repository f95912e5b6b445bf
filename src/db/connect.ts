import type { Readable } from 'node:stream'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import postgres from 'postgres'
import { type CopyOut, copyOut } from './copy-out.ts'
import { PostgresJsDriver } from './driver.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** The address it was opened with, for parts that bring their own client (the queue). */
  readonly url: string
  /** Called whenever a connection to the database ends: whatever was remembered of it may no longer hold. */
  onDisconnect(listener: () => void): void
  /** Hears what any process notifies on this channel, over a connection of its own that comes back by itself. */
  listen(channel: string, listener: (payload: string) => void): Promise<unknown>
  /** What a query finds, as a stream of bytes. */
  copyOut(wanted: CopyOut): Promise<Readable>
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly poolSize?: number
  readonly statementTimeoutMs?: number
  readonly name?: string
}

const TIMESTAMPTZ = 1184
const BIGINT = 20

export const connect = (url: string, { poolSize = 10, statementTimeoutMs = 30_000, name = 'tablinum' }: ConnectOptions = {}): Database => {
  const listeners: (() => void)[] = []
  const client = postgres(url, {
    ...socketOf(url),
    max: poolSize,
    connect_timeout: 10,
    // An idle pool gives its server processes back; ten of them would be half of the memory an idle Tablinum uses.
    idle_timeout: 60,
    max_lifetime: 3600,
    onnotice: () => {},
    onclose: () => {
      for (const listener of listeners) listener()
    },
    connection: { application_name: name, statement_timeout: statementTimeoutMs, TimeZone: 'UTC' },
    types: {
      // Timestamps travel as the text the wire wants; a Date object would cost a parse and a format for each.
      timestamp: {
        to: TIMESTAMPTZ,
        from: [TIMESTAMPTZ],
        serialize: (at: Date | string) => (at instanceof Date ? at.toISOString() : at),
        parse: toIso,
      },
      // Row counts and sizes stay exact far beyond what any table reaches; JSON numbers end at 2^53 all the same.
      bigint: { to: BIGINT, from: [BIGINT], serialize: String, parse: Number },
    },
  })
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresJsDriver(client),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  const db = new Kysely<Tables>({ dialect })
  return {
    db,
    url,
    onDisconnect: (listener) => listeners.push(listener),
    listen: (channel, listener) => client.listen(channel, listener),
    copyOut: (wanted) => copyOut(client, db, wanted),
    close: () => db.destroy(),
  }
}

/** `2026-11-15 08:38:00.12+00` → `2026-11-15T08:38:00.120Z` */
const toIso = (text: string): string => {
  const fraction = text.length > 22 ? text.slice(20, -3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/** `postgres://user@%2Fthe%2Ffolder/name` means the socket in that folder, as libpq reads it. */
const socketOf = (url: string): { path?: string } => {
  const { hostname, port } = new URL(url)
  const folder = decodeURIComponent(hostname)
  return folder.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port || 5432}` } : {}
}
