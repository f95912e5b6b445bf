import { mustBeAble } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { draftMonitor } from './create.ts'
import { countPast } from './history.ts'
import { measure } from './measure.ts'
import type { MonitorPreview } from './measurement-schema.ts'
import type { Outcome } from './metrics.ts'
import { type Question, questionFor } from './questions.ts'
import type { MonitorCreate } from './schema.ts'

const PATIENCE_MS = 20_000 // a user is waiting

/** Measures a draft monitor once and computes its backfill. Nothing is saved. */
export const previewMonitor = async (ctx: Context, create: MonitorCreate): Promise<MonitorPreview> => {
  mustBeAble(ctx.actor, 'monitors.write')
  const { row } = await draftMonitor(ctx, create)
  const question = await questionFor(ctx, row)
  const outcome = await measureOnce(ctx, question)
  const draft = { name: row.name, metric_type: row.metric_type as MonitorPreview['metric_type'], frequency: row.frequency }
  if ('error' in outcome) return { ...draft, value: null, row_count: null, problem: outcome.error, past: [], past_problem: null }
  const { points, problem = null } = await countPast(ctx, question, PATIENCE_MS)
  return {
    ...draft,
    value: outcome.value,
    row_count: outcome.row_count ?? null,
    problem: null,
    past: points.map(({ at, value }) => ({ measured_at: at.toISOString(), value })),
    past_problem: problem,
  }
}

const measureOnce = async (ctx: Context, question: Question): Promise<Outcome> => {
  let found: Outcome = { error: 'The measurement timed out.' }
  await measure(ctx, question.integration, [question], AbortSignal.timeout(PATIENCE_MS), async ([measured]) => {
    if (measured) found = measured.outcome
    return false
  })
  return found
}
