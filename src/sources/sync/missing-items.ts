import { deleteTrees } from '../../catalog/resources/delete.ts'
import { editResources } from '../../catalog/resources/edit.ts'
import { markStale } from '../../catalog/resources/stale.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { droppedColumn } from './column-changes.ts'
import type { PreviousSync } from './previous-sync.ts'
import { RemovalCounter, type UnlistedScopes } from './removals.ts'
import type { OutcomeCounter } from './report.ts'
import { findDroppedColumns, recordColumnChanges } from './schema-change-rows.ts'
import { deleteOrigins, findExistingResources, findLongStale, type MissingItem, markArchivedBySource, markMissing } from './sync-rows.ts'

const BATCH_SIZE = 2000
const DAY_MS = 24 * 3_600_000

/** What would become stale, and whether it needs to be confirmed first. */
export const countRemovals = async (
  ctx: Context,
  integration: string,
  previous: PreviousSync,
  unlisted: UnlistedScopes,
): Promise<RemovalCounter> => {
  const removals = new RemovalCounter(previous, unlisted)
  for (let after = ''; previous.anyUnseen; ) {
    const existing = await findExistingResources(ctx.db, integration, after, BATCH_SIZE)
    if (existing.length === 0) break
    after = existing.at(-1)!.key
    for (const each of existing) removals.add(each)
  }
  return removals
}

/** Marks resources the source no longer has as stale. */
export const markMissingAsStale = async (
  ctx: Context,
  integration: string,
  sync_id: string,
  removals: RemovalCounter,
  tally: OutcomeCounter,
): Promise<void> => {
  if (!removals.anyMissing) return
  for (let after = ''; ; ) {
    const existing = await findExistingResources(ctx.db, integration, after, BATCH_SIZE)
    if (existing.length === 0) return
    after = existing.at(-1)!.key
    const gone = existing.filter((each) => removals.isMissing(each))
    await deleteRuns(
      ctx,
      gone.filter(({ entity_type }) => entity_type === 'run'),
    )
    const missing = gone.filter(({ entity_type }) => entity_type !== 'run')
    if (missing.length === 0) continue
    const ids = missing.map(({ resource_id }) => resource_id)
    const marked = await inTransaction(ctx, async (ctx) => {
      const marked = await markStale(ctx, ids, true)
      await markMissing(ctx.db, ids, ctx.now)
      const dropped = await findDroppedColumns(ctx.db, marked)
      await recordColumnChanges(
        ctx,
        sync_id,
        dropped.map(({ id, table_id, title, native_type }) => ({ table_id, ...droppedColumn(id, title, native_type) })),
      )
      return marked
    })
    for (const { resource_id, entity_type } of missing) if (marked.includes(resource_id)) tally.add('stale', entity_type)
  }
}

/** Runs that a source has dropped from its list are not kept: there would be more of them every day. */
const deleteRuns = async (ctx: Context, runs: readonly MissingItem[]): Promise<void> => {
  if (runs.length === 0) return
  const ids = runs.map(({ resource_id }) => resource_id)
  await inTransaction(ctx, async (ctx) => {
    await deleteTrees(ctx, ids, newId())
    await deleteOrigins(ctx.db, ids)
  })
}

/** Archives resources that have been missing for longer than the grace period. */
export const archiveLongStale = async (ctx: Context, integration: string, days: number, tally: OutcomeCounter): Promise<void> => {
  const before = new Date(ctx.now.getTime() - days * DAY_MS)
  for (;;) {
    const stale = await findLongStale(ctx.db, integration, before, BATCH_SIZE)
    if (stale.length === 0) return
    const ids = stale.map(({ resource_id }) => resource_id)
    await inTransaction(ctx, async (ctx) => {
      await editResources(
        ctx,
        ids.map((id) => ({ id, data: { archived: true } })),
      )
      await markArchivedBySource(ctx.db, ids)
    })
    for (const { entity_type } of stale) tally.add('archived', entity_type)
  }
}
