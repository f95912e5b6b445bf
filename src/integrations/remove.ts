import { sql } from 'kysely'
import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { withdrawLineage } from '../dbt/withdraw.ts'
import { Refusal } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { newId } from '../id.ts'
import { createJob, readJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { withdrawFlows } from '../openlineage/withdraw.ts'
import { removeTrees } from '../resources/remove.ts'
import { withdrawWords } from '../sync/withdraw.ts'
import { changesOf, tell } from './change.ts'
import { DEMO_INTEGRATION, DROP_DEMO_JOB } from './own-database.ts'
import { getRow, type IntegrationRow, lockRow, removeRow } from './store.ts'

/**
 * Deletes an integration with its resources and their descendants, each with its history, and what it reported about resources of other
 * sources. Small ones are deleted in one transaction; large ones in a job, in batches from the leaves up. Returns that job.
 */
export const removeIntegration = (ctx: Context, id: string): Promise<Job | undefined> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'integrations.manage')
    const row = await lockRow(ctx, id, 'alone')
    mustMatch(ctx, etagOf(row))
    if (row.removal_job) return readJob(ctx, row.removal_job)
    const entry = newId()
    const left = await withdrawSome(ctx, row)
    const ids = await findSome(ctx, id, sql`true`, AT_ONCE + 1)
    if (ids.length <= AT_ONCE && !left) {
      await removeTrees(ctx, ids, entry)
      await finish(ctx, row, entry)
      return undefined
    }
    const job = await createJob(ctx, {
      kind: REMOVAL_JOB,
      title: `Delete ${row.name} and its resources`,
      payload: { integration_id: id, entry },
    })
    await ctx.db.updateTable('integrations').set({ removal_job: job.id }).where('id', '=', id).execute()
    return job
  })

export const REMOVAL_JOB = 'remove_integration'
const AT_ONCE = 1_000

export const workRemoval: JobWork = async (ctx, payload, report) => {
  const { integration_id: id, entry } = payload as { integration_id: string; entry: string }
  const { rows } = await sql<{ count: number }>`select count(*) as count from resources r where r.integration = ${id}`.execute(ctx.db)
  const total = rows[0]!.count
  await report(0, `${total.toLocaleString('en')} resources to delete.`)
  for (let removed = 0; ; ) {
    const some = await removeSome(ctx, id, entry)
    if (some === undefined) return report(99, `Deleted ${removed.toLocaleString('en')} resources and the integration.`)
    removed += some
    await report((100 * removed) / Math.max(total, removed))
  }
}

/** One transaction of the job. Undefined when everything is deleted, including the integration. */
const removeSome = (ctx: Context, id: string, entry: string): Promise<number | undefined> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'integrations.manage')
    const standing = await getRow(ctx, id).catch(goneIs(undefined))
    if (standing && (await withdrawSome(ctx, standing))) return 0
    const leaves = await findSome(ctx, id, sql`r.children_count = 0`, AT_ONCE)
    // What remains has resources of other integrations below it: those are deleted first, again from the leaves up.
    const ids = leaves.length > 0 ? leaves : await findLeavesBelow(ctx, id)
    await removeTrees(ctx, ids, entry)
    if (ids.length > 0) return ids.length
    const row = await lockRow(ctx, id, 'alone').catch(goneIs(undefined))
    if (row) await finish(ctx, row, entry)
    return undefined
  })

/** Withdraws what it reported about other sources' resources, and their lineage. Returns whether there may be more. */
const withdrawSome = async (ctx: Context, row: IntegrationRow): Promise<boolean> => {
  const withdrawn = [
    await withdrawWords(ctx, row, AT_ONCE),
    await withdrawLineage(ctx, row.id, AT_ONCE),
    await withdrawFlows(ctx, row.id, AT_ONCE),
  ]
  return withdrawn.includes(AT_ONCE)
}

/** A job resumed after a crash may find its work already done. */
const goneIs =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Refusal && error.code === 'not_found') return instead
    throw error
  }

const findSome = async (ctx: Context, id: string, which: ReturnType<typeof sql>, most: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select r.id from resources r where r.integration = ${id} and ${which} limit ${most}`.execute(
    ctx.db,
  )
  return rows.map((row) => row.id)
}

const findLeavesBelow = async (ctx: Context, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive below as (
      select r.id, r.children_count from resources r where r.integration = ${id}
      union
      select c.id, c.children_count from below b join resources c on c.parent = b.id
    )
    select b.id from below b where b.children_count = 0 limit ${AT_ONCE}
  `.execute(ctx.db)
  return rows.map((row) => row.id)
}

const finish = async (ctx: Context, row: IntegrationRow, entry: string): Promise<void> => {
  await removeRow(ctx, row.id)
  await tell(ctx, 'deleted', row, changesOf(row, {}, undefined), entry)
  if (row.id === DEMO_INTEGRATION) await createJob(ctx, { kind: DROP_DEMO_JOB, title: 'Drop the demo database' })
}
