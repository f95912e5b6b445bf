import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findImportRow, type ImportRow, listImportRows, markImportUndone, setUndoJob, UNDO_DAYS } from './import-rows.ts'
import { describeFile } from './record-import.ts'
import type { ImportRecord, ImportUndo } from './schema.ts'
import { undoImport } from './undo.ts'

export const UNDO_IMPORT_JOB = 'undo_import'
const DAY_MS = 86_400_000

const undoUntil = ({ imported_at }: Pick<ImportRow, 'imported_at'>): Date => new Date(Date.parse(imported_at) + UNDO_DAYS * DAY_MS)

const toRecord = ({ xid: _, user_id, running_job, undo_report, ...row }: ImportRow): ImportRecord => ({
  ...row,
  undo_job: running_job,
  user: user_id,
  undo_until: undoUntil(row).toISOString(),
  undone: undo_report,
})

export const listImports = async (ctx: Context, page: PageRequest) => {
  requirePermission(ctx.actor, 'catalog.write')
  return mapPage(await listImportRows(ctx, page), toRecord)
}

export const getImport = async (ctx: Context, id: string): Promise<ImportRecord> => toRecord(await getImportRow(ctx, id))

const getImportRow = async (ctx: Context, id: string, lock?: 'locked'): Promise<ImportRow> => {
  requirePermission(ctx.actor, 'catalog.write')
  const row = await findImportRow(ctx, id, lock)
  if (!row) throw notFound('import', id)
  return row
}

const requireUndoable = (ctx: Context, row: ImportRow): void => {
  if (row.undone_at) throw conflict(translatable('This import has already been undone.'))
  if (undoUntil(row) < ctx.now)
    throw conflict(translatable('An import can be undone for {days} days. This one is older.', { days: UNDO_DAYS }))
}

/** What an undo would do. */
export const previewImportUndo = async (ctx: Context, id: string): Promise<ImportUndo> => {
  const row = await getImportRow(ctx, id)
  requireUndoable(ctx, row)
  return undoImport(ctx, row, true, async () => ctx.limits.signal?.throwIfAborted())
}

/** Undoes an import in a background job: it may have written a million resources. */
export const startImportUndo = (ctx: Context, id: string): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    const row = await getImportRow(ctx, id, 'locked')
    requireUndoable(ctx, row)
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
export const runUndoImportJob: JobHandler = async (ctx, payload, report) => {
  const { import_id } = payload as { import_id: string }
  const row = await getImportRow(ctx, import_id)
  if (row.undone_at) return
  const step = async (progress: number) => {
    await report(progress)
    await ctx.runtime.monitorPriority.giveWay()
  }
  const { dry_run: _, returns: __, stays, ...counts } = await undoImport(ctx, row, false, step)
  await inTransaction(ctx, async (ctx) => {
    await markImportUndone(ctx, import_id, counts)
    await recordEvent(ctx, {
      kind: 'import_undone',
      resource: { id: import_id, type: 'import', title: describeFile(row), integration_id: row.integration },
      payload: { import: import_id, ...counts },
    })
  })
  const lines = stays.map(({ title, field, reason }) => `Kept ${field ? `${field} of ` : ''}${title}: ${reason}.`)
  await report(
    99,
    [
      ...lines,
      `Undone: ${n(counts.resources_restored)} restored, ${n(counts.resources_deleted)} moved to the trash, ${n(counts.lineage_deleted)} lineage edges deleted, ${n(counts.kept)} kept.`,
    ].join('\n'),
  )
}

const n = (count: number): string => count.toLocaleString('en')
