import { type Context, inTransaction } from '../context.ts'
import { editResources } from '../resources/edit.ts'
import { markStale } from '../resources/stale.ts'
import type { LastTime } from './last-time.ts'
import { RemovalCount, type Unlisted } from './removals.ts'
import type { Tally } from './report.ts'
import { findLongGone, findStanding, noteArchived, noteGone } from './store.ts'

const AT_ONCE = 2000
const DAY_MS = 24 * 3_600_000

/** What would become stale, and whether it needs to be confirmed first. */
export const countRemovals = async (ctx: Context, integration: string, last: LastTime, unlisted: Unlisted): Promise<RemovalCount> => {
  const removals = new RemovalCount(last, unlisted)
  for (let after = ''; last.anyUntold; ) {
    const standing = await findStanding(ctx.db, integration, after, AT_ONCE)
    if (standing.length === 0) break
    after = standing.at(-1)!.key
    for (const each of standing) removals.add(each)
  }
  return removals
}

/** Marks resources the source no longer has as stale. */
export const noteAllGone = async (ctx: Context, integration: string, removals: RemovalCount, tally: Tally): Promise<void> => {
  if (!removals.anyGone) return
  for (let after = ''; ; ) {
    const standing = await findStanding(ctx.db, integration, after, AT_ONCE)
    if (standing.length === 0) return
    after = standing.at(-1)!.key
    const gone = standing.filter((each) => removals.isMissing(each))
    if (gone.length === 0) continue
    const ids = gone.map(({ resource_id }) => resource_id)
    const marked = await inTransaction(ctx, async (ctx) => {
      const marked = await markStale(ctx, ids, true)
      await noteGone(ctx.db, ids, ctx.now)
      return marked
    })
    for (const { resource_id, entity_type } of gone) if (marked.includes(resource_id)) tally.add('stale', entity_type)
  }
}

/** Archives resources that have been missing for longer than the grace period. */
export const archiveLongGone = async (ctx: Context, integration: string, days: number, tally: Tally): Promise<void> => {
  const before = new Date(ctx.now.getTime() - days * DAY_MS)
  for (;;) {
    const gone = await findLongGone(ctx.db, integration, before, AT_ONCE)
    if (gone.length === 0) return
    const ids = gone.map(({ resource_id }) => resource_id)
    await inTransaction(ctx, async (ctx) => {
      await editResources(
        ctx,
        ids.map((id) => ({ id, data: { archived: true } })),
      )
      await noteArchived(ctx.db, ids)
    })
    for (const { entity_type } of gone) tally.add('archived', entity_type)
  }
}
