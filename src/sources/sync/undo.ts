import { sql } from 'kysely'
import { lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { deleteTrees } from '../../catalog/resources/delete.ts'
import { applyRestores, planRestores } from '../../catalog/undo/restore-fields.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { Change } from '../../platform/history/record.ts'
import { fullChangesSql } from '../../platform/history/texts.ts'
import type { ReportProgress } from '../../platform/jobs/run.ts'
import type { SyncOutcome, SyncReport } from './report.ts'
import { isOfSyncSql, type StartedSync } from './sync-activities.ts'
import { withSyncLock } from './sync-lock.ts'

/** Called in the transaction that deletes these resources. */
type BeforeDelete = (ctx: Context, integration: string, ids: readonly string[]) => Promise<void>

const BATCH_SIZE = 500

/**
 * Undoes a sync by its activities, newest first: each field that still has the value the sync wrote is reset to its previous value, and resources
 * the sync created are deleted, unless a user edited them or added something below them. Reset values count as edited by a user.
 */
export const undoSync = (ctx: Context, sync: StartedSync, report: ReportProgress, beforeDelete: BeforeDelete): Promise<void> =>
  withSyncLock(ctx, sync.integration, async () => {
    let [restored, removed] = [0, 0]
    for (let after: ActivityPosition = NEWEST_POSITION; ; ) {
      const entries = await nextActivities(ctx, sync, after)
      if (entries.length === 0) break
      restored += await restoreFields(ctx, entries)
      after = entries.at(-1)!
      await report(40)
    }
    for (;;) {
      const ids = await findUneditedResources(ctx, sync)
      if (ids.length === 0) break
      removed += await deleteResources(ctx, sync.integration, ids, beforeDelete)
      await report(70)
    }
    await report(99, await formatUndoReport(ctx, sync, restored, removed))
  })

/** What was undone and what stays: together they add up to what the sync reported. */
const formatUndoReport = async (ctx: Context, { id }: StartedSync, restored: number, removed: number): Promise<string> => {
  const sync = await ctx.db.selectFrom('integration_syncs').select('report').where('id', '=', id).executeTakeFirst()
  const counts = (sync?.report ?? {}) as Partial<SyncReport>
  const total = (...outcomes: SyncOutcome[]) =>
    outcomes.flatMap((outcome) => Object.values(counts[outcome] ?? {})).reduce((sum, n) => sum + n, 0)
  const n = (count: number) => count.toLocaleString('en')
  const resources = (count: number) => `${n(count)} ${count === 1 ? 'resource' : 'resources'}`
  const [created, facts] = [total('new'), total('facts', 'changed', 'back')]
  const definitions = counts.lineage?.read ?? 0
  return [
    `Undone: ${resources(restored)} restored, ${n(removed)} deleted.`,
    ...(created > removed
      ? [`${n(created - removed)} of the new resources stay because users have edited them or added something below them.`]
      : []),
    ...(facts > 0
      ? [
          `Facts that only the source knows (keys, indexes, row counts, sizes, usage and its own IDs) were not reset on up to ${resources(facts)}.`,
        ]
      : []),
    ...(definitions > 0
      ? [`Lineage from ${n(definitions)} ${definitions === 1 ? 'definition' : 'definitions'} stays as the source has it.`]
      : []),
  ].join(' ')
}

interface ActivityPosition {
  readonly logged_at: string
  readonly id: string
}
interface SyncActivity extends ActivityPosition {
  readonly resource_id: string
  readonly changes: readonly Change[]
}
const NEWEST_POSITION: ActivityPosition = { logged_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

const nextActivities = async (ctx: Context, sync: StartedSync, { logged_at, id }: ActivityPosition): Promise<SyncActivity[]> => {
  const { rows } = await sql<SyncActivity>`
    select a.id, a.logged_at::text as logged_at, a.resource_id, ${fullChangesSql('a')} as changes from activities a
    where ${isOfSyncSql(sync)} and (a.logged_at, a.id) < (${logged_at}::timestamptz, ${id}::uuid) and a.activity_type like '%\\_updated' and a.version is not null
    order by a.logged_at desc, a.id desc limit ${sql.lit(BATCH_SIZE)}
  `.execute(ctx.db)
  return rows
}

const restoreFields = (ctx: Context, entries: readonly SyncActivity[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const rows = await lockVisibleRows(ctx, [...new Set(entries.map(({ resource_id }) => resource_id))])
    const plans = [...planRestores(rows, entries)].filter(([, { restored }]) => Object.keys(restored).length > 0)
    await applyRestores(ctx, rows, new Map(plans))
    return plans.length
  })

/** Created by the sync, with nothing below it and no edits by users. From the leaves up. */
const findUneditedResources = async (ctx: Context, sync: StartedSync): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from activities a join resources r on r.id = a.resource_id
    where ${isOfSyncSql(sync)} and a.activity_type like '%\\_created' and r.children_count = 0
      and not exists (select from activities p where p.resource_id = r.id and p.performer_type <> 'INTEGRATION')
    order by a.logged_at desc, a.id desc limit ${sql.lit(BATCH_SIZE)}
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

const deleteResources = (ctx: Context, integration: string, ids: readonly string[], beforeDelete: BeforeDelete): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    await beforeDelete(ctx, integration, ids)
    await deleteTrees(ctx, ids, newId())
    return ids.length
  })
