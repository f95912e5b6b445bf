import { sql } from 'kysely'
import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { conflict, Refusal } from '../errors.ts'
import { newId } from '../id.ts'
import { clockFrom } from '../jobs/clock.ts'
import { createJob, readJob } from '../jobs/jobs.ts'
import type { JobWork, Report } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { asIntegration, type Reconciliation, reconcile } from '../sync/reconcile.ts'
import { type Removals, Unlisted } from '../sync/removals.ts'
import type { SyncReport } from '../sync/report.ts'
import { type Connector, numberOf, type Source, type Visit } from './connectors/connector.ts'
import { clean, mustConnect, sourceOf } from './reach.ts'
import { nextRetry, nextSync } from './schedule.ts'
import type { Tested } from './schema.ts'
import { getRow, lockRow } from './store.ts'
import { beginSync, countFailures, countToConfirm, endSync, findOpenSync, openSync } from './syncs.ts'

export const SYNC_JOB = 'sync_integration'
const TEST_MS = 15_000
const SYNC_MS = 3_600_000
const MOST_NAMED = 5

/** Connects to the source once and explains what went wrong. */
export const testIntegration = async (ctx: Context, id: string): Promise<Tested> => {
  mustBeAble(ctx.actor, 'integrations.manage')
  const row = await getRow(ctx, id)
  const connector = mustConnect(row)
  const source = await sourceOf(ctx, row)
  try {
    return { status: 'OK', detail: clean(row, source, await connector.test(source, AbortSignal.timeout(TEST_MS))) }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('validation_failed', clean(row, source, `Could not connect to the source: ${(error as Error).message}`))
  }
}

export const syncIntegration = (ctx: Context, id: string, options: SyncOptions = {}): Promise<Job> => {
  mustBeAble(ctx.actor, 'integrations.manage')
  return startSync(ctx, id, options)
}

interface SyncOptions {
  /** Resources the last sync found missing may be marked as stale. */
  readonly confirm_removals?: boolean
}

/** One sync at a time: while one is queued or running, its job is returned. */
export const startSync = (ctx: Context, id: string, { confirm_removals = false }: SyncOptions = {}): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    const row = await lockRow(ctx, id)
    mustConnect(row)
    const open = await findOpenSync(ctx, id)
    if (open && confirm_removals) throw conflict('A sync of this integration is running. Confirm the removals when it has finished.')
    if (open) return readJob(ctx, open)
    const sync_id = newId()
    const job = await createJob(ctx, {
      id: sync_id,
      kind: SYNC_JOB,
      title: `Sync ${row.name}`,
      payload: { integration_id: id, sync_id, ...(confirm_removals && { confirmed_removals: await countToConfirm(ctx, id) }) },
      worker_class: 'syncs',
    })
    await openSync(ctx, sync_id, id)
    await note(ctx, id, { last_sync_status: 'PENDING' })
    return job
  })

export const workSync: JobWork = async (ctx, payload, report) => {
  const { integration_id: id, sync_id, confirmed_removals } = payload as SyncPayload
  const row = await getRow(ctx, id)
  const connector = mustConnect(row)
  const source = await sourceOf(ctx, row)
  const now = clockFrom(ctx)
  await beginSync(ctx, sync_id, id)
  await note(ctx, id, { last_sync_status: 'RUNNING' })
  try {
    const done = await work(ctx, now, connector, { source, sync_id, confirmed_removals }, (progress, line) =>
      report(progress, line && clean(row, source, line)),
    )
    const { needs_confirmation } = done
    if (needs_confirmation) throw new NeedsConfirmation(done.report, needs_confirmation)
    await endSync(ctx, sync_id, now(), { report: done.report })
    await note(ctx, id, { last_sync_status: 'COMPLETED', last_sync_error: null, last_synced_at: now() })
  } catch (error) {
    if (error instanceof NeedsConfirmation) {
      await endSync(ctx, sync_id, now(), { error: error.message, report: error.report, needs_confirmation: error.removals })
      await note(ctx, id, { last_sync_status: 'FAILED', last_sync_error: error.message })
      throw conflict(error.message) // an immediate retry would find the same: wait for the next scheduled sync
    }
    const last_sync_error = clean(row, source, (error as Error).message)
    await endSync(ctx, sync_id, now(), { error: last_sync_error })
    await note(ctx, id, { last_sync_status: 'FAILED', last_sync_error })
    await retryLater(ctx, id, now())
    throw error instanceof Refusal ? conflict(last_sync_error) : new Error(last_sync_error) // the job log must not contain secrets either
  }
}

interface SyncPayload {
  readonly integration_id: string
  readonly sync_id: string
  readonly confirmed_removals?: number
}

/** Too much is missing to mark it as stale without confirmation. New and changed resources were still written. */
class NeedsConfirmation extends Error {
  readonly report: SyncReport
  readonly removals: Removals

  constructor(report: SyncReport, removals: Removals) {
    super(inSentence(removals))
    this.report = report
    this.removals = removals
  }
}

const inSentence = ({ known, missing, emptied }: Removals): string => {
  const n = (count: number) => count.toLocaleString('en')
  const places =
    emptied.length > 0 ? ` Now empty: ${emptied.slice(0, MOST_NAMED).join(', ')}${emptied.length > MOST_NAMED ? ', …' : ''}.` : ''
  return (
    `The source no longer lists ${n(missing)} of ${n(known)} known resources.${places} Nothing was marked as stale, because missing permissions have the ` +
    'same effect. Check the permissions and patterns of this integration, or sync again and confirm the removals.'
  )
}

interface Work {
  readonly source: Source
  readonly sync_id: string
  readonly confirmed_removals?: number
}

const work = async (
  ctx: Context,
  now: () => Date,
  connector: Connector,
  { source, sync_id, confirmed_removals }: Work,
  report: Report,
): Promise<Reconciliation> => {
  const signal = AbortSignal.timeout(SYNC_MS)
  const unlisted = new Unlisted()
  const visit = (progress: number): Visit => ({
    signal,
    say: (line) => report(progress, line),
    unlisted: (what) => unlisted.add(what),
    moved: (key) => unlisted.addMoved(key),
    ctx: asIntegration({ ...ctx, now: now() }, sync_id),
  })
  const items = connector.discover(source, visit(1))
  const archive_after_days = numberOf(source, 'archive_after_days')
  const whole = { id: source.id, sync_id, whole: true, archive_after_days, signal, unlisted, confirmed_removals }
  const done = await reconcile(ctx, whole, items, report)
  // While removals are unconfirmed, what it reported about other sources' resources is kept as well.
  const more = done.needs_confirmation ? undefined : await connector.finish?.(source, visit(99))
  if (!more) return done
  const { read, unreadable } = done.report.lineage
  return { report: { ...done.report, lineage: { read: read + more.read, unreadable: unreadable + more.unreadable } } }
}

type Noted = Partial<Record<'last_sync_status' | 'last_sync_error', string | null> & { last_synced_at: Date; next_sync_at: Date | null }>
const note = (ctx: Context, id: string, noted: Noted) => ctx.db.updateTable('integrations').set(noted).where('id', '=', id).execute()

const retryLater = async (ctx: Context, id: string, now: Date): Promise<void> => {
  const failures = Math.max(1, await countFailures(ctx, id))
  await sql`
    update integrations set next_sync_at = ${nextRetry(failures, now)}::timestamptz where id = ${id} and next_sync_at is not null
  `.execute(ctx.db)
}

const MOST_DUE = 100

/**
 * Runs every minute and queues the syncs that are due. Several schedulers may run at once; each integration is handled by one of them. A sync
 * that cannot be queued is retried later and does not block the others.
 */
export const syncDue = async (ctx: Context, onError: (error: unknown, what: string) => void): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from integrations i where i.next_sync_at <= ${ctx.now}::timestamptz order by i.next_sync_at limit ${sql.lit(MOST_DUE)}
  `.execute(ctx.db)
  for (const { id } of rows)
    try {
      await beginDue(ctx, id, onError)
    } catch (error) {
      onError(error, `sync of integration ${id}`)
    }
}

const beginDue = async (ctx: Context, id: string, onError: (error: unknown, what: string) => void): Promise<void> => {
  try {
    await inTransaction(ctx, async (ctx) => {
      const row = await lockRow(ctx, id)
      if (!row.next_sync_at || Date.parse(row.next_sync_at) > ctx.now.getTime()) return
      await syncIntegration(ctx, id)
      await note(ctx, id, { next_sync_at: nextSync(row, ctx.now) })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) onError(error, `sync of integration ${id}`)
    await note(ctx, id, { last_sync_status: 'FAILED', last_sync_error: (error as Error).message, next_sync_at: nextRetry(1, ctx.now) })
  }
}
