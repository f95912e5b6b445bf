import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { resolveAsExpected } from '../incidents/incidents.ts'
import { recordMonitorChange } from '../incidents/monitor-events.ts'
import {
  getMeasurementRow,
  listMeasurementRows,
  type MeasurementWithIncident,
  resetHistory,
  setFeedback,
} from '../measurements/measurement-rows.ts'
import type { Measurement, MeasurementEdit, MeasurementQuery } from '../measurements/measurement-schema.ts'
import { lockMonitor, parseIdParam } from '../monitor-model/monitor-rows.ts'

export const listMeasurements = async (ctx: Context, { monitor, incident_id }: MeasurementQuery, page: PageRequest) => {
  requirePermission(ctx.actor, 'monitors.read')
  if (!monitor && !incident_id) throw invalid({ monitor: ['monitor or incident_id is required.'] })
  const filter = {
    ...(monitor ? { monitor: parseIdParam('monitor', monitor) } : {}),
    ...(incident_id ? { incident: parseIdParam('incident_id', incident_id) } : {}),
  }
  return mapPage(await listMeasurementRows(ctx, filter, page), toMeasurement)
}

export const toMeasurement = ({
  measured_at,
  incident_name,
  incident_status,
  origin,
  marked,
  ...row
}: MeasurementWithIncident): Measurement => ({
  ...row,
  created_at: measured_at,
  origin: origin as Measurement['origin'],
  marked: marked as Measurement['marked'],
  incident_metadata: incident_name === null ? null : { name: incident_name, status: incident_status as 'active' },
})

export const getMeasurement = async (ctx: Context, id: string): Promise<Measurement> => {
  requirePermission(ctx.actor, 'monitors.read')
  return toMeasurement(await getMeasurementRow(ctx, id))
}

/** The thresholds learn from the feedback; marking a measurement as expected resolves its incident. */
export const setMeasurementFeedback = (ctx: Context, id: string, { marked }: MeasurementEdit): Promise<Measurement> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.write')
    const { monitor } = await getMeasurementRow(ctx, id)
    const lockedMonitor = await lockMonitor(ctx, monitor)
    const before = await getMeasurementRow(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    if (before.marked !== marked) {
      await setFeedback(ctx, { measurement: id }, marked)
      await resetHistory(ctx, monitor)
      await recordMonitorChange(ctx, 'updated', lockedMonitor.of, lockedMonitor, [{ field: 'marked', from: before.marked, to: marked }])
      if (before.incident && marked === 'normal') await resolveAsExpected(ctx, lockedMonitor, before.incident)
    }
    return toMeasurement(await getMeasurementRow(ctx, id))
  })
