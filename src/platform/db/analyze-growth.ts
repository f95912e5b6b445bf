import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Numbers of added rows. Autovacuum waits for a minute, and until a tenth of the table is new. */
const ANALYZE_AFTER_ROWS = [1_000, 12_000, 30_000, 100_000, 300_000, 1_000_000]

/**
 * Counts a table again while one operation adds many rows to it. As long as Postgres takes the table for nearly empty, or an integration for
 * small, it looks up keys with an index of which it reads everything.
 */
export const analyzeAfterGrowth = async (db: Db, table: string, addedBefore: number, added: number): Promise<void> => {
  if (ANALYZE_AFTER_ROWS.some((n) => addedBefore < n && added >= n)) await sql`analyze (skip_locked) ${sql.table(table)}`.execute(db)
}
