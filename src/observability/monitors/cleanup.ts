import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { deleteInBatches, runInBatches } from '../../platform/db/in-batches.ts'

/** Deletes monitors whose target was deleted 90 days ago, and sub-daily measurements older than 400 days that belong to no incident. */
export const deleteOrphanedMonitors = async (ctx: Context): Promise<void> => {
  await runInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      update monitors m set target_gone_at = case when m.target_gone_at is null then ${ctx.now}::timestamptz end
      where m.ctid = any(array(
        select w.ctid from monitors w left join resources r on r.id = w.target where (w.target_gone_at is null) <> (r.id is not null) limit ${limit}))
    `.execute(ctx.db)
    return Number(numAffectedRows ?? 0)
  })
  const isExpiredSql = sql`monitors.target_gone_at < ${ctx.now}::timestamptz - interval '90 days'`
  // Deleted in batches before their monitors: a cascading delete would remove years of measurements in one statement.
  await deleteInBatches(
    ctx.db,
    'monitor_measurements',
    sql`exists (select from monitors where monitors.id = monitor_measurements.monitor and ${isExpiredSql})`,
  )
  await deleteInBatches(ctx.db, 'monitors', isExpiredSql)
  await deleteInBatches(
    ctx.db,
    'monitor_measurements',
    sql`measured_at < ${ctx.now}::timestamptz - interval '400 days' and incident is null
      and exists (select from monitors m where m.id = monitor_measurements.monitor and m.frequency < 24)`,
  )
}
