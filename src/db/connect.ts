import type { Readable } from 'node:stream'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { type CopyOut, copyOut } from './copy-out.ts'
import { PgDriver } from './driver.ts'
import type { ConnectionPool } from './pool.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** One pool of connections to Tablinum's database. */
export interface Database {
  readonly db: Db
  /** The address it was opened with, for parts that bring their own client (the queue). */
  readonly url: string
  readonly pool: Pick<ConnectionPool, 'max' | 'counts' | 'renew'>
  /** What a query finds, as a stream of bytes. */
  copyOut(wanted: CopyOut): Promise<Readable>
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly poolSize?: number
  /** 0: no limit. */
  readonly statementTimeoutMs?: number
  readonly name?: string
  /** Called when the server ends a connection or it breaks; not when the pool closes an idle one. */
  readonly onLost?: (error: unknown) => void
  /** Ends the statement of a server process whose caller no longer waits. Without it such a statement runs until its timeout. */
  readonly cancel?: (pid: number) => Promise<unknown>
  /** How long a caller waits while all connections are busy. Without it: as long as it takes. */
  readonly acquireTimeoutMs?: number
  /** A statement that is not answered by then has lost its server. Without it: as long as it takes. */
  readonly answerTimeoutMs?: number
  readonly idleTimeoutMs?: number
}

export const connect = (
  url: string,
  { poolSize = 10, statementTimeoutMs = 30_000, name = 'tablinum', onLost = () => {}, ...more }: ConnectOptions = {},
): Database => {
  const driver = new PgDriver(url, { name, max: poolSize, statementTimeoutMs, onLost, ...more })
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return {
    db,
    url,
    pool: driver.pool,
    copyOut: (wanted) => copyOut(driver.pool, db, wanted),
    close: async () => {
      await db.destroy()
      await driver.destroy().catch(() => {}) // Kysely does not destroy a driver that it never used
    },
  }
}
