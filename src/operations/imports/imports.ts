import { findUserActor } from '../../platform/authentication/actors.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { type Actor, can, requirePermission } from '../../platform/permissions/permissions.ts'
import {
  findImportRow,
  findVisibleKept,
  type ImportRow,
  listImportRows,
  lockImport,
  markImportUndone,
  saveUndoSummary,
  setUndoJob,
  UNDO_DAYS,
} from './import-rows.ts'
import { describeFile } from './record-import.ts'
import type { ImportDetails, ImportRecord } from './schema.ts'
import { undoImport } from './undo.ts'
import { describeUndo } from './undo-log.ts'
import { addCounts, UndoReport } from './undo-report.ts'

export const UNDO_IMPORT_JOB = 'undo_import'
const DAY_MS = 86_400_000
const PROGRESS_INTERVAL_MS = 250

const undoUntil = ({ imported_at }: Pick<ImportRow, 'imported_at'>): Date => new Date(Date.parse(imported_at) + UNDO_DAYS * DAY_MS)

const toRecord = ({ xid: _, user_id, running_job, undo_report, ...row }: ImportRow): ImportRecord => ({
  ...row,
  undo_job: running_job,
  user: user_id,
  undo_until: undoUntil(row).toISOString(),
  undone: row.undone_at && undo_report ? addCounts(null, undo_report) : null,
})

export const listImports = async (ctx: Context, page: PageRequest) => {
  requirePermission(ctx.actor, 'catalog.write')
  return mapPage(await listImportRows(ctx, page), toRecord)
}

export const getImport = async (ctx: Context, id: string): Promise<ImportDetails> => {
  const row = await getImportRow(ctx, id)
  return { ...toRecord(row), kept: row.undone_at ? await findVisibleKept(ctx, row.undo_report?.kept ?? []) : [] }
}

const getImportRow = async (ctx: Context, id: string): Promise<ImportRow> => {
  requirePermission(ctx.actor, 'catalog.write')
  const row = await findImportRow(ctx, id)
  if (!row) throw notFound('import', id)
  return row
}

export const getUndoableImport = async (ctx: Context, id: string): Promise<ImportRow> => {
  const row = await getImportRow(ctx, id)
  if (row.undone_at) throw conflict(translatable('This import has already been undone.'))
  if (undoUntil(row) < ctx.now)
    throw conflict(translatable('An import can be undone for {days} days. This one is older.', { days: UNDO_DAYS }))
  return row
}

/** Undoes an import in a background job: it may have written a million resources. */
export const startImportUndo = (ctx: Context, id: string): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    await lockImport(ctx.db, id)
    const row = await getUndoableImport(ctx, id)
    if (row.running_job) throw conflict(translatable('This import is being undone. Wait until its job has finished.'))
    const job = await createJob(ctx, {
      kind: UNDO_IMPORT_JOB,
      title: `Undo the import of ${describeFile(row)}`,
      payload: { import_id: id },
    })
    await setUndoJob(ctx.db, id, job.id)
    return job
  })

/** Continues after a crash or a cancellation: values that already returned no longer match what the import wrote. */
export const runUndoImportJob: JobHandler = async (ctx, payload, reportProgress) => {
  const { import_id } = payload as { import_id: string }
  const row = await getImportRow(ctx, import_id)
  if (row.undone_at) return
  const report = new UndoReport()
  const countAll = () => addCounts(row.undo_report, report.counts)
  let reportedAt = Number.NEGATIVE_INFINITY
  const step = async (progress: number) => {
    await saveUndoSummary(ctx.db, import_id, countAll())
    if (performance.now() - reportedAt >= PROGRESS_INTERVAL_MS) {
      await reportProgress(progress)
      reportedAt = performance.now()
    }
    await ctx.runtime.monitorPriority.giveWay()
    return readActor(ctx)
  }
  await undoImport(ctx, { row, dry_run: false, report, step })
  const counts = countAll()
  const kept = report.kept.map(({ imported: _, now: __, ...each }) => each)
  await saveUndoSummary(ctx.db, import_id, { ...counts, kept })
  // Before the import is marked as undone: it throws if the job was cancelled.
  await reportProgress(99, describeUndo(counts, report.kept))
  await inTransaction(ctx, async (ctx) => {
    if (!(await markImportUndone(ctx, import_id))) return
    await recordEvent(ctx, {
      kind: 'import_undone',
      resource: { id: import_id, type: 'import', title: describeFile(row), integration_id: row.integration },
      payload: { import: import_id, ...counts },
    })
  })
}

/** The caller with the access they have now: it may have changed since the job started. */
const readActor = async ({ db, actor }: Context): Promise<Actor> => {
  if (actor.user_id === null) return actor
  const current = await findUserActor(db, actor.user_id)
  if (current && can(current, 'catalog.write')) return current
  throw permissionDenied(
    translatable(
      'The person who started this undo may no longer edit the catalog. What was undone so far stays undone; an admin can continue.',
    ),
  )
}
