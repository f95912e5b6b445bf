import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { invalid } from '../errors.ts'
import { etagOf } from '../etag.ts'
import type { PageRequest } from '../lists/page.ts'
import { mapPage } from '../lists/read-page.ts'
import { callNormal } from './incidents.ts'
import type { Measurement, MeasurementEdit, MeasurementQuery } from './measurement-schema.ts'
import { beginAnew, getMeasurement, listMeasurementRows, type SeenMeasurement, setMarks } from './measurement-store.ts'
import { idIn, lockMonitor } from './store.ts'
import { tellMonitor } from './tell.ts'

export const listMeasurements = async (ctx: Context, { monitor, incident_id }: MeasurementQuery, page: PageRequest) => {
  mustBeAble(ctx.actor, 'monitors.read')
  if (!monitor && !incident_id) throw invalid({ monitor: ['monitor or incident_id is required.'] })
  const wanted = {
    ...(monitor ? { monitor: idIn('monitor', monitor) } : {}),
    ...(incident_id ? { incident: idIn('incident_id', incident_id) } : {}),
  }
  return mapPage(await listMeasurementRows(ctx, wanted, page), toMeasurement)
}

export const toMeasurement = ({ measured_at, incident_name, incident_status, origin, marked, ...row }: SeenMeasurement): Measurement => ({
  ...row,
  created_at: measured_at,
  origin: origin as Measurement['origin'],
  marked: marked as Measurement['marked'],
  incident_metadata: incident_name === null ? null : { name: incident_name, status: incident_status as 'active' },
})

export const readMeasurement = async (ctx: Context, id: string): Promise<Measurement> => {
  mustBeAble(ctx.actor, 'monitors.read')
  return toMeasurement(await getMeasurement(ctx, id))
}

/** The thresholds learn from the feedback; marking a measurement as expected resolves its incident. */
export const markMeasurement = (ctx: Context, id: string, { marked }: MeasurementEdit): Promise<Measurement> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'monitors.write')
    const { monitor } = await getMeasurement(ctx, id)
    const held = await lockMonitor(ctx, monitor)
    const before = await getMeasurement(ctx, id)
    mustMatch(ctx, etagOf(before))
    if (before.marked !== marked) {
      await setMarks(ctx, { measurement: id }, marked)
      await beginAnew(ctx, monitor)
      await tellMonitor(ctx, 'updated', held.of, held, [{ field: 'marked', from: before.marked, to: marked }])
      if (before.incident && marked === 'normal') await callNormal(ctx, held, before.incident)
    }
    return toMeasurement(await getMeasurement(ctx, id))
  })
