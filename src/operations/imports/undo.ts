import type { RecordedEdit } from '../../catalog/undo/restore-fields.ts'
import type { Context } from '../../platform/context/context.ts'
import { deleteEdges } from './delete-edges.ts'
import { listEditedResources, readImportedEdits } from './imported-rows.ts'
import { type RestoredResource, restoreEdits } from './restore-edits.ts'
import { restoreReported } from './restore-reported.ts'
import { trashCreated } from './trash-created.ts'
import type { UndoReport } from './undo-report.ts'
import { nameOf, type UndoRequest, type UndoRun } from './undo-run.ts'
import { unpublish } from './unpublish.ts'

const BATCH_RESOURCES = 500

/**
 * Undoes an import by its activities, like a sync (sources/sync/undo.ts), in batches that are complete in themselves: values that already
 * returned no longer match what the import wrote, so a repeated undo continues. Fields come first, since resources may have been moved
 * into created ones; then the created resources are deleted, and what contains nothing published any more is unpublished.
 */
export const undoImport = async (caller: Context, { row, dry_run, report, step }: UndoRequest): Promise<void> => {
  // Each batch has the access its caller has by then, which `step` returns.
  const ctx: { -readonly [name in keyof Context]: Context[name] } = { ...caller, part_of: { id: row.id, type: 'import' } }
  const edited = await listEditedResources(ctx, row)
  const total = Math.max(1, edited.length + row.created)
  let done = row.undo_report?.resources_deleted ?? 0
  const run: UndoRun = {
    row,
    dry_run,
    report,
    step: async (resources = 0) => {
      done += resources
      ctx.actor = await step(Math.min(98, (98 * done) / total))
    },
  }
  const published: string[] = []
  const movedBack: string[] = []
  for (let i = 0; i < edited.length; i += BATCH_RESOURCES) {
    const batch = edited.slice(i, i + BATCH_RESOURCES)
    const edits = await readImportedEdits(ctx, row, batch)
    for (const { resource_id, changes } of edits)
      if (changes.some(({ field, to }) => field === 'published' && to === true)) published.push(resource_id)
    const others = edits.map((edit) => withoutPublishing(edit)).filter(({ changes }) => changes.length > 0)
    const restored = await restoreEdits(ctx, others, dry_run)
    for (const { row, fields } of restored) if ('parent' in fields) movedBack.push(row.id)
    reportRestored(report, restored)
    await run.step(batch.length)
  }
  await restoreReported(ctx, run)
  const deletedIds = await trashCreated(ctx, run, movedBack)
  await unpublish(ctx, published, deletedIds, run, async (ids) => {
    const restored: RestoredResource[] = []
    for (let i = 0; i < ids.length; i += BATCH_RESOURCES) {
      const edits = await readImportedEdits(ctx, row, ids.slice(i, i + BATCH_RESOURCES))
      restored.push(...(await restoreEdits(ctx, edits.map(onlyPublishing), dry_run)))
    }
    return restored
  })
  await deleteEdges(ctx, deletedIds, run)
}

const isPublishing = ({ field, to }: RecordedEdit['changes'][number]): boolean => field === 'published' && to === true
const withoutPublishing = ({ resource_id, changes }: RecordedEdit): RecordedEdit => ({
  resource_id,
  changes: changes.filter((change) => !isPublishing(change)),
})
const onlyPublishing = ({ resource_id, changes }: RecordedEdit): RecordedEdit => ({ resource_id, changes: changes.filter(isPublishing) })

const reportRestored = (report: UndoReport, restored: readonly RestoredResource[]): void => {
  for (const { row, changes, kept } of restored) {
    report.addRestored({ ...nameOf(row), changes: [...changes] })
    report.addKept(...kept.map((each) => ({ ...nameOf(row), ...each })))
  }
}
