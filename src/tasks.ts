import type { CronItem, TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type { Context } from './context.ts'
import { DEMO_JOB, workDemo } from './demo/routes.ts'
import { REMOVAL_JOB, workRemoval } from './integrations/remove.ts'
import { SYNC_JOB, syncDue, workSync } from './integrations/sync.ts'
import { forgetOldSyncs } from './integrations/syncs.ts'
import { UNDO_JOB, workUndo } from './integrations/undo.ts'
import { type JobWork, runJob } from './jobs/run.ts'
import { sumTallies } from './lineage/list.ts'
import { forgetUnusedQueries } from './lineage/store.ts'
import { forgetOldNotifications } from './notify/deliveries.ts'
import { recoverTasks } from './queue/recover.ts'
import { forgetOldChanges } from './resources/count.ts'
import { TAKE_OFF_TASK, type TakeOffTask, takeOffRest } from './resources/take-off.ts'
import { forgetOldViews } from './resources/views.ts'
import { forgetOldItems } from './sync/store.ts'
import { IMPORT_JOB, workImport } from './transfer/job.ts'
import { forgetOldLines } from './transfer/store.ts'

/** What each kind of job does. */
export const JOBS: ReadonlyMap<string, JobWork> = new Map([
  [DEMO_JOB, workDemo],
  [REMOVAL_JOB, workRemoval],
  [SYNC_JOB, workSync],
  [UNDO_JOB, workUndo],
  [IMPORT_JOB, workImport],
])

/** Every background task, in one list. */
export const tasksOf = (ctx: () => Context, jobs: ReadonlyMap<string, JobWork>): TaskList => ({
  run_job: async (task, { job }) => {
    const { job_id, payload } = task as { job_id: string; payload: unknown }
    await runJob(ctx(), jobs, job_id, payload, job.attempts >= job.max_attempts)
  },
  [TAKE_OFF_TASK]: (task) => takeOffRest(ctx(), task as TakeOffTask),
  forget_old_changes: () => forgetOldChanges(ctx()),
  sync_due: () => syncDue(ctx()),
  recover_tasks: async () => void (await recoverTasks(ctx().db)),
  clean_up: async () => {
    await forgetOldViews(ctx())
    await forgetUnusedQueries(ctx())
    await sumTallies(ctx())
    await forgetOldNotifications(ctx())
    await forgetOldLines(ctx())
    await forgetOldItems(ctx())
    await forgetOldSyncs(ctx())
    await sql`delete from idempotent_answers where created_at < ${ctx().now}::timestamptz - interval '24 hours'`.execute(ctx().db)
    await sql`delete from rate_windows where minute < extract(epoch from ${ctx().now}::timestamptz) / 60 - 10`.execute(ctx().db)
  },
})

/** The clock: what runs by itself, once for all instances together. */
export const CLOCK: CronItem[] = [
  { task: 'forget_old_changes', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'sync_due', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'recover_tasks', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'clean_up', match: '17 * * * *', options: { maxAttempts: 3 } },
]
