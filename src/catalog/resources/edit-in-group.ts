import { parseMentions } from '../../accounts/shared/mentions.ts'
import { type Context, requireIfMatch } from '../../platform/context/context.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { type Change, prepareActivity } from '../../platform/history/record.ts'
import { can, canSee, seesEverything } from '../../platform/permissions/permissions.ts'
import { applyChange, changesBetween, listWrittenColumns, normalizeChange } from '../records/change.ts'
import { toResource } from '../records/record.ts'
import { countVisibleChildren, type RowWithVersion } from '../records/resource-rows.ts'
import type { Resource, ResourceEdit } from '../records/schema.ts'
import { toVersionActivity } from '../records/version-activity.ts'

/**
 * Fields that can be edited in a group. They neither move a resource nor decide who sees it, and no other row is derived from them: such an edit
 * locks its own row only, so the group never waits for a lock of another row.
 */
const GROUPED_FIELDS: readonly string[] = [
  ...['description', 'definition', 'native_type', 'icon', 'url', 'pii', 'verified'],
  ...['owners', 'owners_groups', 'collections', 'tags', 'terms', 'subscribers'],
]

/**
 * The edit, written together with those of concurrent requests; `before` was read without a lock. Undefined if it must be made in a transaction of
 * its own: it does more than change this row, it is rejected there, or the row has changed meanwhile.
 */
export const editInGroup = async (ctx: Context, before: RowWithVersion | undefined, edit: ResourceEdit): Promise<Resource | undefined> => {
  if (ctx.in_transaction || !before || !can(ctx.actor, 'catalog.write') || !canSee(ctx.actor, before)) return undefined
  const change = normalizeChange(edit)
  requireIfMatch(ctx, computeEtag(before))
  const edited = applyChange(before, change, undefined, ctx.actor.user_id, ctx.now)
  const changes = changesBetween(before, edited)
  if (!concernsOnlyRow(before, changes)) return undefined
  const row: RowWithVersion = { ...edited, row_version: before.row_version, version: before.version + 1, updated_at: ctx.now.toISOString() }
  const activity = prepareActivity(ctx, toVersionActivity(row, 'updated', changes))
  if (!activity) return undefined
  // Counted before the edit is written: if counting failed afterwards, the caller would get an error although the edit is saved.
  const children = seesEverything(ctx.actor) ? row.children_count : await countVisibleChildren(ctx.db, ctx.actor, row.id)
  const { transactions } = ctx.limits
  if (transactions) transactions.begun += 1
  if (!(await ctx.runtime.editGroups.write({ ctx, row, columns: listWrittenColumns(changes), activity }))) {
    if (ctx.limits.isOver?.()) ctx.limits.signal?.throwIfAborted()
    return undefined
  }
  if (transactions) transactions.committed += 1
  return toResource(ctx.actor, row, ctx.workspace_id, children)
}

/** An edit of one may notify its author or the person it is assigned to, which needs a transaction of its own. */
const NOTIFYING_TYPES: readonly string[] = ['question', 'question_reply']

const concernsOnlyRow = ({ entity_type }: RowWithVersion, changes: readonly Change[]): boolean =>
  changes.length > 0 &&
  !NOTIFYING_TYPES.includes(entity_type) &&
  changes.every(({ field, to }) => GROUPED_FIELDS.includes(field) && (typeof to !== 'string' || parseMentions(to).length === 0))
