import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../context/context.ts'
import type { Db } from '../db/connect.ts'
import type { BackgroundMetrics } from './metrics.ts'

/** One entry of `background_migrations`: work on existing rows that a migration has left to running processes. */
export interface BackgroundMigration {
  readonly name: string
  readonly batch_function: string | null
  readonly index_definition: string | null
  readonly source_table: string
  readonly position: string | null
  readonly rows_done: number
  readonly rows_total: number | null
}

export interface BackgroundMigrationOptions {
  readonly onError: (error: unknown, what: string) => void
  readonly metrics?: BackgroundMetrics
  /** Called after every batch. */
  readonly onProgress?: (migration: BackgroundMigration, finished: boolean) => void
  /** Ends the work after the running batch. */
  readonly stopping?: AbortSignal
}

const FIRST_BATCH_ROWS = 1_000
const MAX_BATCH_ROWS = 20_000
const TARGET_MS = 500 // of a batch: its row locks delay the writes of others for no longer
const MAX_PAUSE_MS = 1_000

/**
 * Does what is unfinished, one entry after the other. Each batch commits with its position, so another process continues where one was
 * killed; an entry that another process is working on is skipped. An error is stored with the entry, and the next call retries it.
 */
export const runBackgroundMigrations = async (ctx: Context, options: BackgroundMigrationOptions): Promise<void> => {
  for (const name of await findUnfinished(ctx.db)) {
    try {
      await runOne(ctx, name, options)
    } catch (error) {
      if (options.stopping?.aborted) return
      await storeError(ctx.db, name, error as Error)
      options.metrics?.migrationFailures.inc()
      options.onError(error, `background migration ${name}`)
    }
  }
}

const findUnfinished = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from background_migrations where finished_at is null order by created_at, name`.execute(db)
  return rows.map(({ name }) => name)
}

const runOne = async (ctx: Context, name: string, { onProgress, stopping }: BackgroundMigrationOptions): Promise<void> => {
  for (let size = FIRST_BATCH_ROWS; !stopping?.aborted; ) {
    const began = performance.now()
    const result = await runStep(ctx, name, size)
    if (!result) return // another process is at work, or it is finished
    onProgress?.(result.migration, result.finished)
    if (result.finished) return
    const took = performance.now() - began
    size = Math.max(1, Math.min(MAX_BATCH_ROWS, took > TARGET_MS ? Math.floor(size / 2) : took < TARGET_MS / 4 ? size * 2 : size))
    await ctx.runtime.monitorPriority.giveWay()
    await sleep(Math.min(took, MAX_PAUSE_MS), undefined, { signal: stopping }).catch(() => {}) // half of the time is left to others
  }
}

interface Step {
  readonly migration: BackgroundMigration
  readonly finished: boolean
}

/** One batch, or the whole index; undefined if another process is at work, or it is finished. */
const runStep = async (ctx: Context, name: string, size: number): Promise<Step | undefined> => {
  const entry = await findEntry(ctx.db, name)
  if (!entry) return undefined
  return entry.batch_function ? runBatch(ctx.db, name, size) : buildIndex(ctx.runtime.databases.transfer.db, entry)
}

const findEntry = async (db: Db, name: string, locking = sql``): Promise<BackgroundMigration | undefined> => {
  const { rows } = await sql<BackgroundMigration>`
    select name, batch_function, index_definition, source_table, position, rows_done::float8 as rows_done, rows_total::float8 as rows_total
    from background_migrations where name = ${name} and finished_at is null ${locking}`.execute(db)
  return rows[0]
}

const saveStep = async (db: Db, migration: BackgroundMigration): Promise<Step> => {
  const { name, position, rows_done, rows_total } = migration
  const finished = position === null
  await sql`
    update background_migrations set position = ${position}, rows_done = ${rows_done}, rows_total = ${rows_total}, error = null,
      updated_at = clock_timestamp(), finished_at = ${finished ? sql`clock_timestamp()` : null} where name = ${name}`.execute(db)
  return { migration, finished }
}

const estimateRows = async (db: Db, table: string): Promise<number> => {
  const { rows } = await sql<{
    rows: number
  }>`select greatest(reltuples, 0)::float8 as rows from pg_class where oid = ${table}::regclass`.execute(db)
  return rows[0]!.rows
}

const runBatch = (pool: Db, name: string, size: number): Promise<Step | undefined> =>
  pool.transaction().execute(async (db) => {
    const entry = await findEntry(db, name, sql`for update skip locked`)
    if (!entry) return undefined
    const rows_total = entry.rows_total ?? (await estimateRows(db, entry.source_table))
    const { rows } = await sql<{ next: string | null; changed: number }>`
      select next, coalesce(changed, 0)::float8 as changed
      from ${sql.id(entry.batch_function!)}(${entry.position}::text, ${size}::int)`.execute(db)
    const { next, changed } = rows[0]!
    return saveStep(db, { ...entry, rows_total, rows_done: entry.rows_done + changed, position: next })
  })

const INDEX_LOCK = 7_264_504

/**
 * Without blocking writes, so not in a transaction: the lock belongs to the session, because the build would wait for any other
 * transaction of ours. A build that was interrupted leaves an invalid index, which is dropped first.
 */
const buildIndex = (pool: Db, entry: BackgroundMigration): Promise<Step | undefined> =>
  pool.connection().execute(async (db) => {
    const { rows: locked } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${INDEX_LOCK}::bigint) as free`.execute(db)
    if (!locked[0]!.free) return undefined
    try {
      const index = entry.index_definition!.split(' ', 1)[0]!
      const { rows: found } = await sql<{ valid: boolean }>`
        select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass(${index})`.execute(db)
      if (found[0] && !found[0].valid) await sql`drop index concurrently ${sql.id(index)}`.execute(db)
      if (!found[0]?.valid) await sql.raw(`create index concurrently ${entry.index_definition}`).execute(db)
      const rows_total = await estimateRows(db, entry.source_table)
      return await saveStep(db, { ...entry, rows_total, rows_done: rows_total })
    } finally {
      await sql`select pg_advisory_unlock(${INDEX_LOCK}::bigint)`.execute(db)
    }
  })

const storeError = (db: Db, name: string, error: Error): Promise<unknown> =>
  sql`update background_migrations set error = ${error.message.slice(0, 1_000)}, updated_at = clock_timestamp() where name = ${name}`
    .execute(db)
    .catch(() => {}) // the database may be away; the log has the error

const LOG_INTERVAL_MS = 30_000

export interface MigrationReport {
  readonly metrics?: BackgroundMetrics
  readonly onProgress?: (message: string, details: object) => void
}

/** Progress in the metrics after every batch, and in the log twice a minute and at the end. */
export const reportMigration = ({ metrics, onProgress }: MigrationReport): Required<BackgroundMigrationOptions>['onProgress'] => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return ({ name: migration, rows_done, rows_total }, finished) => {
    metrics?.migrationRows.set({ migration, state: 'done' }, rows_done)
    metrics?.migrationRows.set({ migration, state: 'total' }, Math.max(rows_total ?? 0, rows_done))
    if (finished) for (const state of ['done', 'total']) metrics?.migrationRows.remove({ migration, state })
    if (!finished && performance.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    onProgress?.(finished ? 'background migration finished' : 'background migration', { migration, rows_done, rows_total })
  }
}
