import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** What of the notes on changes is for a short time only. */
const TRANSIENT = ['resource_changes', 'resource_change_horizons', 'property_changes']
/** What is kept for ever, and knows which transaction wrote it. */
const LASTING = ['activities', 'lineage_tallies']
/** Older than every snapshot. */
const LONG_AGO = '3'

/**
 * A dump restored on another server brings the numbers of transactions that server has yet to reach: they would count as written from now
 * on. A row we can see and whose transaction lies in the future tells; what is known of old is then told apart from it.
 */
export const settleRestored = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ restored: boolean }>`
    select ${sql.join(
      [...LASTING, 'resource_changes', 'property_changes'].map(
        (table) => sql`exists (select from ${sql.table(table)} where xid >= pg_snapshot_xmax(pg_current_snapshot()))`,
      ),
      sql` or `,
    )} as restored
  `.execute(db)
  if (!rows[0]!.restored) return false
  await db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('tablinum restored'))`.execute(db)
    await sql`truncate ${sql.join(TRANSIENT.map((table) => sql.table(table)))}`.execute(db)
    await sql`update webhooks set since_snapshot = null`.execute(db)
    for (const table of LASTING)
      await sql`update ${sql.table(table)} set xid = ${LONG_AGO}::text::xid8 where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
        db,
      )
  })
  return true
}
