import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Numbers of added rows after which to analyze. Autovacuum does so only every minute, and when a tenth of the table is new. */
const ANALYZE_AFTER_ROWS = [1_000, 12_000, 30_000, 100_000, 300_000, 1_000_000]

/**
 * Whether a table should be analyzed again while one operation adds many rows to it. As long as the statistics say that the table is nearly
 * empty, or that an integration has few rows, Postgres chooses plans that read a whole index for each lookup of a key.
 */
export const hasOutgrownStatistics = (addedBefore: number, added: number): boolean =>
  ANALYZE_AFTER_ROWS.some((n) => addedBefore < n && added >= n)

/**
 * Must not be called in a transaction. Waits 5 s at most for the lock: a running autovacuum is cancelled after a second, and if anything else holds
 * the table for longer, the statistics stay as they are. Errors are ignored, because only plans depend on the statistics. With `columns`, only
 * their statistics are updated.
 */
export const analyzeAfterGrowth = async (
  db: Db,
  table: string,
  addedBefore: number,
  added: number,
  columns?: readonly string[],
): Promise<void> => {
  if (!hasOutgrownStatistics(addedBefore, added)) return
  try {
    await db.transaction().execute(async (db) => {
      await sql`set local lock_timeout = '5s'`.execute(db)
      await sql`analyze ${sql.table(table)} ${columns ? sql`(${sql.join(columns.map((column) => sql.ref(column)))})` : sql``}`.execute(db)
    })
  } catch {}
}

const BURST_MS = 120_000
/** Autovacuum analyzes a table when a tenth of it is new. */
const MIN_FACTOR = 10

/** The same for many small transactions. Those without a pause between them count as one operation; in a pause, autovacuum has analyzed the table. */
export class TableGrowth {
  readonly #table: string
  #added = 0
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(table: string) {
    this.#table = table
  }

  /** Must not be called in a transaction. A table that had many more rows before is not analyzed. */
  async add(db: Db, rows: number): Promise<void> {
    const at = performance.now()
    const before = at - this.#lastAt > BURST_MS ? 0 : this.#added
    this.#added = before + rows
    this.#lastAt = at
    if (!hasOutgrownStatistics(before, this.#added)) return
    try {
      const { rows: counted } = await sql<{ n: number }>`
        select reltuples::float8 as n from pg_class where oid = ${this.#table}::text::regclass
      `.execute(db)
      if (counted[0]!.n < MIN_FACTOR * this.#added) await analyzeAfterGrowth(db, this.#table, before, this.#added)
    } catch {}
  }
}
