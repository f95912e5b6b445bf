import { deleteManualEdges } from '../../lineage/edges/manual.ts'
import type { Context } from '../../platform/context/context.ts'
import { findImportedEdges } from './imported-rows.ts'
import type { UndoRun } from './undo-run.ts'

const BATCH_EDGES = 500

/** Deletes the edges the import created between resources that are kept. */
export const deleteEdges = async (ctx: Context, deletedIds: readonly string[], { row, dry_run, report, step }: UndoRun): Promise<void> => {
  const edges = await findImportedEdges(ctx, row, dry_run ? deletedIds : [])
  if (dry_run) return report.addDeletedLineage(edges.length)
  for (let i = 0; i < edges.length; i += BATCH_EDGES) {
    report.addDeletedLineage(await deleteManualEdges(ctx, edges.slice(i, i + BATCH_EDGES)))
    await step()
  }
}
