import { sql } from 'kysely'
import { mustBeAble } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { readId } from '../../id.ts'
import { isSigned } from '../../notify/alerts/chart-address.ts'
import { metricTypeOf } from '../metric-types.ts'
import { getMonitor } from '../store.ts'
import { drawChart, type Measured } from './draw.ts'

const MOST_POINTS = 90

/** A chart of the latest measurements, for callers who can see the monitor. */
export const chartOf = async (ctx: Context, id: string): Promise<Buffer> => {
  mustBeAble(ctx.actor, 'monitors.read')
  const { metric_type } = await getMonitor(ctx, id)
  return draw(ctx, id, metric_type)
}

/** The same chart by signed URL, because e-mail clients and Slack have no token. `file` is `<monitor>.png`. */
export const signedChartOf = async (ctx: Context, file: string, { exp, sig }: { exp: string; sig: string }): Promise<Buffer> => {
  const id = file.endsWith('.png') ? readId(file.slice(0, -'.png'.length)) : undefined
  if (!id || !(await isSigned(ctx, id, Number(exp), sig))) throw notFound('chart')
  const row = await ctx.db.selectFrom('monitors').select('metric_type').where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('chart')
  return draw(ctx, id, row.metric_type)
}

const draw = async (ctx: Context, id: string, metric_type: string): Promise<Buffer> => {
  const { rows } = await sql<Omit<Measured, 'at'> & { measured_at: string }>`
    select s.measured_at, s.value, s.lower_threshold as lower, s.upper_threshold as upper, s.outside and s.marked is distinct from 'normal' as outside
    from monitor_measurements s where s.monitor = ${id} order by s.measured_at desc limit ${MOST_POINTS}
  `.execute(ctx.db, ctx.limits)
  const series = rows.map(({ measured_at, ...each }) => ({ ...each, at: new Date(measured_at) })).reverse()
  return drawChart(series, UNITS[metricTypeOf(metric_type).unit])
}

const UNITS = { '': '', ' %': '%', ' h': 'h' } as const
