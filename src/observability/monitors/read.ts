import type { Context } from '../../platform/context/context.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findRecent } from '../measurements/measurement-rows.ts'
import { getMonitorRow, listMonitorRows } from '../monitor-model/monitor-rows.ts'
import { toMonitor } from '../monitor-model/record.ts'
import type { Monitor, MonitorQuery } from '../monitor-model/schema.ts'

export const listMonitors = async (ctx: Context, query: MonitorQuery, page: PageRequest) => {
  requirePermission(ctx.actor, 'monitors.read')
  const monitors = mapPage(await listMonitorRows(ctx, query, page), (row) => toMonitor(ctx, row))
  if (query.recent === undefined) return monitors
  const ids = monitors.results.map(({ id }) => id)
  const recent = await findRecent(ctx, ids, query.recent)
  return mapPage(monitors, (monitor) => ({ ...monitor, recent: recent.get(monitor.id) ?? [] }))
}

export const getMonitor = async (ctx: Context, id: string): Promise<Monitor> => {
  requirePermission(ctx.actor, 'monitors.read')
  return toMonitor(ctx, await getMonitorRow(ctx, id))
}
