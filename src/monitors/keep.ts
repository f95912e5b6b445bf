import { type Context, inTransaction } from '../context.ts'
import { recordActivities } from '../history/record.ts'
import { addActions, findOpen, saveIncidents } from './incident-store.ts'
import { Keeping, type Result } from './keeping.ts'
import { lessonsOf } from './learn.ts'
import { findMeasured, insertMeasurements, type MeasurementRow, noteMonitors, takeRuns } from './measurement-store.ts'
import { findMonitors, lockMonitors } from './store.ts'

/**
 * Checks results against their limits and saves measurements, incidents, monitor states and activities in one transaction. Results of a
 * monitor are processed in order of time. Returns each measurement once.
 */
export const keepResults = async (ctx: Context, results: readonly Result[]): Promise<MeasurementRow[]> => {
  const ids = [...new Set(results.map(({ monitor }) => monitor))]
  // Training on a long history is slow, so it is done before the monitors are locked.
  if (!ctx.in_transaction) await lessonsOf(ctx, [...(await findMonitors(ctx, ids)).values()])
  try {
    return await inTransaction(ctx, (ctx) => keep(ctx, ids, results))
  } catch (error) {
    ctx.runtime.caches.models.delete(ids) // they may have observed values that were rolled back
    throw error
  }
}

const keep = async (ctx: Context, ids: readonly string[], results: readonly Result[]): Promise<MeasurementRow[]> => {
  const monitors = await lockMonitors(ctx, ids)
  const taken = await takeRuns(
    ctx,
    results.flatMap(({ run }) => (run ? [run] : [])),
  )
  const told = results
    .filter(({ monitor, run }) => monitors.has(monitor) && (run === undefined || taken.has(run)))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const [lessons, open, before] = await Promise.all([
    lessonsOf(ctx, [...monitors.values()]),
    findOpen(ctx, ids),
    findMeasured(
      ctx,
      told.filter(({ origin }) => origin === 'pushed'),
    ),
  ])
  const keeping = new Keeping(ctx, monitors, lessons, open, before)
  for (const result of told) await keeping.add(result)
  await saveIncidents(ctx, [...keeping.incidents.values()])
  await insertMeasurements(ctx, keeping.measurements)
  await noteMonitors(ctx, [...keeping.notes.values()])
  await addActions(ctx, keeping.actions)
  await recordActivities(ctx, keeping.activities)
  return [...keeping.found, ...keeping.measurements]
}
