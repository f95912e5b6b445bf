import type { CronItem, Task, TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type { WorkerSlots } from './config.ts'
import type { Context } from './context.ts'
import { deleteInBatches } from './db/in-batches.ts'
import { DEMO_JOB, workDemo, workDropDemo } from './demo/routes.ts'
import { DROP_DEMO_JOB } from './integrations/own-database.ts'
import { REMOVAL_JOB, workRemoval } from './integrations/remove.ts'
import { SYNC_JOB, syncDue, workSync } from './integrations/sync.ts'
import { forgetOldSyncs } from './integrations/syncs.ts'
import { UNDO_JOB, workUndo } from './integrations/undo.ts'
import { FORMER_JOB_TASK, JOB_TASK } from './jobs/jobs.ts'
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
import { REMOVE_PROPERTY_JOB, workRemoveProperty } from './properties/define.ts'
import type { WorkerClass, WorkerClassName } from './queue/classes.ts'
import { databaseTime } from './queue/clock.ts'
import type { BackgroundMetrics } from './queue/metrics.ts'
import { runSteps } from './queue/steps.ts'
import { forgetOldChanges } from './resources/count.ts'
import { finishPaths, PATHS_JOB, PATHS_TASK, workPaths } from './resources/paths.ts'
import { REMOVE_JOB, workRemove } from './resources/remove.ts'
import { RESTORE_JOB, workRestore } from './resources/restore.ts'
import { TAKE_OFF_TASK, type TakeOffTask, takeOffRest } from './resources/take-off.ts'
import { purgeOldTrash } from './resources/trash/store.ts'
import { forgetOldViews } from './resources/views.ts'
import { forgetOldSessions } from './sessions/sessions.ts'
import { forgetOldTries } from './sessions/throttle.ts'
import { forgetOldItems } from './sync/store.ts'
import { forgetOldReads } from './sync/uses.ts'
import { IMPORT_JOB, workImport } from './transfer/job.ts'
import { forgetOldLines } from './transfer/store.ts'

/** The handler of each kind of job. */
export const JOBS: ReadonlyMap<string, JobWork> = new Map([
  [DEMO_JOB, workDemo],
  [DROP_DEMO_JOB, workDropDemo],
  [REMOVAL_JOB, workRemoval],
  [PATHS_JOB, workPaths],
  [REMOVE_JOB, workRemove],
  [REMOVE_PROPERTY_JOB, workRemoveProperty],
  [RESTORE_JOB, workRestore],
  [SYNC_JOB, withTests(workSync)],
  [UNDO_JOB, workUndo],
  [IMPORT_JOB, workImport],
  [PROFILE_JOB, workProfile],
  [SCAN_JOB, workScan],
])

export interface TaskOptions {
  readonly metrics?: BackgroundMetrics
  readonly onError: (error: unknown, what: string) => void
  /** Called after each housekeeping step. */
  readonly onStep?: (step: string, seconds: number) => void
}

/** Every background task, by the class of workers that runs it. */
export const tasksOf = (
  ctx: () => Context,
  jobs: ReadonlyMap<string, JobWork>,
  options: TaskOptions,
): Readonly<Record<WorkerClassName, TaskList>> => {
  /** Due times and ages are computed with the database's clock, which all instances share. */
  const onTime = async (): Promise<Context> => {
    const now = ctx()
    return { ...now, now: await databaseTime(now.db) }
  }
  const runJobTask: Task = async (task, { job }) => {
    const { job_id, payload } = task as { job_id: string; payload: unknown }
    await runJob(ctx(), jobs, job_id, payload, job.attempts >= job.max_attempts)
  }
  return {
    clock: {
      forget_old_changes: async () => forgetOldChanges(await onTime()),
      sync_due: async () => syncDue(await onTime(), options.onError),
      pii_due: async () => scanDue(await onTime()),
      monitors_due: async () => monitorsDue(await onTime()),
      clean_up: async () => runSteps(HOUSEKEEPING, await onTime(), options),
    },
    monitors: {
      [LANE_TASK]: async (task) => workLane(await onTime(), task as { lane: string }),
      [CHECKS_TASK]: async (task) => recordChecks(await onTime(), task as ChecksTold),
    },
    syncs: { [JOB_TASK.syncs]: runJobTask },
    long: {
      [JOB_TASK.long]: runJobTask,
      [FORMER_JOB_TASK]: runJobTask,
      [TAKE_OFF_TASK]: (task) => takeOffRest(ctx(), task as TakeOffTask),
      [PATHS_TASK]: async (task) => finishPaths(await onTime(), task as { id: string }),
      [BACK_FILL_TASK]: async (task) => backFill(await onTime(), task as { monitor: string }),
    },
  }
}

/** The classes that one process runs. */
export const workerClasses = (tasks: ReturnType<typeof tasksOf>, slots: WorkerSlots): WorkerClass[] =>
  (Object.keys(slots) as WorkerClassName[]).map((name) => ({ name, tasks: tasks[name], slots: slots[name] }))

/** Scheduled tasks; each runs once, however many instances there are. */
export const CLOCK: CronItem[] = [
  { task: 'forget_old_changes', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'sync_due', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'monitors_due', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'pii_due', match: '*/5 * * * *', options: { maxAttempts: 1 } },
  // In its own queue: a run that takes longer than an hour must not occupy a second slot.
  { task: 'clean_up', match: '17 * * * *', options: { maxAttempts: 1, queueName: 'clean_up' } },
]

/** Hourly cleanup steps. */
export const HOUSEKEEPING: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
  resource_views: forgetOldViews,
  lineage_queries: forgetUnusedQueries,
  lineage_tallies: sumTallies,
  notifications: forgetOldNotifications,
  webhook_deliveries: forgetOldWebhookDeliveries,
  import_lines: forgetOldLines,
  sync_items: forgetOldItems,
  openlineage_flows: forgetFlows,
  integration_syncs: forgetOldSyncs,
  profiles: forgetProfiles,
  query_reads: forgetOldReads,
  monitors: sweepMonitors,
  sessions: forgetOldSessions,
  sign_in_tries: forgetOldTries,
  trash: purgeOldTrash,
  idempotent_answers: ({ db, now }) =>
    deleteInBatches(db, 'idempotent_answers', sql`created_at < ${now}::timestamptz - interval '24 hours'`),
  rate_windows: ({ db, now }) => deleteInBatches(db, 'rate_windows', sql`minute < extract(epoch from ${now}::timestamptz) / 60 - 10`),
}
