import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** Maximum rows per statement: it stays far below every timeout and holds its locks only briefly. */
export const BATCH_ROWS = 5_000

/** Repeats a statement with this row limit until it affects fewer rows. */
export const runInBatches = async (statement: (limit: RawBuilder<unknown>) => Promise<number>): Promise<void> => {
  while ((await statement(sql.lit(BATCH_ROWS))) === BATCH_ROWS) {}
}

/** Deletes the matching rows, one transaction per batch. */
export const deleteInBatches = (db: Db, table: string, condition: RawBuilder<unknown>, alias = table): Promise<void> =>
  runInBatches(async (limit) => {
    const some = sql`select ${sql.ref(alias)}.ctid from ${sql.table(table)} as ${sql.ref(alias)} where ${condition} limit ${limit}`
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(${some}))`.execute(db)
    return Number(numAffectedRows ?? 0)
  })
