import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { lockMonitor } from '../monitor-model/monitor-rows.ts'
import { IncidentEditor } from './incident-editor.ts'
import { getIncidentRow, isSnoozed } from './incident-rows.ts'

const MAX_ENDED = 500 // by one run of the task, which runs every minute

/**
 * Ends snoozes whose time has come. People are notified of an incident that is still open, not of one that was resolved meanwhile. Targets in the
 * trash are left out: the snoozes of their incidents end when they are restored.
 */
export const endSnoozes = async (system: Context, onError: (error: unknown, what: string) => void): Promise<void> => {
  const ctx = { ...system, actor: SYSTEM }
  await sql`
    update monitor_incidents n set snoozed_until = null, snoozed_by = null
    where n.snoozed_until <= ${ctx.now}::timestamptz and n.status = 'resolved'
  `.execute(ctx.db)
  const { rows } = await sql<{ id: string; monitor: string }>`
    select n.id, n.monitor from monitor_incidents n join resources r on r.id = n.target
    where n.snoozed_until <= ${ctx.now}::timestamptz and n.status <> 'resolved' order by n.snoozed_until, n.id limit ${sql.lit(MAX_ENDED)}
  `.execute(ctx.db)
  for (const { id, monitor } of rows) await endSnooze(ctx, id, monitor).catch((error) => onError(error, `snooze of incident ${id}`))
}

const endSnooze = (ctx: Context, id: string, monitor_id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const monitor = await lockMonitor(ctx, monitor_id)
    const { of: _, monitor_name: __, metric_type: ___, still_outside: ____, ...row } = await getIncidentRow(ctx, id)
    if (row.snoozed_until === null || isSnoozed(row, ctx.now) || row.status === 'resolved') return
    const editor = new IncidentEditor(ctx, monitor, row)
    editor.endDueSnooze()
    await editor.save()
  })
