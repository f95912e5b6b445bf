import { type Selectable, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Db } from '../../platform/db/connect.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { TagsTable } from '../../platform/db/tables/catalog.ts'
import { rejectDuplicate } from '../../platform/db/unique-violation.ts'
import { asc, orderByName } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'

/** SQL of tags. */
export type TagRow = Selectable<TagsTable>

export const listTagRows = (ctx: Context, name: string | undefined, page: PageRequest) =>
  readPage<TagRow>(ctx, page, {
    select: sql`t.*`,
    from: sql`tags t`,
    where: name ? sql`strpos(lower(t.name), lower(${name})) > 0` : sql`true`,
    order: [orderByName('t.name'), asc('id', 't.id')],
  })

export const findTag = (db: Db, id: string): Promise<TagRow | undefined> =>
  db.selectFrom('tags').selectAll().where('id', '=', id).executeTakeFirst()

export const lockTag = (db: Db, id: string): Promise<TagRow | undefined> =>
  db.selectFrom('tags').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

type TagFields = Pick<TagRow, 'id' | 'name' | 'description' | 'color'>

export const insertTag = (ctx: Context, { id, name, description, color }: TagFields): Promise<unknown> =>
  rejectDuplicate(
    ctx.db.insertInto('tags').values({ id, name, description, color, created_at: ctx.now, updated_at: ctx.now }).execute(),
    alreadyExists(name),
    'name',
  )

export const updateTag = (ctx: Context, { id, name, description, color }: TagFields): Promise<unknown> =>
  rejectDuplicate(
    ctx.db
      .updateTable('tags')
      .set({ name, description, color, updated_at: nextUpdatedAtSql(ctx.now) })
      .where('id', '=', id)
      .execute(),
    alreadyExists(name),
    'name',
  )

export const deleteTagRow = (db: Db, id: string) => db.deleteFrom('tags').where('id', '=', id).execute()

/** The names of these tags, by ID. */
export const findTagNamesById = async (db: Db, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`select id, name from tags where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The IDs of the tags with these names, by lowercase name. */
export const findTagIdsByName = async (db: Db, names: readonly string[]): Promise<Map<string, string>> => {
  if (names.length === 0) return new Map()
  const normalized = names.map((name) => name.trim().toLowerCase())
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from tags where lower(name) = any(${normalized}::text[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
}

const alreadyExists = (name: string) => translatable('A tag named {name} already exists.', { name })
