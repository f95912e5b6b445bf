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
import { monitorsDue } from './monitors/due.ts'
import { BACK_FILL_TASK, backFill } from './monitors/history.ts'
import { LANE_TASK, workLane } from './monitors/lanes.ts'
import { sweepMonitors } from './monitors/sweep.ts'
import { recordChecks, withTests } from './monitors/tests.ts'
import { forgetOldNotifications } from './notify/deliveries.ts'
import { forgetOldWebhookDeliveries } from './notify/webhooks/ledger.ts'
import { CHECKS_TASK, type ChecksTold } from './openlineage/checks.ts'
import { forgetFlows } from './openlineage/store.ts'
import { PROFILE_JOB, workProfile } from './profiles/profile.ts'
import { SCAN_JOB, scanDue, workScan } from './profiles/scan.ts'
import { forgetProfiles } from './profiles/store.ts'
import { forgetOldChanges } from './resources/count.ts'
import { TAKE_OFF_TASK, type TakeOffTask, takeOffRest } from './resources/take-off.ts'
import { forgetOldViews } from './resources/views.ts'
import { forgetOldSessions } from './sessions/sessions.ts'
import { forgetOldTries } from './sessions/throttle.ts'
import { forgetOldItems } from './sync/store.ts'
import { forgetOldReads } from './sync/uses.ts'
import { IMPORT_JOB, workImport } from './transfer/job.ts'
import { forgetOldLines } from './transfer/store.ts'

/** What each kind of job does. */
export const JOBS: ReadonlyMap<string, JobWork> = new Map([
  [DEMO_JOB, workDemo],
  [REMOVAL_JOB, workRemoval],
  [SYNC_JOB, withTests(workSync)],
  [UNDO_JOB, workUndo],
  [IMPORT_JOB, workImport],
  [PROFILE_JOB, workProfile],
  [SCAN_JOB, workScan],
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
  pii_due: () => scanDue(ctx()),
  monitors_due: () => monitorsDue(ctx()),
  [LANE_TASK]: (task) => workLane(ctx(), task as { lane: string }),
  [CHECKS_TASK]: (task) => recordChecks(ctx(), task as ChecksTold),
  [BACK_FILL_TASK]: (task) => backFill(ctx(), task as { monitor: string }),
  clean_up: async () => {
    await forgetOldViews(ctx())
    await forgetUnusedQueries(ctx())
    await sumTallies(ctx())
    await forgetOldNotifications(ctx())
    await forgetOldWebhookDeliveries(ctx())
    await forgetOldLines(ctx())
    await forgetOldItems(ctx())
    await forgetFlows(ctx())
    await forgetOldSyncs(ctx())
    await forgetProfiles(ctx())
    await forgetOldReads(ctx())
    await sweepMonitors(ctx())
    await forgetOldSessions(ctx())
    await forgetOldTries(ctx())
    await sql`delete from idempotent_answers where created_at < ${ctx().now}::timestamptz - interval '24 hours'`.execute(ctx().db)
    await sql`delete from rate_windows where minute < extract(epoch from ${ctx().now}::timestamptz) / 60 - 10`.execute(ctx().db)
  },
})

/** The clock: what runs by itself, once for all instances together. */
export const CLOCK: CronItem[] = [
  { task: 'forget_old_changes', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'sync_due', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'monitors_due', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'pii_due', match: '*/5 * * * *', options: { maxAttempts: 1 } },
  { task: 'clean_up', match: '17 * * * *', options: { maxAttempts: 3 } },
]
