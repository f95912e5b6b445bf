import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, conflict, invalid } from '../../platform/core/errors.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { createClock } from '../../platform/jobs/clock.ts'
import { createJob, getSharedJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler, ReportProgress } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { type Connector, type DiscoveryContext, getNumberCredential, type Source, type WithSource } from '../connectors/shared/connector.ts'
import { contextAsIntegration, type Reconciliation, reconcile } from '../sync/reconcile.ts'
import { type PendingRemovals, UnlistedScopes } from '../sync/removals.ts'
import type { SyncReport } from '../sync/report.ts'
import { findSender, requireKnownSenders } from '../sync/sender-access.ts'
import { UnchangedItems } from '../sync/unchanged-items.ts'
import { SyncCancelledError, watchCancellation } from './cancel.ts'
import { loadSource, requireConnector, toPublicError } from './connector-for.ts'
import { getIntegrationRow, type IntegrationRow, lockIntegrationRow } from './integration-rows.ts'
import { computeNextRetry, computeNextSync } from './schedule.ts'
import type { IntegrationCreate, Tested } from './schema.ts'
import {
  countConsecutiveFailures,
  countPendingRemovals,
  createSync,
  findActiveSync,
  finishSync,
  isSyncCancelled,
  type SyncResult,
  startAttempt,
} from './sync-records.ts'
import { buildUnsavedRow } from './unsaved-row.ts'
import { withSourceConnection } from './with-source-connection.ts'

export const SYNC_JOB = 'sync_integration'
const TEST_MS = 15_000
const SYNC_MS = 3_600_000
const MAX_LISTED = 5
const MAX_DISCOVERY_PROGRESS = 29 // the rest is for writing

/** Connects to the source once and explains what went wrong. */
export const testIntegration = async (ctx: Context, id: string): Promise<Tested> => {
  requirePermission(ctx.actor, 'integrations.manage')
  return testConnection(ctx, await getIntegrationRow(ctx, id))
}

/** The same before it is saved. */
export const testNewIntegration = async (ctx: Context, create: IntegrationCreate): Promise<Tested> => {
  requirePermission(ctx.actor, 'integrations.manage')
  return testConnection(ctx, await buildUnsavedRow(ctx, create))
}

const testConnection = async (ctx: Context, row: IntegrationRow): Promise<Tested> => {
  const connector = requireConnector(row)
  const source = await loadSource(ctx, row)
  try {
    return { status: 'OK', detail: toPublicError(row, source, await connector.test(source, AbortSignal.timeout(TEST_MS), connectTo(ctx))) }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('validation_failed', toPublicError(row, source, `Could not connect to the source: ${(error as Error).message}`))
  }
}

/** Only admins choose which other integration a source reads. */
const connectTo =
  (ctx: Context): WithSource =>
  (id, signal, work) => {
    if (!parseId(id)) throw invalid({ integration: [translatable('{id} is not the ID of an integration.', { id })] })
    return withSourceConnection(ctx, id, signal, work)
  }

export const syncIntegration = (ctx: Context, id: string, options: SyncOptions = {}): Promise<Job> => {
  requirePermission(ctx.actor, 'integrations.manage')
  return queueSync(ctx, id, options)
}

interface SyncOptions {
  /** Resources the last sync found missing may be marked as stale. */
  readonly confirm_removals?: boolean
  /** Everything is read again, also what the source reports as unchanged. */
  readonly full?: boolean
}

/** One sync at a time: while one is queued or running, its job is returned. */
export const queueSync = (ctx: Context, id: string, { confirm_removals = false, full = false }: SyncOptions = {}): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    const row = await lockIntegrationRow(ctx, id)
    requireConnector(row)
    const active = await findActiveSync(ctx, id)
    if (active && confirm_removals)
      throw conflict(translatable('A sync of this integration is running. Confirm the removals when it has finished.'))
    if (active) return getSharedJob(ctx, active)
    const sync_id = newId()
    const job = await createJob(ctx, {
      id: sync_id,
      kind: SYNC_JOB,
      title: `Sync ${row.name}`,
      payload: {
        ...{ integration_id: id, sync_id, full },
        ...(confirm_removals && { confirmed_removals: await countPendingRemovals(ctx, id) }),
      },
      worker_class: 'syncs',
    })
    await createSync(ctx, sync_id, id)
    await saveStatus(ctx, id, { last_sync_status: 'PENDING' })
    return job
  })

export const runSyncJob: JobHandler = async (job, payload, report) => {
  const { integration_id: id, sync_id, confirmed_removals, full } = payload as SyncPayload
  const row = await getIntegrationRow(job, id)
  const connector = requireConnector(row)
  const source = await loadSource(job, row)
  const now = createClock(job)
  const startedAt = performance.now()
  const observe = (result: 'completed' | 'failed' | 'cancelled' | 'needs_confirmation') =>
    job.runtime.backgroundMetrics.syncDuration.observe({ type: row.type, result }, (performance.now() - startedAt) / 1000)
  const { started_at, fence } = await startAttempt(job, sync_id, id)
  const ctx: Context = {
    ...job,
    names_for: await findSender(job, row.hidden_teams),
    fence: async (db) => {
      await fence(db)
      await requireKnownSenders(db, id, row.hidden_teams)
    },
  }
  const finish = (result: SyncResult, status: IntegrationStatus) =>
    inTransaction({ ...job, fence }, async (ctx) => {
      await finishSync(ctx, sync_id, now(), result)
      await saveStatus(ctx, id, status)
    })
  await saveStatus(ctx, id, { last_sync_status: 'RUNNING' })
  try {
    const result = await runSync(ctx, now, connector, { source, sync_id, started_at, confirmed_removals, full }, (progress, line) =>
      report(progress, line && toPublicError(row, source, line)),
    )
    const { needs_confirmation } = result
    if (needs_confirmation) throw new NeedsConfirmationError(result.report, needs_confirmation)
    await finish({ report: result.report }, { last_sync_status: 'COMPLETED', last_sync_error: null, last_synced_at: now() })
    observe('completed')
  } catch (error) {
    if (error instanceof NeedsConfirmationError) {
      observe('needs_confirmation')
      await finish(
        { error: error.message, report: error.report, needs_confirmation: error.removals },
        { last_sync_status: 'FAILED', last_sync_error: error.message },
      )
      throw conflict(error.message) // an immediate retry would find the same: wait for the next scheduled sync
    }
    // A connector that is stopped reports this in its own words.
    const cancelled = (await isSyncCancelled(ctx, sync_id)) ? new SyncCancelledError() : undefined
    observe(cancelled ? 'cancelled' : 'failed')
    const last_sync_error = cancelled?.message ?? toPublicError(row, source, (error as Error).message)
    await finish({ error: last_sync_error }, { last_sync_status: 'FAILED', last_sync_error })
    if (cancelled) throw conflict(last_sync_error)
    await scheduleRetry(ctx, id, now())
    throw error instanceof ApiError ? conflict(last_sync_error) : new Error(last_sync_error) // the job log must not contain secrets either
  }
}

interface SyncPayload {
  readonly integration_id: string
  readonly sync_id: string
  readonly confirmed_removals?: number
  readonly full?: boolean
}

/** Too much is missing to mark it as stale without confirmation. New and changed resources were still written. */
class NeedsConfirmationError extends Error {
  readonly report: SyncReport
  readonly removals: PendingRemovals

  constructor(report: SyncReport, removals: PendingRemovals) {
    super(describeRemovals(removals))
    this.report = report
    this.removals = removals
  }
}

const describeRemovals = ({ known, missing, emptied }: PendingRemovals): string => {
  const n = (count: number) => count.toLocaleString('en')
  const emptiedList =
    emptied.length > 0 ? ` Now empty: ${emptied.slice(0, MAX_LISTED).join(', ')}${emptied.length > MAX_LISTED ? ', …' : ''}.` : ''
  return (
    `The source no longer lists ${n(missing)} of ${n(known)} known resources.${emptiedList} Nothing was marked as stale, because missing permissions have the ` +
    'same effect. Check the permissions and patterns of this integration, or sync again and confirm the removals.'
  )
}

interface SyncRun {
  readonly source: Source
  readonly sync_id: string
  readonly started_at: string | undefined
  readonly confirmed_removals?: number | undefined
  readonly full?: boolean | undefined
}

const runSync = async (
  ctx: Context,
  now: () => Date,
  connector: Connector,
  { source, sync_id, started_at, confirmed_removals, full }: SyncRun,
  reportProgress: ReportProgress,
): Promise<Reconciliation> => {
  // Both the source and the arriving items report progress; what is reported never decreases.
  let reached = 0
  const report: ReportProgress = (progress, line) => {
    reached = Math.max(reached, progress)
    return reportProgress(reached, line)
  }
  using cancellation = await watchCancellation(ctx, sync_id)
  const signal = AbortSignal.any([AbortSignal.timeout(SYNC_MS), cancellation.signal])
  signal.throwIfAborted()
  const unlisted = new UnlistedScopes()
  const unchanged = new UnchangedItems()
  const createContext = (progress: number): DiscoveryContext => ({
    signal,
    log: (line) => report(progress, line),
    progress: (done, total) => report(Math.max(progress, MAX_DISCOVERY_PROGRESS * Math.min(1, done / Math.max(1, total)))),
    markUnlisted: (what) => unlisted.add(what),
    markMoved: (key) => unlisted.addMoved(key),
    markUnchanged: (key) => unchanged.add(key),
    full,
    ctx: contextAsIntegration({ ...ctx, now: now() }, sync_id, source.id),
    withSource: connectTo(ctx),
  })
  const items = connector.discover(source, createContext(1))
  const archive_after_days = getNumberCredential(source, 'archive_after_days')
  const options = { id: source.id, sync_id, whole: true, archive_after_days, started_at, signal, unlisted, unchanged, confirmed_removals }
  try {
    const result = await reconcile(ctx, options, items, report)
    // While removals are unconfirmed, what it reported about other sources' resources is kept as well.
    const more = result.needs_confirmation ? undefined : await connector.finish?.(source, createContext(99))
    if (!more) return result
    const { read, unreadable } = result.report.lineage
    return { report: { ...result.report, lineage: { read: read + more.read, unreadable: unreadable + more.unreadable } } }
  } finally {
    await connector.close?.(source).catch(() => {}) // must not hide the result of the sync; what is left is deleted every hour
  }
}

type IntegrationStatus = Partial<
  Record<'last_sync_status' | 'last_sync_error', string | null> & { last_synced_at: Date; next_sync_at: Date | null }
>
const saveStatus = (ctx: Context, id: string, status: IntegrationStatus) =>
  ctx.db.updateTable('integrations').set(status).where('id', '=', id).execute()

const scheduleRetry = async (ctx: Context, id: string, now: Date): Promise<void> => {
  const failures = Math.max(1, await countConsecutiveFailures(ctx, id))
  await sql`
    update integrations set next_sync_at = ${computeNextRetry(failures, now)}::timestamptz where id = ${id} and next_sync_at is not null
  `.execute(ctx.db)
}

const MAX_DUE = 100

/**
 * Runs every minute and queues the syncs that are due. Several schedulers may run at once; each integration is handled by one of them. A sync
 * that cannot be queued is retried later and does not block the others.
 */
export const queueDueSyncs = async (ctx: Context, onError: (error: unknown, what: string) => void): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from integrations i where i.next_sync_at <= ${ctx.now}::timestamptz order by i.next_sync_at limit ${sql.lit(MAX_DUE)}
  `.execute(ctx.db)
  for (const { id } of rows)
    try {
      await queueDueSync(ctx, id, onError)
    } catch (error) {
      onError(error, `sync of integration ${id}`)
    }
}

const queueDueSync = async (ctx: Context, id: string, onError: (error: unknown, what: string) => void): Promise<void> => {
  try {
    await inTransaction(ctx, async (ctx) => {
      const row = await lockIntegrationRow(ctx, id)
      if (!row.next_sync_at || Date.parse(row.next_sync_at) > ctx.now.getTime()) return
      await syncIntegration(ctx, id)
      await saveStatus(ctx, id, { next_sync_at: computeNextSync(row, ctx.now) })
    })
  } catch (error) {
    if (!(error instanceof ApiError)) onError(error, `sync of integration ${id}`)
    await saveStatus(ctx, id, {
      last_sync_status: 'FAILED',
      last_sync_error: (error as Error).message,
      next_sync_at: computeNextRetry(1, ctx.now),
    })
  }
}
