import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { getJob } from '../../platform/jobs/jobs.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { lockIntegrationRow } from './integration-rows.ts'
import { findActiveSync, getSync, isSyncCancelled, markSyncCancelled } from './sync-records.ts'

/** The process that runs the sync notices it within seconds; a queued sync ends as soon as it starts. */
export const cancelSync = (ctx: Context, integration_id: string, sync_id: string): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'integrations.manage')
    await lockIntegrationRow(ctx, integration_id)
    await getSync(ctx, integration_id, sync_id)
    if ((await findActiveSync(ctx, integration_id)) !== sync_id) throw conflict(translatable('This sync has already finished.'))
    await markSyncCancelled(ctx, sync_id)
    return getJob(ctx, sync_id)
  })

export class SyncCancelledError extends Error {
  constructor() {
    super('The sync was cancelled. What it had already written stays; undo it to go back.')
  }
}

const CHECK_MS = 2_000

/** Aborts when the sync is cancelled, from any process. */
export const watchCancellation = async (ctx: Context, sync_id: string): Promise<{ readonly signal: AbortSignal } & Disposable> => {
  const cancelled = new AbortController()
  const check = async () => {
    if (await isSyncCancelled(ctx, sync_id)) cancelled.abort(new SyncCancelledError())
  }
  await check()
  const watch = setInterval(() => check().catch(() => {}), CHECK_MS) // a lost connection: the next check follows
  return { signal: cancelled.signal, [Symbol.dispose]: () => clearInterval(watch) }
}
