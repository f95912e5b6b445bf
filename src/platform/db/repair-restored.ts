import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Change logs that are only needed for a short time. */
const TRANSIENT_TABLES = ['resource_changes', 'resource_change_horizons', 'property_changes']
/** Permanent tables with a transaction ID per row. */
const PERMANENT_TABLES = ['activities', 'lineage_edge_counts']
/** A transaction ID older than every snapshot. */
const OLD_TRANSACTION_ID = '3'

/**
 * A dump restored on another server contains transaction IDs which that server has not reached yet: its rows would count as written in the
 * future. Detects such rows (visible, but with a future ID) and resets their IDs.
 */
export const repairRestoredTransactionIds = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ restored: boolean }>`
    select ${sql.join(
      [...PERMANENT_TABLES, 'resource_changes', 'property_changes'].map(
        (table) => sql`exists (select from ${sql.table(table)} where xid >= pg_snapshot_xmax(pg_current_snapshot()))`,
      ),
      sql` or `,
    )} as restored
  `.execute(db)
  if (!rows[0]!.restored) return false
  await db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('tablinum restored'))`.execute(db)
    await sql`truncate ${sql.join(TRANSIENT_TABLES.map((table) => sql.table(table)))}`.execute(db)
    await sql`update webhooks set since_snapshot = null`.execute(db)
    for (const table of PERMANENT_TABLES)
      await sql`update ${sql.table(table)} set xid = ${OLD_TRANSACTION_ID}::text::xid8 where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
        db,
      )
  })
  return true
}
