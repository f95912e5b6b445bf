import { can, canSee, mustBeAble, SYSTEM } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { type Change, recordActivities } from '../history/record.ts'
import { newId } from '../id.ts'
import { mustBeOpen, registerIntegrations } from '../integrations/register.ts'
import { recordAddressed } from './addressed.ts'
import { mustBeAbleToWrite, mustBeForAuthors } from './authors.ts'
import { applyChange, changesBetween, readChange } from './change.ts'
import { publishContainers } from './containers.ts'
import { versionEntry } from './entry.ts'
import { kindOf } from './kinds.ts'
import { OWN_DETAILS, type Own, readOwn, withOwn } from './own-fields.ts'
import { updatePaths } from './paths.ts'
import { readResource } from './read.ts'
import type { ResourceRow } from './record.ts'
import { type Resource, type ResourceChange, ResourceEdit } from './schema.ts'
import { findChildren, findRows, holdParents, lockRows, updateRows } from './store.ts'
import { isAboveItself, lockRoots } from './tree.ts'

/** Typed endpoints only edit resources of their entity type, including its type-specific fields. Other resources are not found. */
export const editResource = (ctx: Context, id: string, edit: ResourceEdit, entity_type?: string, own?: Own): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    if (entity_type) await readResource(ctx, id, entity_type)
    await editResources(ctx, [{ id, data: editable(edit), own }])
    return readResource(ctx, id)
  })

/** Clients may send a whole record back, so read-only fields are dropped. `entity_type` can only be changed by a bulk update. */
const editable = (edit: ResourceEdit): ResourceEdit =>
  Object.fromEntries(Object.entries(edit).filter(([field]) => Object.hasOwn(ResourceEdit.properties, field)))

/** All edits go through here. All or nothing; an edit that changes nothing creates no version. */
export const editResources = (ctx: Context, edits: readonly ResourceEdition[]): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, can(ctx.actor, 'catalog.write') ? 'catalog.write' : 'questions.ask')
    const changes = new Map<string, Partial<ResourceRow>>()
    const owns = new Map<string, Own>()
    // If a bulk update contains a resource twice, the later change wins.
    for (const { id, data, own } of edits) {
      changes.set(id, { ...changes.get(id), ...readChange(data) })
      owns.set(id, { ...owns.get(id), ...own })
    }
    const rows = await lockRows(ctx.db, ctx.actor, [...changes.keys()])
    await mustBeAbleToWrite(ctx, [...rows.values()])
    const parents = await findParents(ctx, rows, changes)
    const edited: Edited[] = []
    for (const [id, change] of changes) {
      const before = rows.get(id)
      if (!before) throw notFound('resource', id)
      mustMatch(ctx, etagOf(before))
      const parent = parents.get((change.parent === undefined ? before.parent : change.parent) ?? '')
      const after = applyChange(before, change, parent, ctx.actor.user_id, ctx.now)
      edited.push(editedTo(before, withOwn(after, readOwn(after.entity_type, owns.get(id)!))))
    }
    for (const { changes } of edited) mustBeForAuthors(ctx, changes)
    await writeEdits(ctx, edited)
  })

export interface ResourceEdition {
  readonly id: string
  readonly data: ResourceChange
  /** Type-specific fields. */
  readonly own?: Own
}

interface Edited {
  readonly before: ResourceRow
  readonly after: ResourceRow
  readonly changes: readonly Change[]
  readonly parent_id?: string
}

const editedTo = (before: ResourceRow, after: ResourceRow): Edited => ({ before, after, changes: changesBetween(before, after) })

/** Writes changed rows with their versions and activities, and applies the side effects. */
const writeEdits = async (ctx: Context, edits: readonly Edited[]): Promise<void> => {
  const written = edits
    .filter(({ changes }) => changes.length > 0)
    .map((edit) => ({
      ...edit,
      after: { ...edit.after, version: edit.before.version + 1, updated_at: ctx.now.toISOString() },
      entry: newId(),
    }))
  if (written.length === 0) return
  const named = written.flatMap(({ before, after }) => (after.integration !== before.integration ? (after.integration ?? []) : []))
  await mustBeOpen(ctx, named)
  await registerIntegrations(ctx, named)
  const changed = written.flatMap(({ changes }) => changes.flatMap(({ field }) => [field, ...(FOLLOWING[field] ?? [])]))
  // Pipelined: one round trip.
  await Promise.all([
    updateRows(
      ctx.db,
      written.map(({ after }) => after),
      ['version', 'updated_at', ...changed],
    ),
    recordActivities(
      ctx,
      written.map(({ after, changes, parent_id, entry }) => versionEntry(after, 'updated', changes, { id: entry, parent_id })),
    ),
  ])
  for (const { before, after } of written) {
    if (before.parent !== after.parent && (await isAboveItself(ctx.db, after.id)))
      throw invalid({ parent: ['A resource cannot be its own ancestor.'] })
    if (moved(before, after)) await updatePaths(ctx, after)
  }
  await publishContainers(
    ctx,
    written.flatMap(({ before, after }) => (after.published && (!before.published || before.parent !== after.parent) ? [after] : [])),
  )
  await recordAddressed(ctx, written)
  await writeEdits(ctx, await publishChildren(ctx, written))
}

/** Columns derived from a field. */
const PLACE = ['title_full', 'cluster', 'database', 'schema']
const FOLLOWING: Record<string, readonly string[]> = {
  title: ['title_cased', ...PLACE],
  parent: PLACE,
  entity_type: PLACE,
  definition: ['definition_version', 'multiplayer_last_modified', 'multiplayer_last_modified_by'],
  archived: ['archived_at'],
  ...Object.fromEntries(OWN_DETAILS.map((name) => [name, ['details']])),
}

const moved = (before: ResourceRow, after: ResourceRow): boolean =>
  before.title_full !== after.title_full ||
  before.database !== after.database ||
  before.schema !== after.schema ||
  before.cluster !== after.cluster

/** Publishing or unpublishing a table does the same to its columns. */
const publishChildren = async (ctx: Context, edits: readonly (Edited & { entry: string })[]): Promise<Edited[]> => {
  const toggled = edits.filter(({ before, after }) => kindOf(after.entity_type).publishes && before.published !== after.published)
  if (toggled.length === 0) return []
  const byId = new Map(toggled.map((each) => [each.after.id, each]))
  const children = await findChildren(ctx.db, [...byId.keys()])
  return children.flatMap((child) => {
    const { after, entry } = byId.get(child.parent!)!
    return kindOf(after.entity_type).publishes === child.entity_type
      ? [{ ...editedTo(child, { ...child, published: after.published }), parent_id: entry }]
      : []
  })
}

/**
 * Loads the parents needed to compute new paths. Only real changes count, since clients may send a whole record back. A rename only reads
 * the parent; a move locks the new one, and other moves in the same trees wait until it is committed.
 */
const findParents = async (
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
  const held = targets.length > 0 ? await holdParents(ctx.db, SYSTEM, targets, { restart: true }) : new Map<string, ResourceRow>()
  for (const target of targets) {
    const parent = held.get(target)
    if (!parent || !canSee(ctx.actor, parent)) throw invalid({ parent: [`Resource ${target} does not exist.`] })
  }
  const stay = [...new Set(renames.flatMap((id) => rows.get(id)!.parent ?? []))]
  const read = stay.length > 0 ? await findRows(ctx.db, SYSTEM, stay) : []
  return new Map([...read, ...held])
}
