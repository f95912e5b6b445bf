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

interface NamedTag {
  readonly name: string
  /** Equal for names that differ in case only. */
  readonly folded: string
  /** The tag with this name. */
  readonly id: string | null
}

/**
 * The tags with these names, regardless of case. Only the database folds them, as for the unique index: its lower case of `İ` or a final `Σ`, and in some
 * locales of every letter beyond ASCII, is another than that of JavaScript.
 */
export const findTagsByName = async (db: Db, names: readonly string[]): Promise<NamedTag[]> => {
  if (names.length === 0) return []
  const { rows } = await sql<NamedTag & { n: number }>`
    select w.n, lower(w.name) as folded, t.id from unnest(${names.map((name) => name.trim())}::text[]) with ordinality w (name, n)
    left join tags t on lower(t.name) = lower(w.name) order by w.n
  `.execute(db)
  return rows.map(({ n, folded, id }) => ({ name: names[n - 1]!, folded, id }))
}

/** The IDs of the tags with these names, regardless of case, by the name as given. */
export const findTagIdsByName = async (db: Db, names: readonly string[]): Promise<Map<string, string>> =>
  new Map((await findTagsByName(db, names)).flatMap(({ name, id }) => (id === null ? [] : [[name, id] as const])))

const alreadyExists = (name: string) => translatable('A tag named {name} already exists.', { name })
