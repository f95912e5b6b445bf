import type { Readable } from 'node:stream'
import { type Dialect, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { type CopyOutOptions, copyOut } from './copy-out.ts'
import { PgDriver } from './driver.ts'
import { PipelinedExecutor } from './pipelined-executor.ts'
import type { ConnectionPool } from './pool.ts'
import type { Tables } from './tables.ts'
import { createStatementTracer } from './trace-statements.ts'

export type Db = Kysely<Tables>

/** One connection pool of Tablinum's database. */
export interface Database {
  readonly db: Db
  /** The URL it was opened with, for the queue, which has its own client. */
  readonly url: string
  readonly pool: Pick<ConnectionPool, 'max' | 'counts' | 'renew'>
  /** The result of a query as a stream of bytes. */
  copyOut(options: CopyOutOptions): Promise<Readable>
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly poolSize?: number
  /** 0: no limit. */
  readonly statementTimeoutMs?: number
  readonly name?: string
  /** Called when a connection is lost; not when the pool closes an idle one. */
  readonly onLost?: (error: unknown) => void
  /** Cancels the statement of a server process whose caller no longer waits. Without it, the statement runs until its timeout. */
  readonly cancel?: (pid: number) => Promise<unknown>
  /** How long a caller waits while all connections are busy. Default: no limit. */
  readonly acquireTimeoutMs?: number
  /** A statement without a response by then has lost its server. Default: no limit. */
  readonly answerTimeoutMs?: number
  readonly idleTimeoutMs?: number
  /** Statements become spans. */
  readonly traced?: boolean
}

export const connect = (
  url: string,
  { poolSize = 10, statementTimeoutMs = 30_000, name = 'tablinum', onLost = () => {}, traced = false, ...more }: ConnectOptions = {},
): Database => {
  const traceStatement = traced ? createStatementTracer(url) : undefined
  const driver = new PgDriver(url, { name, max: poolSize, statementTimeoutMs, onLost, traceStatement, ...more })
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  const plain = new Kysely<Tables>({ dialect })
  const executor = new PipelinedExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), plain.getExecutor())
  const db = new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
  return {
    db,
    url,
    pool: driver.pool,
    copyOut: (options) => copyOut(driver.pool, db, options),
    close: async () => {
      await plain.destroy()
      await driver.destroy().catch(() => {}) // Kysely does not destroy a driver it never used
    },
  }
}
