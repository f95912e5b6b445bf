import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import type { Db } from '../db/connect.ts'
import { notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { diff } from '../history/diff.ts'
import { recordActivity } from '../history/record.ts'
import { newId } from '../id.ts'
import type { PageRequest } from '../lists/page.ts'
import { mapPage } from '../lists/read-page.ts'
import { BY_TAG, countEach } from '../resources/count-each.ts'
import { countResources } from '../resources/list.ts'
import { leaf } from '../resources/query.ts'
import { takeOff } from '../resources/take-off.ts'
import type { Tag, TagCreate, TagEdit, TagQuery } from './schema.ts'
import { findIds, findNames, findTag, insertTag, listRows, lockTag, removeRow, type TagRow, updateTag } from './store.ts'

export const listTags = async (ctx: Context, { name }: TagQuery, page: PageRequest) => {
  const tags = await listRows(ctx, name, page)
  const counts = await countEach(
    ctx,
    BY_TAG,
    tags.results.map(({ id }) => id),
  )
  return mapPage(tags, (row) => ({ ...row, resource_count: counts.get(row.id)! }))
}

export const readTag = async (ctx: Context, id: string): Promise<Tag> => {
  const row = await findTag(ctx.db, id)
  if (!row) throw notFound('tag', id)
  return toTag(ctx, row)
}

export const createTag = (ctx: Context, create: TagCreate): Promise<Tag> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const tag = applyEdit({ id: newId(), name: '', description: null, color: null }, create)
    await insertTag(ctx, tag)
    await tell(ctx, 'created', tag, {}, tag)
    return { ...(await findTag(ctx.db, tag.id))!, resource_count: 0 }
  })

export const editTag = async (ctx: Context, id: string, edit: TagEdit): Promise<Tag> => {
  await inTransaction(ctx, async (ctx) => {
    const before = await lock(ctx, id)
    const after = applyEdit(before, edit)
    if (diff(before, after, TOLD).length === 0) return
    await updateTag(ctx, after)
    await tell(ctx, 'updated', after, before, after)
  })
  return readTag(ctx, id) // outside the transaction: counts are cached and shared, and must not include uncommitted changes
}

/** Removes the tag from every resource, including hidden ones: tags belong to the whole workspace. */
export const removeTag = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const tag = await lock(ctx, id)
    await removeRow(ctx.db, id)
    const entry = await tell(ctx, 'deleted', tag, tag, {})
    await takeOff(ctx, { field: 'tags', id, entry })
  })

const LONGEST_NAME = 200

/** The IDs of the tags with these names; missing tags are created. Invalid names are left out. */
export const ensureTags = (ctx: Context, names: readonly string[]): Promise<Map<string, string>> =>
  inTransaction(ctx, async (ctx) => {
    const wanted = [...new Set(names)].filter((name) => name.trim() !== '' && name.trim().length <= LONGEST_NAME)
    const known = await findIds(ctx.db, wanted)
    for (const name of wanted) if (!known.has(folded(name))) known.set(folded(name), (await createTag(ctx, { name: name.trim() })).id)
    return new Map(wanted.map((name) => [name, known.get(folded(name))!]))
  })

const folded = (name: string): string => name.trim().toLowerCase()

/** Names by tag ID. Unknown IDs are left out. */
export const namesOfTags = (db: Db, ids: readonly string[]): Promise<Map<string, string>> => findNames(db, ids)

/** Uses the same cached, exact count as the catalog list. */
const toTag = async (ctx: Context, row: TagRow): Promise<Tag> => ({
  ...row,
  resource_count: await countResources(ctx, leaf('exact', 'tags', row.id)[0]!),
})

const lock = async (ctx: Context, id: string): Promise<TagRow> => {
  mustBeAble(ctx.actor, 'catalog.write')
  const tag = await lockTag(ctx.db, id)
  if (!tag) throw notFound('tag', id)
  mustMatch(ctx, etagOf(tag))
  return tag
}

type Written = Pick<TagRow, 'id' | 'name' | 'description' | 'color'>
const TOLD = ['name', 'description', 'color']

/** Absent = unchanged, null = cleared. */
const applyEdit = <T extends Written>(before: T, { name = before.name, description, color }: TagEdit): T => ({
  ...before,
  name: name.trim(),
  description: description === undefined ? before.description : description,
  color: color === undefined ? before.color : (color?.toLowerCase() ?? null),
})

const tell = async (ctx: Context, verb: string, { id, name }: Written, before: object, after: object): Promise<string> => {
  const entry = newId()
  await recordActivity(ctx, {
    id: entry,
    activity_type: `tag_${verb}`,
    resource_id: id,
    resource_type: 'tag',
    resource_title: name,
    changes: diff(before, after, TOLD),
  })
  return entry
}
