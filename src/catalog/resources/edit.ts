import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type Change, recordActivities } from '../../platform/history/record.ts'
import { can, canSee, requirePermission, SYSTEM, seesEverything } from '../../platform/permissions/permissions.ts'
import { getEntityTypeConfig } from '../entity-types/entity-types.ts'
import { registerIntegrations, requireIntegrationAccess } from '../integration-registry/register.ts'
import { getResource } from '../listing/read.ts'
import { requireAuthorEditable, requireResourceWrite } from '../records/authors.ts'
import { applyChange, changeLists, changesBetween, listWrittenColumns, normalizeChange } from '../records/change.ts'
import { updatePaths } from '../records/paths.ts'
import { type ResourceRow, toResource } from '../records/record.ts'
import { findChildRows, findResourceRows, lockParentsShared, lockResourceRows, updateResourceRowsSql } from '../records/resource-rows.ts'
import { type ListChange, type Resource, type ResourceChange, ResourceEdit } from '../records/schema.ts'
import { isInCycle, lockRoots } from '../records/tree.ts'
import { parseTypeFields, type TypeFields, withTypeFields } from '../records/type-fields.ts'
import { toVersionActivity } from '../records/version-activity.ts'
import { publishContainers } from './containers.ts'
import { recordDirectedEvents } from './directed-events.ts'
import { editInGroup } from './edit-in-group.ts'
import { requireReplacements } from './replacements.ts'

/** Typed endpoints only edit resources of their entity type, including its type-specific fields. Other resources are not found. */
export const editResource = (ctx: Context, id: string, edit: ResourceEdit, entity_type?: string, own?: TypeFields): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    if (entity_type) await getResource(ctx, id, entity_type)
    const row = await editResources(ctx, [{ id, data: pickEditable(edit), own }])
    return row && seesEverything(ctx.actor) ? toResource(ctx.actor, row, ctx.workspace_id, row.children_count) : getResource(ctx, id)
  })

/** The same for an edit by itself, which is written together with those of concurrent requests if it only concerns this row. */
export const editResourceTogether = async (
  ctx: Context,
  id: string,
  edit: ResourceEdit,
  row = ctx.runtime.editGroups.find(id),
): Promise<Resource> => (await editInGroup(ctx, await row, pickEditable(edit))) ?? editResource(ctx, id, edit)

/** Clients may send a whole record back, so read-only fields are dropped. `entity_type` can only be changed by a bulk update. */
const pickEditable = (edit: ResourceEdit): ResourceEdit =>
  Object.fromEntries(Object.entries(edit).filter(([field]) => Object.hasOwn(ResourceEdit.properties, field)))

/** All edits go through here. All or nothing; an edit that changes nothing creates no version. Returns the row if exactly one was changed. */
export const editResources = (ctx: Context, edits: readonly ResourceEditRequest[]): Promise<ResourceRow | undefined> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, can(ctx.actor, 'catalog.write') ? 'catalog.write' : 'questions.ask')
    const changes = new Map<string, Partial<ResourceRow>>()
    const typeFields = new Map<string, TypeFields>()
    // If a bulk update contains a resource twice, the later change wins.
    for (const { id, data, own } of edits) {
      changes.set(id, { ...changes.get(id), ...normalizeChange(data) })
      typeFields.set(id, { ...typeFields.get(id), ...own })
    }
    const rows = await lockResourceRows(ctx.db, ctx.actor, [...changes.keys()])
    for (const edit of edits) {
      const change = changes.get(edit.id)!
      Object.assign(change, changeLists({ ...rows.get(edit.id), ...change }, edit))
    }
    await requireResourceWrite(ctx, [...rows.values()])
    const parents = await loadParents(ctx, rows, changes)
    const edited: AppliedEdit[] = []
    for (const [id, change] of changes) {
      const before = rows.get(id)
      if (!before) throw notFound('resource', id)
      requireIfMatch(ctx, computeEtag(before))
      const parent = parents.get((change.parent === undefined ? before.parent : change.parent) ?? '')
      const after = applyChange(before, change, parent, ctx.actor.user_id, ctx.now)
      edited.push(toAppliedEdit(before, withTypeFields(after, parseTypeFields(after.entity_type, typeFields.get(id)!))))
    }
    for (const { changes } of edited) requireAuthorEditable(ctx, changes)
    await requireReplacements(ctx, edited)
    return writeEdits(ctx, edited)
  })

export interface ResourceEditRequest {
  readonly id: string
  readonly data: ResourceChange
  readonly add?: ListChange
  readonly remove?: ListChange
  /** Type-specific fields. */
  readonly own?: TypeFields
}

interface AppliedEdit {
  readonly before: ResourceRow
  readonly after: ResourceRow
  readonly changes: readonly Change[]
  readonly parent_id?: string
}

const toAppliedEdit = (before: ResourceRow, after: ResourceRow): AppliedEdit => ({ before, after, changes: changesBetween(before, after) })

/** Writes changed rows with their versions and activities, and applies the side effects. */
const writeEdits = async (ctx: Context, edits: readonly AppliedEdit[]): Promise<ResourceRow | undefined> => {
  const written = edits
    .filter(({ changes }) => changes.length > 0)
    .map((edit) => ({
      ...edit,
      after: { ...edit.after, version: edit.before.version + 1, updated_at: ctx.now.toISOString() },
      entry: newId(),
    }))
  if (written.length === 0) return undefined
  const integrations = written.flatMap(({ before, after }) => (after.integration !== before.integration ? (after.integration ?? []) : []))
  await requireIntegrationAccess(ctx, integrations)
  await registerIntegrations(ctx, integrations)
  const update = updateResourceRowsSql(
    written.map(({ after }) => after),
    listWrittenColumns(written.flatMap(({ changes }) => changes)),
  )
  const activities = written.map(({ after, changes, parent_id, entry }) =>
    toVersionActivity(after, 'updated', changes, { id: entry, parent_id }),
  )
  await recordActivities(ctx, activities, { write: update })
  for (const { before, after } of written) {
    if (before.parent !== after.parent && (await isInCycle(ctx.db, after.id)))
      throw invalid({ parent: [translatable('A resource cannot be its own ancestor.')] })
    if (hasMoved(before, after)) await updatePaths(ctx, after)
  }
  await publishContainers(
    ctx,
    written.flatMap(({ before, after }) => (after.published && (!before.published || before.parent !== after.parent) ? [after] : [])),
  )
  await recordDirectedEvents(ctx, written)
  await writeEdits(ctx, await publishChildren(ctx, written))
  return written.length === 1 ? written[0]!.after : undefined
}

const hasMoved = (before: ResourceRow, after: ResourceRow): boolean =>
  before.title_full !== after.title_full ||
  before.database !== after.database ||
  before.schema !== after.schema ||
  before.cluster !== after.cluster

/** Publishing or unpublishing a table does the same to its columns, and a job to its runs. */
const publishChildren = async (ctx: Context, edits: readonly (AppliedEdit & { entry: string })[]): Promise<AppliedEdit[]> => {
  const toggled = edits.filter(
    ({ before, after }) => getEntityTypeConfig(after.entity_type).publishes_children && before.published !== after.published,
  )
  if (toggled.length === 0) return []
  const byId = new Map(toggled.map((each) => [each.after.id, each]))
  const children = await findChildRows(ctx.db, [...byId.keys()])
  return children.flatMap((child) => {
    const { after, entry } = byId.get(child.parent!)!
    return getEntityTypeConfig(after.entity_type).publishes_children === child.entity_type
      ? [{ ...toAppliedEdit(child, { ...child, published: after.published }), parent_id: entry }]
      : []
  })
}

/**
 * Loads the parents needed to compute new paths. Only real changes count, since clients may send a whole record back. A rename only reads
 * the parent; a move locks the new one, and other moves in the same trees wait until it is committed.
 */
const loadParents = async (
  ctx: Context,
  rows: ReadonlyMap<string, ResourceRow>,
  changes: ReadonlyMap<string, Partial<ResourceRow>>,
): Promise<Map<string, ResourceRow>> => {
  const differs = (id: string, field: 'title' | 'parent' | 'entity_type'): boolean => {
    const [before, after] = [rows.get(id), changes.get(id)![field]]
    return before !== undefined && after !== undefined && after !== before[field]
  }
  const ids = [...changes.keys()]
  const moves = ids.filter((id) => differs(id, 'parent'))
  const renames = ids.filter((id) => !differs(id, 'parent') && (differs(id, 'title') || differs(id, 'entity_type')))
  const targets = [...new Set(moves.flatMap((id) => changes.get(id)!.parent ?? []))]
  if (moves.length > 0) await lockRoots(ctx.db, [...moves, ...targets])
  const locked = targets.length > 0 ? await lockParentsShared(ctx.db, SYSTEM, targets, { restart: true }) : new Map<string, ResourceRow>()
  for (const target of targets) {
    const parent = locked.get(target)
    if (!parent || !canSee(ctx.actor, parent)) throw invalid({ parent: [translatable('Resource {id} does not exist.', { id: target })] })
  }
  const currentParents = [...new Set(renames.flatMap((id) => rows.get(id)!.parent ?? []))]
  const read = currentParents.length > 0 ? await findResourceRows(ctx.db, SYSTEM, currentParents) : []
  return new Map([...read, ...locked])
}
