import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import type { Db } from '../../platform/db/connect.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { BY_TAG, countByGroup } from '../listing/count-by-group.ts'
import { countResources } from '../listing/list.ts'
import { toCondition } from '../listing/query.ts'
import { removeReferences } from '../records/remove-references.ts'
import type { Tag, TagCreate, TagEdit, TagQuery } from './schema.ts'
import {
  deleteTagRow,
  findTag,
  findTagNamesById,
  findTagsByName,
  insertTag,
  listTagRows,
  lockTag,
  type TagRow,
  updateTag,
} from './tag-rows.ts'

export const listTags = async (ctx: Context, { name }: TagQuery, page: PageRequest) => {
  const tags = await listTagRows(ctx, name, page)
  const counts = await countByGroup(
    ctx,
    BY_TAG,
    tags.results.map(({ id }) => id),
  )
  return mapPage(tags, (row) => ({ ...row, resource_count: counts.get(row.id)! }))
}

export const getTag = async (ctx: Context, id: string): Promise<Tag> => {
  const row = await findTag(ctx.db, id)
  if (!row) throw notFound('tag', id)
  return toTag(ctx, row)
}

export const createTag = (ctx: Context, create: TagCreate): Promise<Tag> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const tag = applyTagEdit({ id: newId(), name: '', description: null, color: null }, create)
    await insertTag(ctx, tag)
    await recordChange(ctx, 'created', tag, {}, tag)
    return { ...(await findTag(ctx.db, tag.id))!, resource_count: 0 }
  })

export const editTag = async (ctx: Context, id: string, edit: TagEdit): Promise<Tag> => {
  await inTransaction(ctx, async (ctx) => {
    const before = await lockTagForEdit(ctx, id)
    const after = applyTagEdit(before, edit)
    if (diffFields(before, after, AUDITED_FIELDS).length === 0) return
    await updateTag(ctx, after)
    await recordChange(ctx, 'updated', after, before, after)
  })
  return getTag(ctx, id) // outside the transaction: counts are cached and shared, and must not include uncommitted changes
}

/** Removes the tag from every resource, including hidden ones: tags belong to the whole workspace. */
export const deleteTag = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const tag = await lockTagForEdit(ctx, id)
    await deleteTagRow(ctx.db, id)
    const entry = await recordChange(ctx, 'deleted', tag, tag, {})
    await removeReferences(ctx, { field: 'tags', id, entry })
  })

const MAX_NAME_LENGTH = 200

/** The IDs of the tags with these names; missing tags are created, with what is known about them. Invalid names are left out. */
export const ensureTags = (
  ctx: Context,
  names: readonly string[],
  known: ReadonlyMap<string, Pick<TagCreate, 'description' | 'color'>> = new Map(),
): Promise<Map<string, string>> =>
  inTransaction(ctx, async (ctx) => {
    const valid = [...new Set(names)].filter((name) => name.trim() !== '' && name.trim().length <= MAX_NAME_LENGTH)
    const found = await findTagsByName(ctx.db, valid)
    const ids = new Map(found.flatMap(({ folded, id }) => (id === null ? [] : [[folded, id] as const])))
    for (const { name, folded } of found)
      if (!ids.has(folded)) ids.set(folded, (await createTag(ctx, { ...known.get(name), name: name.trim() })).id)
    return new Map(found.map(({ name, folded }) => [name, ids.get(folded)!]))
  })

/** Names by tag ID. Unknown IDs are left out. */
export const findTagNames = (db: Db, ids: readonly string[]): Promise<Map<string, string>> => findTagNamesById(db, ids)

/** Uses the same cached, exact count as the catalog list. */
const toTag = async (ctx: Context, row: TagRow): Promise<Tag> => ({
  ...row,
  resource_count: await countResources(ctx, toCondition('exact', 'tags', row.id)[0]!),
})

const lockTagForEdit = async (ctx: Context, id: string): Promise<TagRow> => {
  requirePermission(ctx.actor, 'catalog.write')
  const tag = await lockTag(ctx.db, id)
  if (!tag) throw notFound('tag', id)
  requireIfMatch(ctx, computeEtag(tag))
  return tag
}

type TagFields = Pick<TagRow, 'id' | 'name' | 'description' | 'color'>
const AUDITED_FIELDS = ['name', 'description', 'color']

/** Absent = unchanged, null = cleared. */
const applyTagEdit = <T extends TagFields>(before: T, { name = before.name, description, color }: TagEdit): T => ({
  ...before,
  name: name.trim(),
  description: description === undefined ? before.description : description,
  color: color === undefined ? before.color : (color?.toLowerCase() ?? null),
})

const recordChange = async (ctx: Context, verb: string, { id, name }: TagFields, before: object, after: object): Promise<string> => {
  const entry = newId()
  await recordActivity(ctx, {
    id: entry,
    activity_type: `tag_${verb}`,
    resource_id: id,
    resource_type: 'tag',
    resource_title: name,
    changes: diffFields(before, after, AUDITED_FIELDS),
  })
  return entry
}
