import { sql } from 'kysely'
import { deleteTrees } from '../../catalog/resources/delete.ts'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { createJob, getJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { DEMO_INTEGRATION, DEMO_QUEUE, DROP_DEMO_JOB } from '../credentials/demo-connection.ts'
import { withdrawAddedFlows } from '../datahub/added-flows.ts'
import { withdrawLineage } from '../dbt/withdraw.ts'
import { withdrawFlows } from '../job-flows/withdraw.ts'
import { withdrawAllFieldSuggestions } from '../sync/withdraw.ts'
import { diffIntegration, recordIntegrationChange } from './apply-edit.ts'
import { deleteIntegrationRow, getIntegrationRow, type IntegrationRow, lockIntegrationRow } from './integration-rows.ts'

/**
 * Deletes an integration with its resources and their descendants, each with its history, and what it reported about resources of other
 * sources. Small ones are deleted in one transaction; large ones in a job, in batches from the leaves up. Returns that job.
 */
export const deleteIntegration = (ctx: Context, id: string): Promise<Job | undefined> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'integrations.manage')
    const row = await lockIntegrationRow(ctx, id, 'delete')
    requireIfMatch(ctx, computeEtag(row))
    if (row.removal_job) return getJob(ctx, row.removal_job)
    const entry = newId()
    const hasMoreReports = await withdrawReports(ctx, row)
    const ids = await findResourceIds(ctx, id, sql`true`, MAX_SYNCHRONOUS_RESOURCES + 1)
    if (ids.length <= MAX_SYNCHRONOUS_RESOURCES && !hasMoreReports) {
      await deleteTrees(ctx, ids, entry)
      await finishDeletion(ctx, row, entry)
      return undefined
    }
    const job = await createJob(ctx, {
      kind: DELETE_INTEGRATION_JOB,
      title: `Delete ${row.name} and its resources`,
      payload: { integration_id: id, entry },
    })
    await ctx.db.updateTable('integrations').set({ removal_job: job.id }).where('id', '=', id).execute()
    return job
  })

export const DELETE_INTEGRATION_JOB = 'remove_integration'
const MAX_SYNCHRONOUS_RESOURCES = 1_000

export const runDeleteIntegrationJob: JobHandler = async (ctx, payload, report) => {
  const { integration_id: id, entry } = payload as { integration_id: string; entry: string }
  const { rows } = await sql<{ count: number }>`select count(*) as count from resources r where r.integration = ${id}`.execute(ctx.db)
  const total = rows[0]!.count
  await report(0, `${total.toLocaleString('en')} resources to delete.`)
  for (let removed = 0; ; ) {
    const count = await deleteBatch(ctx, id, entry)
    if (count === undefined) return report(99, `Deleted ${removed.toLocaleString('en')} resources and the integration.`)
    removed += count
    await report((100 * removed) / Math.max(total, removed))
  }
}

/** One transaction of the job. Undefined when everything is deleted, including the integration. */
const deleteBatch = (ctx: Context, id: string, entry: string): Promise<number | undefined> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'integrations.manage')
    const integration = await getIntegrationRow(ctx, id).catch(ignoreNotFound(undefined))
    if (integration && (await withdrawReports(ctx, integration))) return 0
    const leaves = await findResourceIds(ctx, id, sql`r.children_count = 0`, MAX_SYNCHRONOUS_RESOURCES)
    // What remains has resources of other integrations below it: those are deleted first, again from the leaves up.
    const ids = leaves.length > 0 ? leaves : await findDescendantLeaves(ctx, id)
    await deleteTrees(ctx, ids, entry)
    if (ids.length > 0) return ids.length
    const row = await lockIntegrationRow(ctx, id, 'delete').catch(ignoreNotFound(undefined))
    if (row) await finishDeletion(ctx, row, entry)
    return undefined
  })

/** Withdraws what it reported about other sources' resources, and their lineage. Returns whether there may be more. */
const withdrawReports = async (ctx: Context, row: IntegrationRow): Promise<boolean> => {
  const withdrawn = [
    await withdrawAllFieldSuggestions(ctx, row, MAX_SYNCHRONOUS_RESOURCES),
    await withdrawLineage(ctx, row.id, MAX_SYNCHRONOUS_RESOURCES),
    await withdrawFlows(ctx, row.id, MAX_SYNCHRONOUS_RESOURCES),
    await withdrawAddedFlows(ctx, row.id, MAX_SYNCHRONOUS_RESOURCES),
  ]
  return withdrawn.includes(MAX_SYNCHRONOUS_RESOURCES)
}

/** A job resumed after a crash may find its work already done. */
const ignoreNotFound =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof ApiError && error.code === 'not_found') return fallback
    throw error
  }

const findResourceIds = async (ctx: Context, id: string, condition: ReturnType<typeof sql>, limit: number): Promise<string[]> => {
  const { rows } = await sql<{
    id: string
  }>`select r.id from resources r where r.integration = ${id} and ${condition} limit ${limit}`.execute(ctx.db)
  return rows.map((row) => row.id)
}

const findDescendantLeaves = async (ctx: Context, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive below as (
      select r.id, r.children_count from resources r where r.integration = ${id}
      union
      select c.id, c.children_count from below b join resources c on c.parent = b.id
    )
    select b.id from below b where b.children_count = 0 limit ${MAX_SYNCHRONOUS_RESOURCES}
  `.execute(ctx.db)
  return rows.map((row) => row.id)
}

const finishDeletion = async (ctx: Context, row: IntegrationRow, entry: string): Promise<void> => {
  await deleteIntegrationRow(ctx, row.id)
  await recordIntegrationChange(ctx, 'deleted', row, diffIntegration(row, {}, undefined), entry)
  if (row.id === DEMO_INTEGRATION) await createJob(ctx, { kind: DROP_DEMO_JOB, title: 'Drop the demo database', queue: DEMO_QUEUE })
}
