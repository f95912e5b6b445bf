import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import { findContainersInUse } from './imported-rows.ts'
import type { RestoredResource } from './restore-edits.ts'
import { nameOf, type UndoRun } from './undo-run.ts'

/**
 * Unpublishes what the import published, deepest first. What contains something published is kept published: otherwise viewers would see
 * a table without its schema.
 */
export const unpublish = async (
  ctx: Context,
  published: readonly string[],
  deletedIds: readonly string[],
  { dry_run, report, step }: UndoRun,
  restore: (ids: readonly string[]) => Promise<RestoredResource[]>,
): Promise<void> => {
  const rows = await findVisibleRows(ctx, published)
  const unpublished = new Set(deletedIds)
  for (const level of deepestFirst([...rows.values()])) {
    const ids = level.map(({ id }) => id)
    const inUse = await findContainersInUse(ctx, ids, dry_run ? [...unpublished] : [])
    for (const row of level)
      if (inUse.has(row.id) && row.published)
        report.addKept({ ...nameOf(row), field: 'published', reason: 'published', imported: true, now: true })
    for (const { row, changes, kept } of await restore(ids.filter((id) => !inUse.has(id)))) {
      unpublished.add(row.id)
      report.addRestored({ ...nameOf(row), changes: [...changes] })
      report.addKept(...kept.map((each) => ({ ...nameOf(row), ...each })))
    }
    await step()
  }
}

/** Levels of a forest: first the resources that contain none of the others. Pure. */
const deepestFirst = <T extends { readonly id: string; readonly parent: string | null }>(rows: readonly T[]): T[][] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const depths = new Map<string, number>()
  const depthOf = (row: T): number => {
    const known = depths.get(row.id)
    if (known !== undefined) return known
    const parent = row.parent === null ? undefined : byId.get(row.parent)
    const depth = parent ? depthOf(parent) + 1 : 0
    depths.set(row.id, depth)
    return depth
  }
  const levels = Map.groupBy(rows, depthOf)
  return [...levels].sort(([a], [b]) => b - a).map(([, level]) => level)
}
