import type { Context } from '../../platform/context/context.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { MonitorPreview } from '../measurements/measurement-schema.ts'
import type { MonitorCreate } from '../monitor-model/schema.ts'
import { computeBackfill } from '../runs/backfill.ts'
import { measure } from '../runs/measure.ts'
import { buildMetricQuery, type MetricQuery } from '../runs/metric-queries.ts'
import type { MetricOutcome } from '../runs/metric-sql.ts'
import { buildUnsavedMonitor } from './create.ts'

const PREVIEW_TIMEOUT_MS = 20_000 // a user is waiting

/** Measures a draft monitor once and computes its backfill. Nothing is saved. */
export const previewMonitor = async (ctx: Context, create: MonitorCreate): Promise<MonitorPreview> => {
  requirePermission(ctx.actor, 'monitors.write')
  const { row } = await buildUnsavedMonitor(ctx, create)
  const query = await buildMetricQuery(ctx, row)
  const outcome = await measureOnce(ctx, query)
  const draft = { name: row.name, metric_type: row.metric_type as MonitorPreview['metric_type'], frequency: row.frequency }
  if ('error' in outcome) return { ...draft, value: null, row_count: null, problem: outcome.error, past: [], past_problem: null }
  const { points, problem = null } = await computeBackfill(ctx, query, PREVIEW_TIMEOUT_MS)
  return {
    ...draft,
    value: outcome.value,
    row_count: outcome.row_count ?? null,
    problem: null,
    past: points.map(({ at, value }) => ({ measured_at: at.toISOString(), value })),
    past_problem: problem,
  }
}

const measureOnce = async (ctx: Context, query: MetricQuery): Promise<MetricOutcome> => {
  let found: MetricOutcome = { error: 'The measurement timed out.' }
  await measure(ctx, query.integration, [query], AbortSignal.timeout(PREVIEW_TIMEOUT_MS), async ([measured]) => {
    if (measured) found = measured.outcome
    return false
  })
  return found
}
