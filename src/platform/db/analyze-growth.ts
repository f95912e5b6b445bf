import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Numbers of added rows. Autovacuum waits for a minute, and until a tenth of the table is new. */
const ANALYZE_AFTER_ROWS = [1_000, 12_000, 30_000, 100_000, 300_000, 1_000_000]

/**
 * Whether a table should be counted again while one operation adds many rows to it. As long as Postgres takes the table for nearly empty, or
 * an integration for small, it looks up keys with an index of which it reads everything.
 */
export const hasOutgrownStatistics = (addedBefore: number, added: number): boolean =>
  ANALYZE_AFTER_ROWS.some((n) => addedBefore < n && added >= n)

/**
 * Not in a transaction. Autovacuum gives way after a second; behind anything else that holds the table for long, it is left as it is. Only plans
 * depend on it: whatever else fails will be met by the next statement. With `columns`, those of the others are left to autovacuum.
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
/** Autovacuum takes statistics again when a tenth of a table is new. */
const MIN_FACTOR = 10

/** The same for many small transactions. Those that follow each other are one operation: after a pause, autovacuum has counted. */
export class TableGrowth {
  readonly #table: string
  #added = 0
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(table: string) {
    this.#table = table
  }

  /** Not in a transaction. The statistics of a table that had many more rows stay as they are. */
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
