import { mustBeAble } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { type PageRequest, pageOf } from '../lists/page.ts'
import { findRecent } from './measurement-store.ts'
import { toMonitor } from './record.ts'
import type { Monitor, MonitorQuery } from './schema.ts'
import { getMonitor, listRows } from './store.ts'

export const listMonitors = async (ctx: Context, query: MonitorQuery, page: PageRequest) => {
  mustBeAble(ctx.actor, 'monitors.read')
  const { rows, count } = await listRows(ctx, query, page)
  const monitors = rows.map((row) => toMonitor(ctx, row))
  if (query.recent === undefined) return pageOf(page, count, monitors)
  const ids = monitors.map(({ id }) => id)
  const recent = await findRecent(ctx, ids, query.recent)
  return pageOf(
    page,
    count,
    monitors.map((monitor) => ({ ...monitor, recent: recent.get(monitor.id) ?? [] })),
  )
}

export const readMonitor = async (ctx: Context, id: string): Promise<Monitor> => {
  mustBeAble(ctx.actor, 'monitors.read')
  return toMonitor(ctx, await getMonitor(ctx, id))
}
