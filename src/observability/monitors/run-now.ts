import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { createExternalJob } from '../../platform/jobs/jobs.ts'
import { updateJobProgress } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getMetricType } from '../monitor-model/metric-types.ts'
import { findMonitorRows } from '../monitor-model/monitor-rows.ts'
import type { RunRequest } from '../monitor-model/schema.ts'
import { createRun, queueRuns } from '../runs/queue-runs.ts'
import { RUN_JOB } from '../runs/run-jobs.ts'

/** Queues runs in the same partitions as scheduled runs, ahead of those waiting there. */
export const queueRunsNow = (ctx: Context, { monitors }: RunRequest): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.run')
    const ids = [...new Set(monitors.map((id) => parseId(id)!))]
    const found = await findMonitorRows(ctx, ids)
    const missing = ids.filter((id) => !found.has(id))
    if (missing.length > 0) throw invalid({ monitors: missing.map((id) => `Monitor ${id} was not found.`).slice(0, 100) })
    const job = await createExternalJob(ctx, {
      kind: RUN_JOB,
      title: ids.length === 1 ? `Run ${[...found.values()][0]!.name}` : `Run ${ids.length.toLocaleString('en')} monitors`,
    })
    const [pushed, runnable] = splitBy([...found.values()], ({ metric_type }) => getMetricType(metric_type).pushed === true)
    await queueRuns(
      ctx,
      runnable.map((monitor) => ({ ...createRun(ctx, monitor), job: job.id })),
    )
    if (pushed.length > 0) {
      const line = pushed.map(({ name }) => `${name}: skipped because its values are pushed.`).join('\n')
      await updateJobProgress(
        ctx,
        job.id,
        runnable.length > 0 ? { status: 'PENDING', progress: 0, line } : { status: 'COMPLETED', progress: 100, line },
      )
    }
    return job
  })

const splitBy = <T>(all: readonly T[], is: (each: T) => boolean): [T[], T[]] => [all.filter(is), all.filter((each) => !is(each))]
