import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { updateJobProgress } from '../../platform/jobs/run.ts'

/** Jobs that run monitors have no task of their own: their progress is derived from the runs that still wait in the partitions. */
export const RUN_JOB = 'run_monitors'

export interface FinishedRun {
  readonly job: string | null
  readonly line: string
}

/** Updates the jobs these finished (and already deleted) runs belong to. */
export const recordFinishedRuns = async (ctx: Context, runs: readonly FinishedRun[]): Promise<void> => {
  for (const [job, lines] of Map.groupBy(runs, ({ job }) => job)) {
    if (job === null) continue
    const { rows } = await sql<{ left: number; progress: number }>`
      select (select count(*) from monitor_runs w where w.job = j.id) as left, j.progress from background_jobs j where j.id = ${job} and j.completed is null
    `.execute(ctx.db)
    const [row] = rows
    if (!row) continue
    // The remaining progress shrinks in proportion to the remaining runs.
    const progress = 100 - (100 - row.progress) * (row.left / (row.left + lines.length))
    const isDone = row.left === 0
    await updateJobProgress(ctx, job, {
      status: isDone ? 'COMPLETED' : 'RUNNING',
      progress: isDone ? 100 : Math.min(99, Math.floor(progress)),
      line: lines.map(({ line }) => line).join('\n'),
    })
  }
}

/** A worker may have crashed after it deleted the last run of a job and before it marked the job as completed. */
export const finishAbandonedJobs = async (ctx: Context): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select j.id from background_jobs j where j.kind = ${RUN_JOB} and j.completed is null and j.updated_at < now() - interval '1 minute'
      and not exists (select from monitor_runs w where w.job = j.id)
  `.execute(ctx.db)
  for (const { id } of rows) await updateJobProgress(ctx, id, { status: 'COMPLETED', progress: 100 })
}
