import { sql } from 'kysely'
import { moveToTrash } from '../../catalog/resources/delete.ts'
import { lockVisibleRows } from '../../catalog/resources/report.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { ImportRow } from './import-rows.ts'
import { type CreatedResource, findCreatedResources, lockTree } from './imported-rows.ts'
import type { UndoReport } from './undo-report.ts'
import { nameOf, type UndoRun } from './undo-run.ts'

/** Moves the created resources to the trash, each tree as one entry. Returns the IDs of all that go. */
export const trashCreated = async (
  ctx: Context,
  { of, dry_run, report, step }: UndoRun,
  movedBack: readonly string[],
): Promise<string[]> => {
  const created = await findCreatedResources(ctx, of, { movedBack: dry_run ? movedBack : [] })
  for (const each of created) reportKept(report, each)
  const trees = groupByRoot(created.filter(({ kept }) => kept === null))
  for (const [root, tree] of trees) {
    if (dry_run) report.deleted(nameOf(root), tree.length)
    else await trashTree(ctx, of, root, report)
    await step()
  }
  return [...trees.values()].flatMap((tree) => tree.map(({ id }) => id))
}

const reportKept = (report: UndoReport, { kept, visible, ...resource }: CreatedResource): void => {
  if (kept === null) return
  if (visible) report.kept({ ...nameOf(resource), field: null, reason: kept, imported: null, now: null })
  else report.keptHidden()
}

/** Terms and collections come last: when they go, they are removed from the resources that refer to them. */
const groupByRoot = (created: readonly CreatedResource[]): Map<CreatedResource, CreatedResource[]> => {
  const byId = new Map(created.map((each) => [each.id, each]))
  const roots = new Map<string, CreatedResource>()
  const rootOf = (each: CreatedResource): CreatedResource => {
    const path: CreatedResource[] = []
    let top = each
    while (!top.is_root && !roots.has(top.id)) {
      path.push(top)
      top = byId.get(top.parent!)!
    }
    const root = roots.get(top.id) ?? top
    for (const { id } of [...path, top]) roots.set(id, root)
    return root
  }
  const isReferred = ({ entity_type }: CreatedResource) => entity_type === 'glossary' || entity_type === 'collection'
  return Map.groupBy(
    [...created].sort((a, b) => Number(isReferred(a)) - Number(isReferred(b))),
    rootOf,
  )
}

const trashTree = async (ctx: Context, of: ImportRow, { id }: CreatedResource, report: UndoReport): Promise<void> => {
  try {
    await inTransaction(ctx, async (ctx) => {
      await sql`set local statement_timeout = 0`.execute(ctx.db)
      await lockTree(ctx.db, id)
      // Someone may have changed something in it since it was planned.
      const tree = await findCreatedResources(ctx, of, { below: id })
      const root = tree.find((each) => each.id === id)
      for (const each of tree) reportKept(report, each)
      if (!root || root.kept !== null) return
      const row = (await lockVisibleRows(ctx, [id])).get(id)
      if (!row) return
      await moveToTrash(ctx, row)
      report.deleted(nameOf(row), tree.length)
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    report.keptHidden()
  }
}
