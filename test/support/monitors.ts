import { sql } from 'kysely'
import { expect } from 'vitest'
import { runPartition } from '../../src/observability/runs/partitions.ts'
import type { Context } from '../../src/platform/context/context.ts'
import type { TestApp } from './test-app.ts'

/** Makers and helpers for monitors. */
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type JsonBody = any

export const createTestMonitor = async (app: Pick<TestApp, 'call'>, body: object): Promise<JsonBody> => {
  const response = await app.call('POST', '/monitor/monitors', { body })
  expect([response.status, response.body?.detail]).toEqual([201, undefined])
  return response.body
}

/** A monitor whose values are pushed, so that it needs no source. */
export const createPushMonitor = async (app: TestApp, more: object = {}): Promise<JsonBody> => {
  const { id: target } = await app.createResource({ entity_type: 'table', title: 'orders' })
  return createTestMonitor(app, { target, metric_type: 'pushed', ...more })
}

export const pushValues = async (
  app: Pick<TestApp, 'call'>,
  monitor: string,
  values: readonly (readonly [at: number, value: number])[],
): Promise<JsonBody[]> => {
  const measurements = values.map(([at, value]) => ({ monitor, value, measured_at: new Date(at).toISOString() }))
  const response = await app.call('POST', '/monitor/measurements', { body: { measurements } })
  expect([response.status, response.body?.detail]).toEqual([201, undefined])
  return response.body.results
}

export const getJson = async (app: Pick<TestApp, 'call'>, path: string): Promise<JsonBody> => {
  const response = await app.call('GET', path)
  expect([path, response.status]).toEqual([path, 200])
  return response.body
}

/** Runs all partitions, as the workers do, until no run is queued. */
export const runPartitions = async (ctx: Context): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ partition: string }>`select distinct partition from monitor_runs order by 1`.execute(ctx.db)
    if (rows.length === 0) return
    for (const { partition } of rows) await runPartition(ctx, { lane: partition })
  }
}

export interface TitledResources {
  (title: string): string
  readonly fullTitle: (title: string) => string
}

/** The ID of every resource of an integration, by its full title without the database. */
export const findResourcesByTitle = async (app: TestApp): Promise<TitledResources> => {
  const rows = await app.db.selectFrom('resources').select(['id', 'title_full']).execute()
  const find = (title: string) => {
    const found = rows.find(({ title_full }) => title_full === title || title_full.endsWith(`.${title}`))
    if (!found) throw new Error(`${title} not found among ${rows.map(({ title_full }) => title_full).join(', ')}`)
    return found
  }
  return Object.assign((title: string) => find(title).id, { fullTitle: (title: string) => find(title).title_full })
}

export const BOUNDS = { condition_auto_sensitivity: null, condition_manual_min: -1e300, is_enabled: false }

/** Creates monitors with these settings, runs them together and returns what each measured. */
export const measureTogether = async (app: TestApp, settings: Record<string, object>): Promise<Record<string, unknown>> => {
  const ids: [string, string][] = []
  for (const [name, body] of Object.entries(settings)) ids.push([name, (await createTestMonitor(app, { ...BOUNDS, ...body })).id])
  const { body: job } = await app.call('POST', '/monitor/monitors/run', { body: { monitors: ids.map(([, id]) => id) } })
  await runPartitions(app.ctx)
  expect(await getJson(app, `/background_jobs/${job.id}`)).toMatchObject({ status: 'COMPLETED', progress: 100, failed: false })
  const results: Record<string, unknown> = {}
  for (const [name, id] of ids) {
    const monitor = await getJson(app, `/monitor/monitors/${id}`)
    results[name] = monitor.status === 'error' ? monitor.last_error_message : monitor.last_measurement_value
  }
  return results
}
