import { type Context, inTransaction } from '../../platform/context/context.ts'
import { recordEvents } from '../../platform/history/events.ts'
import { queueIncidentPaths } from '../incidents/incident-paths.ts'
import { addIncidentActions, findOpenIncidents, saveIncidents } from '../incidents/incident-rows.ts'
import { queueFailingRows } from '../measurements/failing-rows-task.ts'
import {
  deleteRuns,
  findExistingTimes,
  insertMeasurements,
  type MeasurementRow,
  updateMonitorStates,
} from '../measurements/measurement-rows.ts'
import { findMonitorRows, lockMonitors } from '../monitor-model/monitor-rows.ts'
import { loadModels } from './models.ts'
import { type MeasurementResult, ResultWriter } from './result-writer.ts'

/**
 * Checks results against their limits and saves measurements, incidents, monitor states and events in one transaction. Results of a
 * monitor are processed in order of time. Returns each measurement once.
 */
export const recordResults = async (ctx: Context, results: readonly MeasurementResult[]): Promise<MeasurementRow[]> => {
  const ids = [...new Set(results.map(({ monitor }) => monitor))]
  // Training on a long history is slow, so it is done before the monitors are locked.
  if (!ctx.in_transaction) await loadModels(ctx, [...(await findMonitorRows(ctx, ids)).values()])
  try {
    return await inTransaction(ctx, (ctx) => saveResults(ctx, ids, results))
  } catch (error) {
    ctx.runtime.caches.models.delete(ids) // they may have observed values that were rolled back
    throw error
  }
}

const saveResults = async (ctx: Context, ids: readonly string[], results: readonly MeasurementResult[]): Promise<MeasurementRow[]> => {
  const monitors = await lockMonitors(ctx, ids)
  const deletedRuns = await deleteRuns(
    ctx,
    results.flatMap(({ run }) => (run ? [run] : [])),
  )
  const currentResults = results
    .filter(({ monitor, run }) => monitors.has(monitor) && (run === undefined || deletedRuns.has(run)))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const [models, open, before] = await Promise.all([
    loadModels(ctx, [...monitors.values()]),
    findOpenIncidents(ctx, ids),
    findExistingTimes(
      ctx,
      currentResults.filter(({ origin }) => origin === 'pushed'),
    ),
  ])
  const writer = new ResultWriter(ctx, monitors, models, open, before)
  for (const result of currentResults) await writer.add(result)
  await saveIncidents(ctx, [...writer.incidents.values()])
  await insertMeasurements(ctx, writer.measurements)
  await updateMonitorStates(ctx, [...writer.stateUpdates.values()])
  await addIncidentActions(ctx, writer.actions)
  await recordEvents(ctx, writer.events)
  await queueIncidentPaths(ctx, writer.events)
  await queueFailingRows(ctx, writer.measurements, monitors)
  return [...writer.existing, ...writer.measurements]
}
