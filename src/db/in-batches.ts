import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** Rows that one statement touches at most: it stays well within any limit of time, and holds its locks for a moment only. */
export const BATCH_ROWS = 5_000

/** Repeats a statement that touches at most so many rows, until it finds fewer. */
export const inBatches = async (statement: (limit: RawBuilder<unknown>) => Promise<number>): Promise<void> => {
  while ((await statement(sql.lit(BATCH_ROWS))) === BATCH_ROWS) {}
}

/** Deletes the rows that match, a batch in a transaction. */
export const deleteInBatches = (db: Db, table: string, condition: RawBuilder<unknown>, alias = table): Promise<void> =>
  inBatches(async (limit) => {
    const some = sql`select ${sql.ref(alias)}.ctid from ${sql.table(table)} as ${sql.ref(alias)} where ${condition} limit ${limit}`
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(${some}))`.execute(db)
    return Number(numAffectedRows ?? 0)
  })
