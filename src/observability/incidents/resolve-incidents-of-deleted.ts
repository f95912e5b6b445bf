import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { lockMonitors } from '../monitor-model/monitor-rows.ts'
import { IncidentEditor } from './incident-editor.ts'
import { findOpenIncidents } from './incident-rows.ts'

/** Resolves the open incidents of monitors that are about to be deleted, so that everyone who was notified, and every pager, learns of the end. */
export const resolveIncidentsOfMonitors = async (ctx: Context, monitors: Awaited<ReturnType<typeof lockMonitors>>): Promise<void> => {
  for (const incident of (await findOpenIncidents(ctx, [...monitors.keys()])).values()) {
    const editor = new IncidentEditor(ctx, monitors.get(incident.monitor)!, incident)
    await editor.setStatus('resolved')
    await editor.save()
  }
}

/** Nobody could resolve an incident of a deleted resource. If the resource is restored, the next run of its monitor opens a new one if necessary. */
export const resolveIncidentsOfDeletedResources = async (ctx: Context, resources: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ monitor: string }>`
    select n.monitor from monitor_incidents n where n.status <> 'resolved' and n.target = any(${resources}::uuid[])
  `.execute(ctx.db)
  if (rows.length === 0) return
  await resolveIncidentsOfMonitors(
    ctx,
    await lockMonitors(
      ctx,
      rows.map(({ monitor }) => monitor),
    ),
  )
}
