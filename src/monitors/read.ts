import { mustBeAble } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { PageRequest } from '../lists/page.ts'
import { mapPage } from '../lists/read-page.ts'
import { findRecent } from './measurement-store.ts'
import { toMonitor } from './record.ts'
import type { Monitor, MonitorQuery } from './schema.ts'
import { getMonitor, listRows } from './store.ts'

export const listMonitors = async (ctx: Context, query: MonitorQuery, page: PageRequest) => {
  mustBeAble(ctx.actor, 'monitors.read')
  const monitors = mapPage(await listRows(ctx, query, page), (row) => toMonitor(ctx, row))
  if (query.recent === undefined) return monitors
  const ids = monitors.results.map(({ id }) => id)
  const recent = await findRecent(ctx, ids, query.recent)
  return mapPage(monitors, (monitor) => ({ ...monitor, recent: recent.get(monitor.id) ?? [] }))
}

export const readMonitor = async (ctx: Context, id: string): Promise<Monitor> => {
  mustBeAble(ctx.actor, 'monitors.read')
  return toMonitor(ctx, await getMonitor(ctx, id))
}
