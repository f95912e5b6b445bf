import { sql } from 'kysely'
import type { Context } from '../context.ts'

const SOME = 10_000

/** Once an hour: monitors whose target has been gone for long go after it; hourly measurements of more than a year ago go, unless they were incidents. */
export const sweepMonitors = async (ctx: Context): Promise<void> => {
  await sql`
    update monitors m set target_gone_at = case when r.id is null then ${ctx.now}::timestamptz end
    from monitors w left join resources r on r.id = w.target
    where m.id = w.id and (w.target_gone_at is null) <> (r.id is not null)
  `.execute(ctx.db)
  await sql`delete from monitors where target_gone_at < ${ctx.now}::timestamptz - interval '90 days'`.execute(ctx.db)
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from monitor_measurements where id in (
        select s.id from monitor_measurements s join monitors m on m.id = s.monitor
        where s.measured_at < ${ctx.now}::timestamptz - interval '400 days' and m.frequency < 24 and s.incident is null limit ${sql.lit(SOME)})
    `.execute(ctx.db)
    if (Number(numAffectedRows ?? 0) < SOME) return
  }
}
