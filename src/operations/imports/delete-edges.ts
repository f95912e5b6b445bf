import { deleteLineageEntry } from '../../lineage/edges/manual.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { findImportedEdges } from './imported-rows.ts'
import type { UndoRun } from './undo-run.ts'

/** Deletes the edges the import created between resources that stay. */
export const deleteEdges = async (ctx: Context, gone: readonly string[], { of, dry_run, report, step }: UndoRun): Promise<void> => {
  const edges = await findImportedEdges(ctx, of, dry_run ? gone : [])
  if (dry_run) return report.lineageDeleted(edges.length)
  for (const id of edges) {
    try {
      await deleteLineageEntry(ctx, id)
      report.lineageDeleted(1)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error // deleted in the meantime
    }
    await step()
  }
}
