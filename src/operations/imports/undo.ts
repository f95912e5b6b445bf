import type { RecordedEdit } from '../../catalog/undo/restore-fields.ts'
import type { Context } from '../../platform/context/context.ts'
import type { ReportProgress } from '../../platform/jobs/run.ts'
import { deleteEdges } from './delete-edges.ts'
import type { ImportRow } from './import-rows.ts'
import { listEditedResources, readImportedEdits } from './imported-rows.ts'
import { type RestoredResource, restoreEdits } from './restore-edits.ts'
import { restoreReported } from './restore-reported.ts'
import type { ImportUndo } from './schema.ts'
import { trashCreated } from './trash-created.ts'
import { UndoReport } from './undo-report.ts'
import { nameOf, type UndoRun } from './undo-run.ts'
import { unpublish } from './unpublish.ts'

const BATCH_RESOURCES = 500
const PROGRESS_INTERVAL_MS = 250

/**
 * Undoes an import by its activities, like a sync (sources/sync/undo.ts), in batches that are complete in themselves: values that already
 * returned no longer match what the import wrote, so a repeated undo continues. Fields come first, since resources may have been moved
 * into created ones; then the created resources go, and what contains nothing published any more is unpublished.
 */
export const undoImport = async (ctx: Context, of: ImportRow, dry_run: boolean, progress: ReportProgress): Promise<ImportUndo> => {
  const report = new UndoReport()
  const as: Context = { ...ctx, part_of: { id: of.id, type: 'import' } }
  const edited = await listEditedResources(ctx.db, of)
  const total = Math.max(1, Math.ceil(edited.length / BATCH_RESOURCES) + of.created)
  let [done, reported] = [0, 0]
  const step = async () => {
    done += 1
    if (performance.now() - reported < PROGRESS_INTERVAL_MS) return
    await progress(Math.min(98, (98 * done) / total))
    reported = performance.now()
  }
  const run: UndoRun = { of, dry_run, report, step }
  const published: string[] = []
  const movedBack: string[] = []
  for (let i = 0; i < edited.length; i += BATCH_RESOURCES) {
    const edits = await readImportedEdits(ctx.db, of, edited.slice(i, i + BATCH_RESOURCES))
    for (const { resource_id, changes } of edits)
      if (changes.some(({ field, to }) => field === 'published' && to === true)) published.push(resource_id)
    const others = edits.map((edit) => withoutPublishing(edit)).filter(({ changes }) => changes.length > 0)
    const restored = await restoreEdits(as, others, dry_run)
    for (const { row, fields } of restored) if ('parent' in fields) movedBack.push(row.id)
    reportRestored(report, restored)
    await run.step()
  }
  await restoreReported(as, run)
  const gone = await trashCreated(as, run, movedBack)
  await unpublish(as, published, gone, run, async (ids) => {
    const restored: RestoredResource[] = []
    for (let i = 0; i < ids.length; i += BATCH_RESOURCES) {
      const edits = await readImportedEdits(ctx.db, of, ids.slice(i, i + BATCH_RESOURCES))
      restored.push(...(await restoreEdits(as, edits.map(onlyPublishing), dry_run)))
    }
    return restored
  })
  await deleteEdges(as, gone, run)
  return { dry_run, ...report.counts, returns: report.returns, stays: report.stays }
}

const isPublishing = ({ field, to }: RecordedEdit['changes'][number]): boolean => field === 'published' && to === true
const withoutPublishing = ({ resource_id, changes }: RecordedEdit): RecordedEdit => ({
  resource_id,
  changes: changes.filter((change) => !isPublishing(change)),
})
const onlyPublishing = ({ resource_id, changes }: RecordedEdit): RecordedEdit => ({ resource_id, changes: changes.filter(isPublishing) })

const reportRestored = (report: UndoReport, restored: readonly RestoredResource[]): void => {
  for (const { row, changes, kept } of restored) {
    report.restored({ ...nameOf(row), changes: [...changes] })
    report.kept(...kept.map((each) => ({ ...nameOf(row), ...each })))
  }
}
