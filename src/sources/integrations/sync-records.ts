import { type Selectable, sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { IntegrationSyncsTable } from '../../platform/db/tables/sources.ts'
import { JobTakenOverError } from '../../platform/jobs/run.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage, readPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { PendingRemovals } from '../sync/removals.ts'
import type { SyncReport } from '../sync/report.ts'
import { requireNoSyncLock } from '../sync/sync-lock.ts'
import { getIntegrationRow } from './integration-rows.ts'
import type { Sync } from './schema.ts'

/** Sync records of integrations. */
type SyncRow = Selectable<IntegrationSyncsTable>

export const listSyncs = async (ctx: Context, integration: string, page: PageRequest) => {
  requirePermission(ctx.actor, 'integrations.read')
  await getIntegrationRow(ctx, integration)
  const syncs = await readPage<SyncRow>(ctx, page, {
    select: sql`s.*`,
    from: sql`integration_syncs s`,
    where: sql`s.integration = ${integration}`,
    order: [desc('timestamp', 's.created_at'), asc('id', 's.id')],
  })
  return mapPage(syncs, toSync)
}

export const getSync = async (ctx: Context, integration: string, id: string): Promise<SyncRow> => {
  const row = await ctx.db
    .selectFrom('integration_syncs')
    .selectAll()
    .where('id', '=', id)
    .where('integration', '=', integration)
    .executeTakeFirst()
  if (!row) throw notFound('sync', id)
  return row
}

const toSync = ({ report, status, needs_confirmation, attempt: _, ...row }: SyncRow): Sync => ({
  ...row,
  status: status as Sync['status'],
  report: report as Sync['report'],
  needs_confirmation: needs_confirmation as Sync['needs_confirmation'],
})

const MAX_SILENCE_SQL = sql`interval '1 hour'` // a sync reports progress every few seconds

/** The queued or running sync. A sync whose job has ended or stopped reporting progress is marked as failed. */
export const findActiveSync = async (ctx: Context, integration: string): Promise<string | undefined> => {
  await sql`
    update integration_syncs s set status = 'FAILED', finished_at = ${ctx.now}::timestamptz, error = coalesce(s.error, 'The sync stopped without reporting a result.')
    where s.integration = ${integration} and s.status in ('PENDING', 'RUNNING')
      and not exists (select from background_jobs j where j.id = s.id and j.completed is null and j.updated_at > now() - ${MAX_SILENCE_SQL})
  `.execute(ctx.db)
  const active = await ctx.db
    .selectFrom('integration_syncs')
    .select('id')
    .where('integration', '=', integration)
    .where('status', 'in', ['PENDING', 'RUNNING'])
    .executeTakeFirst()
  return active?.id
}

export const createSync = (ctx: Context, id: string, integration: string) =>
  ctx.db.insertInto('integration_syncs').values({ id, integration, status: 'PENDING', created_at: ctx.now }).execute()

export interface SyncAttempt {
  /** When the first attempt started, if this is another one. */
  readonly started_at: string | undefined
  readonly fence: NonNullable<Context['fence']>
}

/**
 * Starts an attempt of a sync. A retry reopens the sync, unless another one has started in between or an earlier attempt is still writing. Earlier attempts
 * cannot write from now on, even if their process was only paused and continues.
 */
export const startAttempt = (ctx: Context, id: string, integration: string): Promise<SyncAttempt> =>
  inTransaction(ctx, async (ctx) => {
    const active = await findActiveSync(ctx, integration)
    if (active && active !== id) throw conflict(translatable('Another sync of this integration is running.'))
    await requireNoSyncLock(ctx.db, integration)
    const attempt = newId()
    // Waits for the transactions of earlier attempts, which lock the key.
    await sql`select from integration_syncs where id = ${id} for update`.execute(ctx.db)
    const { rows } = await sql<{ started_at: string; again: boolean }>`
      insert into integration_syncs (id, integration, status, created_at, started_at, attempt)
      values (${id}, ${integration}, 'RUNNING', ${ctx.now}::timestamptz, ${ctx.now}::timestamptz, ${attempt})
      on conflict (id) do update set status = 'RUNNING', started_at = coalesce(integration_syncs.started_at, excluded.started_at), finished_at = null,
        error = null, attempt = excluded.attempt
      returning started_at::text, started_at < ${ctx.now}::timestamptz as again
    `.execute(ctx.db)
    const { started_at, again } = rows[0]!
    return { started_at: again ? started_at : undefined, fence: createFence(id, attempt) }
  })

const createFence = (id: string, attempt: string) => async (db: Db) => {
  const { rows } = await sql<{ current: boolean }>`
    select s.attempt is not distinct from ${attempt}::uuid as current from integration_syncs s where s.id = ${id} for key share
  `.execute(db)
  if (!rows[0]) throw conflict('The integration was deleted during the sync.')
  if (!rows[0].current) throw new JobTakenOverError()
}

export interface SyncResult {
  readonly error?: string
  readonly report?: SyncReport
  readonly needs_confirmation?: PendingRemovals
}

export const finishSync = (ctx: Context, id: string, now: Date, { error, report, needs_confirmation }: SyncResult) =>
  sql`
    update integration_syncs set status = ${error === undefined ? 'COMPLETED' : 'FAILED'}, finished_at = ${now}::timestamptz, error = ${error ?? null},
      report = ${report ? JSON.stringify(report) : null}::text::jsonb,
      needs_confirmation = ${needs_confirmation ? JSON.stringify(needs_confirmation) : null}::text::jsonb
    where id = ${id}
  `.execute(ctx.db)

/** How many removals the last sync left to confirm; unlimited if it left none. */
export const countPendingRemovals = async (ctx: Context, integration: string): Promise<number> => {
  const last = await ctx.db
    .selectFrom('integration_syncs')
    .select('needs_confirmation')
    .where('integration', '=', integration)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .executeTakeFirst()
  return (last?.needs_confirmation as PendingRemovals | null | undefined)?.missing ?? Number.MAX_SAFE_INTEGER
}

/** Failed syncs since the last successful one. */
export const countConsecutiveFailures = async (ctx: Context, integration: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from integration_syncs s where s.integration = ${integration} and s.status = 'FAILED' and s.created_at > coalesce(
      (select max(c.created_at) from integration_syncs c where c.integration = ${integration} and c.status = 'COMPLETED'), '-infinity')
  `.execute(ctx.db)
  return rows[0]!.n
}

export const deleteOldSyncs = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(db, 'integration_syncs', sql`status in ('COMPLETED', 'FAILED') and created_at < ${now}::timestamptz - interval '90 days'`)

/** Left behind by processes that crashed. */
export const deleteAbandonedLineage = ({ db }: Context): Promise<void> =>
  deleteInBatches(
    db,
    'reported_lineage',
    sql`not exists (
      select from integration_syncs s join background_jobs j on j.id = s.id
      where s.integration = reported_lineage.integration and s.status = 'RUNNING' and j.completed is null and j.updated_at > now() - ${MAX_SILENCE_SQL}
    )`,
  )

export const markSyncCancelled = (ctx: Context, id: string) =>
  ctx.db.updateTable('integration_syncs').set({ cancelled_at: ctx.now }).where('id', '=', id).execute()

export const isSyncCancelled = async (ctx: Context, id: string): Promise<boolean> => {
  const row = await ctx.db.selectFrom('integration_syncs').select('cancelled_at').where('id', '=', id).executeTakeFirst()
  return row?.cancelled_at != null
}

export const markSyncUndone = (ctx: Context, id: string) =>
  ctx.db.updateTable('integration_syncs').set({ undone_at: ctx.now }).where('id', '=', id).execute()
