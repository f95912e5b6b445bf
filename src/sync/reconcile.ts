import { sql } from 'kysely'
import { SYSTEM } from '../access/permissions.ts'
import { actingAs, type Context } from '../context.ts'
import { clockFrom } from '../jobs/clock.ts'
import type { Report } from '../jobs/run.ts'
import { alone } from './alone.ts'
import { archiveLongGone, countRemovals, noteAllGone } from './gone.ts'
import type { Item } from './item.ts'
import { LastTime } from './last-time.ts'
import { readLineage } from './lineage.ts'
import { type Removals, Unlisted } from './removals.ts'
import { inWords, type SyncReport, Tally } from './report.ts'
import { recordSchemaChanges } from './schema-changes.ts'
import { stage } from './stage.ts'
import { forgetDeleted, removeItems } from './store.ts'
import { countUses } from './uses.ts'
import { writeItems } from './write.ts'

export interface Reconciliation {
  readonly report: SyncReport
  /** Too much is missing to mark it as stale without confirmation. */
  readonly needs_confirmation?: Removals
}

/** The integration the items belong to, and how to treat them. */
export interface Reconciled {
  readonly id: string
  /** Recorded in the history so that the sync can be undone. Increases over time, like every ID. */
  readonly sync_id: string
  /** Whether the items are everything the source has, so that what is not among them is missing. */
  readonly whole: boolean
  /** What the source could not list: nothing of it is treated as missing. */
  readonly unlisted?: Unlisted
  /** A user has confirmed that this many resources may become stale, however large their share. */
  readonly confirmed_removals?: number
  /** Days after which a missing resource is archived. */
  readonly archive_after_days?: number
  readonly signal?: AbortSignal
}

const ARCHIVE_AFTER_DAYS = 30

/**
 * Updates the catalog from the items of a source. All items are staged first; then those that differ from last time are written in batches.
 * If it is interrupted at any point it can run again, because it compares again. Unchanged items write nothing.
 * Must be called outside a transaction: each batch has its own.
 */
export const reconcile = (ctx: Context, integration: Reconciled, items: AsyncIterable<Item>, report: Report): Promise<Reconciliation> =>
  alone(ctx, integration.id, async () => {
    const { id, sync_id, whole, archive_after_days = ARCHIVE_AFTER_DAYS, signal } = integration
    const { unlisted = new Unlisted(), confirmed_removals = 0 } = integration
    const tally = new Tally()
    const time = clockFrom(ctx)
    const now = () => asIntegration({ ...ctx, now: time() }, sync_id)
    try {
      await removeItems(ctx.db, sync_id) // left behind by an attempt that crashed
      await forgetDeleted(ctx.db, id)
      const last = await LastTime.load(ctx.db, id)
      const isFirst = !last.anyUntold
      const { found, count } = await stage(ctx.db, last, sync_id, items, (n) => report(Math.min(30, n / 1000)))
      const total = [...found.values()].reduce((sum, n) => sum + n, 0)
      await report(30, `Found ${total.toLocaleString('en')} ${total === 1 ? 'item' : 'items'}.`)
      if (count > 0) {
        await sql`analyze sync_items`.execute(ctx.db)
        await writeItems(now, { integration: id, sync_id, last, tally, signal }, (after) =>
          report(30 + (55 * after) / Math.max(total, after)),
        )
      }
      let needs_confirmation: Removals | undefined
      if (whole) {
        const removals = await countRemovals(now(), id, last, unlisted)
        needs_confirmation = removals.missing > confirmed_removals ? removals.toConfirm(found) : undefined
        if (!needs_confirmation) {
          await noteAllGone(now(), id, removals, tally)
          await archiveLongGone(now(), id, archive_after_days, tally)
        }
      }
      await report(90)
      if (count > 0) await readLineage(now(), id, sync_id, tally)
      await countUses(now(), id, sync_id)
      if (tally.anyColumns && !isFirst) tally.schema_changes = await recordSchemaChanges(now(), sync_id, ctx.now)
      const told = tally.of(found)
      await report(99, inWords(told))
      return { report: told, needs_confirmation }
    } finally {
      await removeItems(ctx.db, sync_id)
    }
  })

/** Acts as the source itself, not as the user who started the sync. */
export const asIntegration = (ctx: Context, sync_id: string): Context => ({
  ...actingAs(ctx, { ...SYSTEM, performer_type: 'INTEGRATION' }),
  part_of: { id: sync_id, type: 'sync' },
})
