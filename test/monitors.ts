import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Context } from '../src/context.ts'
import { workLane } from '../src/monitors/lanes.ts'
import type { House } from './house.ts'

/** Makers and helpers for monitors. */
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type Body = any

export const aMonitor = async (house: Pick<House, 'call'>, body: object): Promise<Body> => {
  const answer = await house.call('POST', '/monitor/monitors', { body })
  expect([answer.status, answer.body?.detail]).toEqual([201, undefined])
  return answer.body
}

/** A monitor whose values are pushed, so that it needs no source. */
export const aPushed = async (house: House, more: object = {}): Promise<Body> => {
  const { id: target } = await house.resource({ entity_type: 'table', title: 'orders' })
  return aMonitor(house, { target, metric_type: 'pushed', ...more })
}

export const push = async (
  house: Pick<House, 'call'>,
  monitor: string,
  values: readonly (readonly [at: number, value: number])[],
): Promise<Body[]> => {
  const measurements = values.map(([at, value]) => ({ monitor, value, measured_at: new Date(at).toISOString() }))
  const answer = await house.call('POST', '/monitor/measurements', { body: { measurements } })
  expect([answer.status, answer.body?.detail]).toEqual([201, undefined])
  return answer.body.results
}

export const read = async (house: Pick<House, 'call'>, path: string): Promise<Body> => {
  const answer = await house.call('GET', path)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.body
}

/** Runs all partitions, as the workers do, until no run is queued. */
export const workLanes = async (ctx: Context): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ lane: string }>`select distinct lane from monitor_runs order by 1`.execute(ctx.db)
    if (rows.length === 0) return
    for (const { lane } of rows) await workLane(ctx, { lane })
  }
}

/** Every resource of an integration, by its full title without the database. */
export const catalogOf = async (house: House): Promise<(title: string) => string> => {
  const rows = await house.db.selectFrom('resources').select(['id', 'title_full']).execute()
  return (title) => {
    const found = rows.find(({ title_full }) => title_full === title || title_full.endsWith(`.${title}`))
    if (!found) throw new Error(`${title} not found among ${rows.map(({ title_full }) => title_full).join(', ')}`)
    return found.id
  }
}

export const BOUNDS = { condition_auto_sensitivity: null, condition_manual_min: -1e300, is_enabled: false }

/** Creates monitors with these settings, runs them together and returns what each measured. */
export const measured = async (house: House, wanted: Record<string, object>): Promise<Record<string, unknown>> => {
  const ids: [string, string][] = []
  for (const [name, body] of Object.entries(wanted)) ids.push([name, (await aMonitor(house, { ...BOUNDS, ...body })).id])
  const { body: job } = await house.call('POST', '/monitor/monitors/run', { body: { monitors: ids.map(([, id]) => id) } })
  await workLanes(house.ctx)
  expect(await read(house, `/background_jobs/${job.id}`)).toMatchObject({ status: 'COMPLETED', progress: 100, failed: false })
  const told: Record<string, unknown> = {}
  for (const [name, id] of ids) {
    const monitor = await read(house, `/monitor/monitors/${id}`)
    told[name] = monitor.status === 'error' ? monitor.last_error_message : monitor.last_measurement_value
  }
  return told
}
