import type { Context } from '../../platform/context/context.ts'
import { getUndoableImport } from './imports.ts'
import type { ImportUndo } from './schema.ts'
import { undoImport } from './undo.ts'
import { UndoReport } from './undo-report.ts'

interface PreviewBounds {
  readonly changes: number
  readonly milliseconds: number
}

/** Far below the 30 s of a request. A preview shows the first 100 changes; the rest of the time only counts. */
const BOUNDS: PreviewBounds = { changes: 2_000, milliseconds: 10_000 }

/** What an undo would do, as far as it can be found quickly: an import may have written a million resources. */
export const previewImportUndo = async (
  ctx: Context,
  id: string,
  { changes, milliseconds }: PreviewBounds = BOUNDS,
): Promise<ImportUndo> => {
  const row = await getUndoableImport(ctx, id)
  const report = new UndoReport()
  const bound = new AbortController()
  const signal = ctx.limits.signal ? AbortSignal.any([ctx.limits.signal, bound.signal]) : bound.signal
  const limits = { signal, isOver: () => signal.aborted, inflightQueryAbortStrategy: 'cancel query' as const }
  const step = async () => {
    if (report.size >= changes) bound.abort()
    signal.throwIfAborted()
    return ctx.actor
  }
  const timer = setTimeout(() => bound.abort(), milliseconds)
  try {
    await undoImport({ ...ctx, limits }, { row, dry_run: true, report, step })
  } catch (error) {
    if (!bound.signal.aborted) throw error
    ctx.limits.signal?.throwIfAborted()
  } finally {
    clearTimeout(timer)
  }
  return { dry_run: true, complete: !bound.signal.aborted, ...report.counts, restored: report.restored, kept: report.kept }
}
