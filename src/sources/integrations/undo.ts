import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { withdrawAddedFlows } from '../datahub/added-flows.ts'
import { withdrawFlowsOf } from '../job-flows/withdraw.ts'
import { undoSync } from '../sync/undo.ts'
import { lockIntegrationRow } from './integration-rows.ts'
import { findActiveSync, getSync, markSyncUndone } from './sync-records.ts'

export const UNDO_JOB = 'undo_sync'
const WITHDRAWN_AT_ONCE = 500

/** Undoes a sync in a background job: it may have written a hundred thousand resources. */
export const undoIntegrationSync = (ctx: Context, integration_id: string, sync_id: string): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'integrations.manage')
    const { name } = await lockIntegrationRow(ctx, integration_id)
    const sync = await getSync(ctx, integration_id, sync_id)
    if (sync.undone_at) throw conflict(translatable('This sync has already been undone.'))
    if (await findActiveSync(ctx, integration_id))
      throw conflict(translatable('A sync of this integration is running. Try again when it has finished.'))
    return createJob(ctx, { kind: UNDO_JOB, title: `Undo a sync of ${name}`, payload: { integration_id, sync_id } })
  })

/** Resumes after a crash: values that were already reset no longer match what the sync wrote. */
export const runUndoSyncJob: JobHandler = async (ctx, payload, report) => {
  const { integration_id, sync_id } = payload as { integration_id: string; sync_id: string }
  const { started_at, undone_at } = await getSync(ctx, integration_id, sync_id)
  if (undone_at) return
  while ((await withdrawAddedFlows(ctx, integration_id, WITHDRAWN_AT_ONCE, sync_id)) === WITHDRAWN_AT_ONCE);
  if (started_at) await undoSync(ctx, { id: sync_id, integration: integration_id, started_at }, report, withdrawFlowsOf)
  await markSyncUndone(ctx, sync_id)
}
