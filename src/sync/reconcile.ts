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
  /** So much is missing that nothing was marked as gone. */
  readonly needs_confirmation?: Removals
}

/** Whose items they are, and what they are. */
export interface Reconciled {
  readonly id: string
  /** History names it, so that it can be taken back. Grows with time, as every ID does. */
  readonly sync_id: string
  /** All the source has: what is not among them is gone. Else they are a part, and nothing is said of the rest. */
  readonly whole: boolean
  /** What the source could not list: nothing of it is gone. */
  readonly unlisted?: Unlisted
  /** So many resources may become stale, however large a part of the source they are: a person said so. */
  readonly confirmed_removals?: number
  /** How long something may be gone before it is archived. */
  readonly archive_after_days?: number
  readonly signal?: AbortSignal
}

const ARCHIVE_AFTER_DAYS = 30

/**
 * Brings the catalog up to date with what a source says, wherever that was read. First everything is put aside; then what differs from last
 * time is written, batch by batch. Killed anywhere it can be done again: it compares anew. What says the same as last time writes nothing.
 * To be called outside of a transaction: each batch is one of its own.
 */
export const reconcile = (ctx: Context, integration: Reconciled, items: AsyncIterable<Item>, report: Report): Promise<Reconciliation> =>
  alone(ctx, integration.id, async () => {
    const { id, sync_id, whole, archive_after_days = ARCHIVE_AFTER_DAYS, signal } = integration
    const { unlisted = new Unlisted(), confirmed_removals = 0 } = integration
    const tally = new Tally()
    const time = clockFrom(ctx)
    const now = () => asIntegration({ ...ctx, now: time() }, sync_id)
    try {
      await removeItems(ctx.db, sync_id) // an attempt before this one may have died
      await forgetDeleted(ctx.db, id)
      const last = await LastTime.load(ctx.db, id)
      const isFirst = !last.anyUntold
      const { found, count } = await stage(ctx.db, last, sync_id, items, (n) => report(Math.min(30, n / 1000)))
      const total = [...found.values()].reduce((sum, n) => sum + n, 0)
      await report(30, `Found ${total.toLocaleString('en')} things.`)
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

/** The source itself acts, and not whoever asked for it. */
export const asIntegration = (ctx: Context, sync_id: string): Context => ({
  ...actingAs(ctx, { ...SYSTEM, performer_type: 'INTEGRATION' }),
  part_of: { id: sync_id, type: 'sync' },
})
