import { sql } from 'kysely'
import { type Context, contextAs, inTransaction } from '../../platform/context/context.ts'
import { createClock } from '../../platform/jobs/clock.ts'
import { JobTakenOverError, type ReportProgress } from '../../platform/jobs/run.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import type { Item } from './item.ts'
import { updateLineage } from './lineage.ts'
import { archiveLongStale, countRemovals, markMissingAsStale } from './missing-items.ts'
import { PreviousSync } from './previous-sync.ts'
import { type PendingRemovals, UnlistedScopes } from './removals.ts'
import { formatLineageProblems, formatSyncReport, OutcomeCounter, type SyncReport } from './report.ts'
import { announceSchemaChanges } from './schema-changes.ts'
import { stageItems } from './stage.ts'
import { countWritten } from './sync-activities.ts'
import { withSyncLock } from './sync-lock.ts'
import { deleteOriginsOfDeleted, deleteStagedItems } from './sync-rows.ts'
import { UnchangedItems } from './unchanged-items.ts'
import { countUsage } from './usage.ts'
import { writeItems } from './write.ts'

export interface Reconciliation {
  readonly report: SyncReport
  /** Too much is missing to mark it as stale without confirmation. */
  readonly needs_confirmation?: PendingRemovals
}

/** The integration the items belong to, and how to treat them. */
export interface ReconcileOptions {
  readonly id: string
  /** Recorded in the history so that the sync can be undone. Increases over time, like every ID. */
  readonly sync_id: string
  /** Whether the items are everything the source has, so that what is not among them is missing. */
  readonly whole: boolean
  /** What the source could not list: nothing of it is treated as missing. */
  readonly unlisted?: UnlistedScopes
  /** What the source reports as unchanged; complete when all items have been read. */
  readonly unchanged?: UnchangedItems
  /** A user has confirmed that this many resources may become stale, however large their share. */
  readonly confirmed_removals?: number
  /** Days after which a missing resource is archived. */
  readonly archive_after_days?: number
  /** When the first attempt of this sync started, if this is another one: what the earlier ones have written is in the report, too. */
  readonly started_at?: string | undefined
  readonly signal?: AbortSignal
}

const ARCHIVE_AFTER_DAYS = 30

/**
 * Updates the catalog from the items of a source. All items are staged first; then those that differ from last time are written in batches.
 * If it is interrupted at any point it can run again, because it compares again. Unchanged items write nothing.
 * Must be called outside a transaction: each batch has its own.
 */
export const reconcile = (
  ctx: Context,
  options: ReconcileOptions,
  items: AsyncIterable<Item>,
  report: ReportProgress,
): Promise<Reconciliation> =>
  withSyncLock(ctx, options.id, async () => {
    const { id, sync_id, whole, archive_after_days = ARCHIVE_AFTER_DAYS, started_at, signal } = options
    const { unlisted = new UnlistedScopes(), unchanged = new UnchangedItems(), confirmed_removals = 0 } = options
    const tally = new OutcomeCounter()
    const time = createClock(ctx)
    const now = () => contextAsIntegration({ ...ctx, now: time() }, sync_id, id)
    const afterBatch = async (percent: number) => {
      await report(percent)
      await ctx.runtime.monitorPriority.giveWay()
    }
    try {
      await inTransaction(ctx, async ({ db }) => {
        await deleteStagedItems(db, sync_id) // left behind by an attempt that crashed
        await deleteOriginsOfDeleted(db, id)
      })
      if (started_at !== undefined)
        for (const { outcome, entity_type, n } of await countWritten(ctx.db, { id: sync_id, started_at }))
          tally.add(outcome, entity_type, n)
      const previous = await PreviousSync.load(ctx.db, id)
      const isFirst = !previous.anyUnseen
      const { found, count } = await stageItems(ctx, previous, sync_id, items, afterBatch)
      for (const [entity_type, n] of await unchanged.markSeen(ctx.db, id, previous))
        found.set(entity_type, (found.get(entity_type) ?? 0) + n)
      const total = [...found.values()].reduce((sum, n) => sum + n, 0)
      await report(30, `Found ${total.toLocaleString('en')} ${total === 1 ? 'item' : 'items'}.`)
      if (count > 0) {
        await sql`analyze sync_items`.execute(ctx.db)
        await writeItems(now, { integration: id, sync_id, last: previous, describedFirst: isFirst, tally, signal }, (after) =>
          afterBatch(30 + (55 * after) / Math.max(total, after)),
        )
      }
      let needs_confirmation: PendingRemovals | undefined
      if (whole) {
        const removals = await countRemovals(now(), id, previous, unlisted)
        needs_confirmation = removals.missing > confirmed_removals ? removals.findPendingRemovals(found) : undefined
        if (!needs_confirmation) {
          await markMissingAsStale(now(), id, sync_id, removals, tally)
          await archiveLongStale(now(), id, archive_after_days, tally)
        }
      }
      await report(90)
      if (count > 0) await updateLineage(now(), id, sync_id, tally, signal)
      await countUsage(now(), id, sync_id, unchanged.withUsage)
      tally.schema_changes = await announceSchemaChanges(now(), id)
      const syncReport = tally.toReport(found)
      for (const line of formatLineageProblems(tally.problems)) await report(98, line)
      await report(99, formatSyncReport(syncReport))
      return { report: syncReport, needs_confirmation }
    } finally {
      await inTransaction(ctx, ({ db }) => deleteStagedItems(db, sync_id)).catch(ignoreTakenOver)
    }
  })

/** Another attempt has taken over the sync: the staged items are its own and stay. */
const ignoreTakenOver = (error: unknown): void => {
  if (!(error instanceof JobTakenOverError)) throw error
}

/** Acts as the source itself, not as the user who started the sync or sent the event. */
const contextAsPartOf = (ctx: Context, part_of: Context['part_of']): Context => ({
  ...contextAs(ctx, { ...SYSTEM, performer_type: 'INTEGRATION' }),
  part_of,
})

/** Of an event that a source sends. */
export const contextAsSource = (ctx: Context, integration: string): Context =>
  contextAsPartOf(ctx, { id: integration, type: 'integration', integration })

export const contextAsIntegration = (ctx: Context, sync_id: string, integration: string): Context =>
  contextAsPartOf(ctx, { id: sync_id, type: 'sync', integration })
