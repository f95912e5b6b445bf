import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { lockMonitor } from '../monitor-model/monitor-rows.ts'
import { IncidentEditor } from './incident-editor.ts'
import { getIncidentRow, isSnoozed } from './incident-rows.ts'

const MAX_WOKEN = 500 // by one run of the task, which runs every minute

/**
 * Ends snoozes whose time has come. An open incident is notified again; of one that was resolved meanwhile nobody has to know. Targets in the
 * trash are left alone: their incidents wake up when they are restored.
 */
export const wakeIncidents = async (system: Context, onError: (error: unknown, what: string) => void): Promise<void> => {
  const ctx = { ...system, actor: SYSTEM }
  await sql`
    update monitor_incidents n set snoozed_until = null, snoozed_by = null
    where n.snoozed_until <= ${ctx.now}::timestamptz and n.status = 'resolved'
  `.execute(ctx.db)
  const { rows } = await sql<{ id: string; monitor: string }>`
    select n.id, n.monitor from monitor_incidents n join resources r on r.id = n.target
    where n.snoozed_until <= ${ctx.now}::timestamptz and n.status <> 'resolved' order by n.snoozed_until, n.id limit ${sql.lit(MAX_WOKEN)}
  `.execute(ctx.db)
  for (const { id, monitor } of rows) await wakeIncident(ctx, id, monitor).catch((error) => onError(error, `waking incident ${id}`))
}

const wakeIncident = (ctx: Context, id: string, monitor_id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const monitor = await lockMonitor(ctx, monitor_id)
    const { of: _, monitor_name: __, metric_type: ___, still_outside: ____, ...row } = await getIncidentRow(ctx, id)
    if (row.snoozed_until === null || isSnoozed(row, ctx.now) || row.status === 'resolved') return
    const editor = new IncidentEditor(ctx, monitor, row)
    editor.wake()
    await editor.save()
  })
