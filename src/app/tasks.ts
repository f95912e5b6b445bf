import type { CronItem, Task, TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import { deleteExpiredSessions } from '../accounts/sign-in/sessions.ts'
import { deleteOldAttempts } from '../accounts/sign-in/throttle.ts'
import { cleanUpConversations } from '../assistant/conversations/conversations.ts'
import { DRAFT_JOB, runDraftJob } from '../assistant/drafts/drafts.ts'
import { deleteUnusedAttachments } from '../catalog/attachments/cleanup.ts'
import { deleteOldViews } from '../catalog/engagement/page-views.ts'
import { compactResourceCounts } from '../catalog/listing/compact-resource-counts.ts'
import { deleteOldChanges } from '../catalog/listing/count.ts'
import { DELETE_PROPERTY_JOB, runDeletePropertyJob } from '../catalog/properties/define.ts'
import { finishPathUpdates, runUpdatePathsJob, UPDATE_PATHS_JOB, UPDATE_PATHS_TASK } from '../catalog/records/paths.ts'
import { REMOVE_REFERENCES_TASK, type ReferenceRemovalTask, removeRemainingReferences } from '../catalog/records/remove-references.ts'
import { DELETE_RESOURCE_JOB, runDeleteResourceJob } from '../catalog/resources/delete.ts'
import { RESTORE_JOB, runRestoreJob } from '../catalog/resources/restore.ts'
import { embedChanges, queueMissingVectors } from '../catalog/search-vectors/embed-changes.ts'
import { purgeOldTrash } from '../catalog/trash/trash-rows.ts'
import { deleteUnusedQueries } from '../lineage/edges/edge-rows.ts'
import { compactLineageCounts } from '../lineage/edges/list.ts'
import { deleteOldNotifications } from '../notifications/deliveries/deliveries.ts'
import { deleteOldWebhookDeliveries } from '../notifications/webhooks/deliveries.ts'
import { captureFailingRows, deleteFailingRows } from '../observability/failing-rows/capture.ts'
import { REFRESH_DEPRECATION_PATHS_TASK, refreshDeprecationPaths } from '../observability/health/deprecation-paths.ts'
import { endSnoozes } from '../observability/incidents/end-snoozes.ts'
import { REFRESH_INCIDENT_PATHS_TASK, refreshIncidentPaths } from '../observability/incidents/incident-paths.ts'
import { compactColumnCounts } from '../observability/insights/compact-column-counts.ts'
import { recordDailyInsights } from '../observability/insights/snapshots.ts'
import { FAILING_ROWS_TASK } from '../observability/measurements/failing-rows-task.ts'
import { deleteOrphanedMonitors } from '../observability/monitors/cleanup.ts'
import { recordCheckResults, withTestResults } from '../observability/monitors/test-results.ts'
import { queueDueScans, runPiiScanJob, SCAN_JOB } from '../observability/pii/scan.ts'
import { deleteOldProfileHistory } from '../observability/profiles/history.ts'
import { PROFILE_JOB, runProfileJob } from '../observability/profiles/profile.ts'
import { deleteForbiddenProfiles } from '../observability/profiles/profile-rows.ts'
import { PROFILE_SOURCE_JOB, runProfileSourceJob } from '../observability/profiles/profile-source.ts'
import { recordReportedMetrics } from '../observability/profiles/reported.ts'
import { deleteOrphanedSchedules, queueDueProfiles } from '../observability/profiles/schedules.ts'
import { BACKFILL_TASK, backfillMonitor } from '../observability/runs/backfill.ts'
import { RUN_PARTITION_TASK, runPartition } from '../observability/runs/partitions.ts'
import { queueDueRuns } from '../observability/runs/queue-runs.ts'
import { failAbandonedBackups, runScheduledBackup } from '../operations/backup/run-scheduled.ts'
import { queueDueBackup, SCHEDULED_BACKUP_TASK } from '../operations/backup/schedule.ts'
import { DEMO_JOB, runDropDemoJob, runSeedDemoJob } from '../operations/demo/routes.ts'
import { deleteOldReportedValues } from '../operations/imports/import-rows.ts'
import { runUndoImportJob, UNDO_IMPORT_JOB } from '../operations/imports/imports.ts'
import { deleteOldImportLines } from '../operations/transfer/import-line-rows.ts'
import { IMPORT_JOB, runImportJob } from '../operations/transfer/job.ts'
import type { ChannelName } from '../platform/channels/channel.ts'
import type { WorkerSlots } from '../platform/config/config.ts'
import type { Context } from '../platform/context/context.ts'
import { deleteInBatches } from '../platform/db/in-batches.ts'
import { deleteOldJobs, JOB_TASK, LEGACY_JOB_TASK } from '../platform/jobs/jobs.ts'
import { type JobHandler, runJob } from '../platform/jobs/run.ts'
import { reportMigration, runBackgroundMigrations } from '../platform/queue/background-migrations.ts'
import type { WorkerClass, WorkerClassName } from '../platform/queue/classes.ts'
import { runSteps } from '../platform/queue/housekeeping.ts'
import type { BackgroundMetrics } from '../platform/queue/metrics.ts'
import { databaseTime } from '../platform/queue/scheduler.ts'
import { deleteOldCheckpoints } from '../sources/connectors/programs/checkpoint-rows.ts'
import { DROP_DEMO_JOB } from '../sources/credentials/demo-connection.ts'
import { deleteOrphanedAddedFlows } from '../sources/datahub/added-flow-rows.ts'
import { INSTALL_DRIVER_JOB, runInstallDriverJob } from '../sources/drivers/install-driver.ts'
import { DELETE_INTEGRATION_JOB, runDeleteIntegrationJob } from '../sources/integrations/delete.ts'
import { queueDueSyncs, runSyncJob, SYNC_JOB } from '../sources/integrations/sync.ts'
import { deleteAbandonedLineage, deleteOldSyncs } from '../sources/integrations/sync-records.ts'
import { runUndoSyncJob, UNDO_JOB } from '../sources/integrations/undo.ts'
import { deleteOrphanedFlows } from '../sources/job-flows/job-flow-rows.ts'
import { CHECK_RESULTS_TASK, type CheckResults } from '../sources/openlineage/checks.ts'
import { REPORTED_METRICS_TASK, type ReportedMetrics } from '../sources/openlineage/metrics.ts'
import { deleteOrphanedSchemaChanges } from '../sources/sync/schema-change-rows.ts'
import { deleteOldItems } from '../sources/sync/sync-rows.ts'
import { deleteOrphanedReads } from '../sources/sync/usage.ts'
import { recordDailyUsage } from '../sources/usage-history/usage.ts'
import { deleteExpiredHidden } from '../web-api/needs-you/needs-you.ts'
import { checkDueViews } from '../web-api/saved-views/matches.ts'

/** The handler of each kind of job. */
export const JOB_HANDLERS: ReadonlyMap<string, JobHandler> = new Map([
  [DEMO_JOB, runSeedDemoJob],
  [DROP_DEMO_JOB, runDropDemoJob],
  [DELETE_INTEGRATION_JOB, runDeleteIntegrationJob],
  [UPDATE_PATHS_JOB, runUpdatePathsJob],
  [DELETE_RESOURCE_JOB, runDeleteResourceJob],
  [DELETE_PROPERTY_JOB, runDeletePropertyJob],
  [RESTORE_JOB, runRestoreJob],
  [SYNC_JOB, withTestResults(runSyncJob)],
  [UNDO_JOB, runUndoSyncJob],
  [IMPORT_JOB, runImportJob],
  [UNDO_IMPORT_JOB, runUndoImportJob],
  [PROFILE_JOB, runProfileJob],
  [PROFILE_SOURCE_JOB, runProfileSourceJob],
  [SCAN_JOB, runPiiScanJob],
  [DRAFT_JOB, runDraftJob],
  [INSTALL_DRIVER_JOB, runInstallDriverJob],
])

export interface TaskOptions {
  readonly metrics?: BackgroundMetrics
  readonly onError: (error: unknown, what: string) => void
  /** Called after each housekeeping step. */
  readonly onStep?: (step: string, seconds: number) => void
  readonly onProgress?: (message: string, details: object) => void
  /** Aborted when the process stops: work that resumes by itself ends at its next step. */
  readonly stopping?: AbortSignal
  /** Channels on which admins are notified. */
  readonly listChannels?: () => Promise<readonly ChannelName[]>
}

/** Every background task, by the class of workers that runs it. */
export const buildTasks = (
  ctx: () => Context,
  jobs: ReadonlyMap<string, JobHandler>,
  options: TaskOptions,
): Readonly<Record<WorkerClassName, TaskList>> => {
  /** Due times and ages are computed with the database's clock, which all instances share. */
  const onTime = async (): Promise<Context> => {
    const now = ctx()
    return { ...now, now: await databaseTime(now.db) }
  }
  const runJobTask: Task = async (task, { job }) => {
    const { job_id, payload } = task as { job_id: string; payload: unknown }
    await runJob(ctx(), jobs, job_id, payload, job.attempts >= job.max_attempts, options.stopping)
  }
  return {
    clock: {
      forget_old_changes: async () => deleteOldChanges(await onTime()),
      sync_due: async () => queueDueSyncs(await onTime(), options.onError),
      pii_due: async () => queueDueScans(await onTime(), options.onError),
      profiles_due: async () => queueDueProfiles(await onTime(), options.onError),
      monitors_due: () => ctx().runtime.monitorPriority.run(async () => queueDueRuns(await onTime())),
      incidents_due: async () => endSnoozes(await onTime(), options.onError),
      views_due: async () => checkDueViews(await onTime(), options.onError),
      backups_due: async () => {
        const now = await onTime()
        await failAbandonedBackups(now, options)
        await queueDueBackup(now)
      },
      clean_up: async () => runSteps(HOUSEKEEPING, await onTime(), options),
    },
    monitors: {
      [RUN_PARTITION_TASK]: (task) => ctx().runtime.monitorPriority.run(async () => runPartition(await onTime(), task as { lane: string })),
      [REFRESH_DEPRECATION_PATHS_TASK]: () => refreshDeprecationPaths(ctx()),
      [REFRESH_INCIDENT_PATHS_TASK]: () => refreshIncidentPaths(ctx()),
      [CHECK_RESULTS_TASK]: async (task) => recordCheckResults(await onTime(), task as CheckResults),
      [REPORTED_METRICS_TASK]: async (task) => recordReportedMetrics(await onTime(), task as ReportedMetrics),
    },
    syncs: { [JOB_TASK.syncs]: runJobTask },
    long: {
      [JOB_TASK.long]: runJobTask,
      [LEGACY_JOB_TASK]: runJobTask,
      [REMOVE_REFERENCES_TASK]: (task) => removeRemainingReferences(ctx(), task as ReferenceRemovalTask),
      [UPDATE_PATHS_TASK]: async (task) => finishPathUpdates(await onTime(), task as { id: string }),
      [FAILING_ROWS_TASK]: async (task) => captureFailingRows(await onTime(), task as { measurement: string }),
      background_migrations: () => runBackgroundMigrations(ctx(), { ...options, onProgress: reportMigration(options) }),
      embed_changes: () => embedChanges(ctx(), options.onError),
      [SCHEDULED_BACKUP_TASK]: (task) => runScheduledBackup(ctx(), task as { backup: string }, options),
      [BACKFILL_TASK]: async (task) => backfillMonitor(await onTime(), task as { monitor: string }),
    },
  }
}

/** The class of each task, in every process. */
export const TASK_CLASSES: { readonly names: readonly WorkerClassName[]; of(task: string): string } = (() => {
  const tasks = buildTasks(() => null as never, new Map(), { onError: () => {} }) // only their names are used
  const classOf = new Map(Object.entries(tasks).flatMap(([name, list]) => Object.keys(list).map((task) => [task, name])))
  return { names: Object.keys(tasks) as WorkerClassName[], of: (task) => classOf.get(task) ?? 'unknown' }
})()

/** The classes that one process runs. */
export const workerClasses = (
  tasks: ReturnType<typeof buildTasks>,
  slots: WorkerSlots,
  wrap: (name: string, tasks: TaskList) => TaskList = (_, same) => same,
): WorkerClass[] => (Object.keys(slots) as WorkerClassName[]).map((name) => ({ name, tasks: wrap(name, tasks[name]), slots: slots[name] }))

/**
 * Scheduled tasks; each runs once, however many instances there are. Those that may have to wait for a lock, or take longer than until their next
 * time, have a queue of their own: one that is stuck must not occupy a second slot.
 */
export const SCHEDULE: CronItem[] = [
  { task: 'forget_old_changes', match: '* * * * *', options: { maxAttempts: 1, queueName: 'forget_old_changes' } },
  { task: 'sync_due', match: '* * * * *', options: { maxAttempts: 1, queueName: 'sync_due' } },
  { task: 'monitors_due', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: REFRESH_DEPRECATION_PATHS_TASK, match: '* * * * *', options: { maxAttempts: 1, queueName: REFRESH_DEPRECATION_PATHS_TASK } },
  { task: REFRESH_INCIDENT_PATHS_TASK, match: '* * * * *', options: { maxAttempts: 1, queueName: REFRESH_INCIDENT_PATHS_TASK } },
  { task: 'incidents_due', match: '* * * * *', options: { maxAttempts: 1, queueName: 'incidents_due' } },
  { task: 'embed_changes', match: '* * * * *', options: { maxAttempts: 1, queueName: 'embed_changes' } },
  { task: 'background_migrations', match: '* * * * *', options: { maxAttempts: 1, queueName: 'background_migrations' } },
  { task: 'pii_due', match: '*/5 * * * *', options: { maxAttempts: 1, queueName: 'pii_due' } },
  { task: 'profiles_due', match: '*/5 * * * *', options: { maxAttempts: 1, queueName: 'profiles_due' } },
  { task: 'views_due', match: '*/5 * * * *', options: { maxAttempts: 1, queueName: 'views_due' } },
  { task: 'backups_due', match: '*/5 * * * *', options: { maxAttempts: 1, queueName: 'backups_due' } },
  { task: 'clean_up', match: '17 * * * *', options: { maxAttempts: 1, queueName: 'clean_up' } },
]

/** Hourly steps: cleanup, and the snapshot of the day. */
export const HOUSEKEEPING: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
  resource_views: deleteOldViews,
  lineage_queries: deleteUnusedQueries,
  lineage_edge_counts: compactLineageCounts,
  column_counts: compactColumnCounts,
  resource_counts: compactResourceCounts,
  notifications: deleteOldNotifications,
  webhook_deliveries: deleteOldWebhookDeliveries,
  import_lines: deleteOldImportLines,
  import_reported_values: deleteOldReportedValues,
  sync_items: deleteOldItems,
  reported_lineage: deleteAbandonedLineage,
  sync_checkpoints: deleteOldCheckpoints,
  openlineage_flows: deleteOrphanedFlows,
  datahub_added_flows: deleteOrphanedAddedFlows,
  schema_changes: deleteOrphanedSchemaChanges,
  integration_syncs: deleteOldSyncs,
  background_jobs: deleteOldJobs,
  profiles: deleteForbiddenProfiles,
  profile_history: deleteOldProfileHistory,
  profile_schedules: deleteOrphanedSchedules,
  usage_history: recordDailyUsage,
  failing_rows: deleteFailingRows,
  query_reads: deleteOrphanedReads,
  monitors: deleteOrphanedMonitors,
  assistant_conversations: cleanUpConversations,
  sessions: deleteExpiredSessions,
  sign_in_tries: deleteOldAttempts,
  trash: purgeOldTrash,
  needs_you_hidden: deleteExpiredHidden,
  attachments: deleteUnusedAttachments,
  search_vectors: queueMissingVectors,
  insight_snapshots: recordDailyInsights,
  idempotency_responses: ({ db, now }) =>
    deleteInBatches(db, 'idempotency_responses', sql`created_at < ${now}::timestamptz - interval '24 hours'`),
  rate_windows: ({ db, now }) => deleteInBatches(db, 'rate_windows', sql`minute < extract(epoch from ${now}::timestamptz) / 60 - 10`),
}
