import { sql } from 'kysely'
import { permissionsOn, seesEverything, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Shown, Stamp } from '../db/row-versions.ts'
import { notFound } from '../errors.ts'
import { ownBookmark, type ResourceRow, sharedPart, toResource } from './record.ts'
import type { Rendered } from './record-cache.ts'
import type { Resource } from './schema.ts'
import { childrenSql } from './store.ts'

export const readResource = async (ctx: Context, id: string, entity_type?: string): Promise<Resource> => {
  const { rows } = await sql<ResourceRow & { visible_children: number }>`
    select r.*, ${childrenSql(ctx.actor, 'r')} as visible_children from resources r where r.id = ${id} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db)
  const row = rows[0]
  if (!row || (entity_type && row.entity_type !== entity_type)) throw notFound(entity_type?.replaceAll('_', ' ') ?? 'resource', id)
  return toResource(ctx.actor, row, ctx.workspace_id, row.visible_children)
}

/** Row state of a resource, for `getResourceJson`. */
export const stampOf = ({ runtime }: Pick<Context, 'runtime'>, id: string): Promise<Stamp | undefined> => runtime.rowVersions.resource(id)

/** One record as JSON text. Its row state is prefetched. */
export const readResourceText = async (
  ctx: Context,
  id: string,
  ahead: Promise<Stamp | undefined>,
): Promise<{ text: string; version: number }> => {
  if (!seesEverything(ctx.actor)) {
    const record = await readResource(ctx, id)
    return { text: JSON.stringify(record), version: record.version }
  }
  const shown = await ahead
  const [text] = shown ? await renderRecords(ctx, [shown]) : []
  if (!shown || text === undefined) throw notFound('resource', id)
  return { text, version: shown.version }
}

/** These rows as JSON text, in order. Rows deleted in the meantime are left out. */
export const renderRecords = async (ctx: Context, rows: readonly Shown[]): Promise<string[]> => {
  const cache = ctx.runtime.caches.records
  // Held here because the cache may evict entries while the others are read.
  const known = new Map(rows.map(({ id, stamp }) => [id, cache.find(id, stamp)]))
  const missing = rows.filter(({ id }) => known.get(id) === undefined)
  const rendered = missing.length === 0 ? undefined : await render(ctx, missing)
  const end = `,"current_user_permissions":${JSON.stringify(permissionsOn(ctx.actor))}}`
  return rows.flatMap(({ id, children_count }) => {
    const record = rendered?.get(id) ?? known.get(id)
    if (!record) return []
    const bookmarks = JSON.stringify(ownBookmark(ctx.actor, record.bookmarked_by))
    return [`${record.text},"bookmarked_by":${bookmarks},"children_count":${children_count}${end}`]
  })
}

const render = async (ctx: Context, wanted: readonly Shown[]): Promise<Map<string, Rendered>> => {
  const cache = ctx.runtime.caches.records
  const { rows } = await sql<ResourceRow & { stamp: string }>`
    select r.*, r.xmin::text as stamp from resources r where r.id = any(${wanted.map(({ id }) => id)}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(
    rows.map((row) => {
      const text = JSON.stringify(sharedPart(row, ctx.workspace_id)).slice(0, -1)
      const rendered = { stamp: row.stamp, text, bookmarked_by: row.bookmarked_by }
      // Not cached inside a transaction: the row can still change without getting another xmin.
      if (!ctx.in_transaction) cache.keep(row.id, rendered)
      return [row.id, rendered]
    }),
  )
}
