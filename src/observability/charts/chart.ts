import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { isValidChartSignature } from '../../platform/secrets/signed-url.ts'
import { getMetricType } from '../monitor-model/metric-types.ts'
import { getMonitorRow } from '../monitor-model/monitor-rows.ts'
import { type ChartPoint, drawChart } from './draw.ts'

const MAX_POINTS = 90

/** A chart of the latest measurements, for callers who can see the monitor. */
export const renderMonitorChart = async (ctx: Context, id: string): Promise<Buffer> => {
  requirePermission(ctx.actor, 'monitors.read')
  const { metric_type } = await getMonitorRow(ctx, id)
  return renderChart(ctx, id, metric_type)
}

/** The same chart by signed URL, because e-mail clients and Slack have no token. `file` is `<monitor>.png`. */
export const renderSignedChart = async (ctx: Context, file: string, { exp, sig }: { exp: string; sig: string }): Promise<Buffer> => {
  const id = file.endsWith('.png') ? parseId(file.slice(0, -'.png'.length)) : undefined
  if (!id || !(await isValidChartSignature(ctx, id, Number(exp), sig))) throw notFound('chart')
  const row = await ctx.db.selectFrom('monitors').select('metric_type').where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('chart')
  return renderChart(ctx, id, row.metric_type)
}

const renderChart = async (ctx: Context, id: string, metric_type: string): Promise<Buffer> => {
  const { rows } = await sql<Omit<ChartPoint, 'at'> & { measured_at: string }>`
    select s.measured_at, s.value, s.lower_threshold as lower, s.upper_threshold as upper, s.outside and s.marked is distinct from 'normal' as outside
    from monitor_measurements s where s.monitor = ${id} order by s.measured_at desc limit ${MAX_POINTS}
  `.execute(ctx.db, ctx.limits)
  const series = rows.map(({ measured_at, ...each }) => ({ ...each, at: new Date(measured_at) })).reverse()
  return drawChart(series, UNITS[getMetricType(metric_type).unit])
}

const UNITS = { '': '', ' %': '%', ' h': 'h' } as const
