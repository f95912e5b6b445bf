import { sql } from 'kysely'
import { lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { moveToTrash, setLockTimeout } from '../../catalog/resources/delete.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { ImportRow } from './import-rows.ts'
import { type CreatedResource, findCreatedResources, lockTrees } from './imported-rows.ts'
import type { UndoReport } from './undo-report.ts'
import { nameOf, type UndoRun } from './undo-run.ts'

/** Trees of one transaction: as many as these, as long as they have together fewer resources than these. */
const BATCH_TREES = 100
const BATCH_RESOURCES = 1_000

/** Moves the created resources to the trash, each tree as one entry. Returns the IDs of all that are deleted. */
export const trashCreated = async (
  ctx: Context,
  { row, dry_run, report, step }: UndoRun,
  movedBack: readonly string[],
): Promise<string[]> => {
  const created = await findCreatedResources(ctx, row, { movedBack: dry_run ? movedBack : [] })
  for (const each of created) reportKept(report, each)
  const trees = groupByRoot(created.filter(({ kept }) => kept === null))
  if (dry_run) for (const [root, tree] of trees) report.addDeleted(nameOf(root), tree.length)
  else
    for (const { roots, resources } of toBatches(trees)) {
      // Reported afterwards, because a transaction may be repeated.
      for (const outcome of await trashTrees(ctx, row, roots)) reportOutcome(report, outcome)
      await step(resources)
    }
  return [...trees.values()].flatMap((tree) => tree.map(({ id }) => id))
}

const reportKept = (report: UndoReport, { kept, visible, ...resource }: CreatedResource): void => {
  if (kept === null) return
  if (visible) report.addKept({ ...nameOf(resource), field: null, reason: kept, imported: null, now: null })
  else report.addHiddenKept()
}

/** Terms and collections come last: when they are deleted, they are removed from the resources that refer to them. */
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

function* toBatches(
  trees: ReadonlyMap<CreatedResource, readonly CreatedResource[]>,
): Generator<{ readonly roots: string[]; readonly resources: number }> {
  let [roots, resources]: [string[], number] = [[], 0]
  for (const [{ id }, tree] of trees) {
    if (roots.length > 0 && (roots.length === BATCH_TREES || resources + tree.length > BATCH_RESOURCES)) {
      yield { roots, resources }
      roots = []
      resources = 0
    }
    roots.push(id)
    resources += tree.length
  }
  if (roots.length > 0) yield { roots, resources }
}

/** What happened to some trees. */
interface TrashOutcome {
  /** Roots that were moved to the trash, with the number of resources. */
  readonly deleted: readonly { readonly root: CreatedResource; readonly count: number }[]
  readonly kept: readonly CreatedResource[]
  /** Trees that could not be moved, and the caller may not learn why. */
  readonly hidden: number
}

const reportOutcome = (report: UndoReport, { deleted, kept, hidden }: TrashOutcome): void => {
  for (const { root, count } of deleted) report.addDeleted(nameOf(root), count)
  for (const each of kept) reportKept(report, each)
  for (let i = 0; i < hidden; i += 1) report.addHiddenKept()
}

/** All or nothing; if something in them cannot be moved, one tree after the other. */
const trashTrees = async (ctx: Context, importRow: ImportRow, roots: readonly string[]): Promise<TrashOutcome[]> => {
  try {
    return [await inTransaction(ctx, (ctx) => moveTreesToTrash(ctx, importRow, roots))]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (roots.length === 1) return [{ deleted: [], kept: [], hidden: 1 }]
    const outcomes: TrashOutcome[] = []
    for (const root of roots) outcomes.push(...(await trashTrees(ctx, importRow, [root])))
    return outcomes
  }
}

const moveTreesToTrash = async (ctx: Context, importRow: ImportRow, roots: readonly string[]): Promise<TrashOutcome> => {
  await sql`set local statement_timeout = 0`.execute(ctx.db)
  await setLockTimeout(ctx.db, '5min')
  await lockTrees(ctx.db, roots)
  // Someone may have changed something in them since they were planned.
  const resources = await findCreatedResources(ctx, importRow, { below: roots })
  const sizes = countByRoot(roots, resources)
  const byId = new Map(resources.map((each) => [each.id, each]))
  const rows = await lockVisibleRows(ctx, roots)
  const deleted: { root: CreatedResource; count: number }[] = []
  for (const id of roots) {
    const [root, row] = [byId.get(id), rows.get(id)]
    if (root?.kept !== null || !row) continue
    await moveToTrash(ctx, row)
    deleted.push({ root, count: sizes.get(id)! })
  }
  return { deleted, kept: resources.filter(({ kept }) => kept !== null), hidden: 0 }
}

const countByRoot = (roots: readonly string[], resources: readonly CreatedResource[]): Map<string, number> => {
  const byId = new Map(resources.map((each) => [each.id, each]))
  const counts = new Map(roots.map((id) => [id, 0]))
  for (const each of resources) {
    let top: CreatedResource | undefined = each
    while (top && !counts.has(top.id)) top = top.parent === null ? undefined : byId.get(top.parent)
    if (top) counts.set(top.id, counts.get(top.id)! + 1)
  }
  return counts
}
