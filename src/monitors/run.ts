import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { readId } from '../id.ts'
import { openJob } from '../jobs/jobs.ts'
import { noteJob } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { addRuns, runOf } from './due.ts'
import { RUN_JOB } from './jobs.ts'
import { metricTypeOf } from './metric-types.ts'
import type { RunRequest } from './schema.ts'
import { findMonitors } from './store.ts'

/** Queues runs in the same partitions as scheduled runs, ahead of those waiting there. */
export const runMonitors = (ctx: Context, { monitors }: RunRequest): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'monitors.run')
    const ids = [...new Set(monitors.map((id) => readId(id)!))]
    const found = await findMonitors(ctx, ids)
    const missing = ids.filter((id) => !found.has(id))
    if (missing.length > 0) throw invalid({ monitors: missing.map((id) => `Monitor ${id} was not found.`).slice(0, 100) })
    const job = await openJob(ctx, {
      kind: RUN_JOB,
      title: ids.length === 1 ? `Run ${[...found.values()][0]!.name}` : `Run ${ids.length.toLocaleString('en')} monitors`,
    })
    const [pushed, asked] = partition([...found.values()], ({ metric_type }) => metricTypeOf(metric_type).pushed === true)
    await addRuns(
      ctx,
      asked.map((monitor) => ({ ...runOf(ctx, monitor), job: job.id })),
    )
    if (pushed.length > 0) {
      const line = pushed.map(({ name }) => `${name}: skipped because its values are pushed.`).join('\n')
      await noteJob(ctx, job.id, asked.length > 0 ? { status: 'PENDING', progress: 0, line } : { status: 'COMPLETED', progress: 100, line })
    }
    return job
  })

const partition = <T>(all: readonly T[], is: (each: T) => boolean): [T[], T[]] => [all.filter(is), all.filter((each) => !is(each))]
