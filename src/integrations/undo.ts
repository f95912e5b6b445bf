import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { conflict } from '../errors.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { undoSync } from '../sync/undo.ts'
import { lockRow } from './store.ts'
import { findOpenSync, getSync, noteUndone } from './syncs.ts'

export const UNDO_JOB = 'undo_sync'

/** Undoes a sync in a background job: it may have written a hundred thousand resources. */
export const undoIntegrationSync = (ctx: Context, integration_id: string, sync_id: string): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'integrations.manage')
    const { name } = await lockRow(ctx, integration_id)
    const sync = await getSync(ctx, integration_id, sync_id)
    if (sync.undone_at) throw conflict('This sync has already been undone.')
    if (await findOpenSync(ctx, integration_id)) throw conflict('A sync of this integration is running. Try again when it has finished.')
    return createJob(ctx, { kind: UNDO_JOB, title: `Undo a sync of ${name}`, payload: { integration_id, sync_id } })
  })

/** Resumes after a crash: values that were already reset no longer match what the sync wrote. */
export const workUndo: JobWork = async (ctx, payload, report) => {
  const { integration_id, sync_id } = payload as { integration_id: string; sync_id: string }
  const { started_at, undone_at } = await getSync(ctx, integration_id, sync_id)
  if (undone_at) return
  if (started_at) await undoSync(ctx, { id: sync_id, integration: integration_id, started_at }, report)
  await noteUndone(ctx, sync_id)
}
