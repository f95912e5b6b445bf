import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import type { RowState, VersionedRowState } from '../../platform/db/row-versions.ts'
import { getRecordPermissions, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import type { HealthStatus } from '../records/health.ts'
import { hideOtherBookmarks, type ResourceRow, toResource, toSharedRecord } from '../records/record.ts'
import type { RenderedRecord } from '../records/record-cache.ts'
import { childrenCountSql } from '../records/resource-rows.ts'
import type { Resource } from '../records/schema.ts'
import { findHealth } from './health.ts'

export const getResource = async (ctx: Context, id: string, entity_type?: string): Promise<Resource> => {
  const { rows } = await sql<ResourceRow & { visible_children: number }>`
    select r.*, ${childrenCountSql(ctx.actor, 'r')} as visible_children from resources r where r.id = ${id} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db)
  const row = rows[0]
  if (!row || (entity_type && row.entity_type !== entity_type)) throw notFound(entity_type?.replaceAll('_', ' ') ?? 'resource', id)
  return toResource(ctx.actor, row, ctx.workspace_id, row.visible_children)
}

export const getResourceWithHealth = async (ctx: Context, id: string, entity_type?: string): Promise<Resource> => {
  const [record, health] = await Promise.all([getResource(ctx, id, entity_type), findHealth(ctx, [id])])
  return { ...record, health: health.get(id) ?? 'unknown' }
}

/** Row state of a resource, for `getResourceJson`. */
export const findRowState = ({ runtime }: Pick<Context, 'runtime'>, id: string): Promise<VersionedRowState | undefined> =>
  runtime.rowVersions.resource(id)

/** One record as JSON text. Its row state is prefetched. */
export const getResourceJson = async (
  ctx: Context,
  id: string,
  prefetched: Promise<VersionedRowState | undefined>,
): Promise<{ text: string; version: number }> => {
  if (!seesEverything(ctx.actor)) {
    const record = await getResource(ctx, id)
    return { text: JSON.stringify(record), version: record.version }
  }
  const state = await prefetched
  const [text] = state ? await renderRecords(ctx, [state]) : []
  if (!state || text === undefined) throw notFound('resource', id)
  return { text, version: state.version }
}

/** These rows as JSON text, in order, with their health if it is given. Rows deleted in the meantime are left out. */
export const renderRecords = async (
  ctx: Context,
  rows: readonly RowState[],
  health?: ReadonlyMap<string, HealthStatus>,
): Promise<string[]> => {
  const cache = ctx.runtime.caches.records
  // Held here because the cache may evict entries while the others are read.
  const cached = new Map(rows.map(({ id, row_version }) => [id, cache.find(id, row_version)]))
  const missing = rows.filter(({ id }) => cached.get(id) === undefined)
  const rendered = missing.length === 0 ? undefined : await renderMissing(ctx, missing)
  const end = `,"current_user_permissions":${JSON.stringify(getRecordPermissions(ctx.actor))}}`
  return rows.flatMap(({ id, children_count }) => {
    const record = rendered?.get(id) ?? cached.get(id)
    if (!record) return []
    const bookmarks = JSON.stringify(hideOtherBookmarks(ctx.actor, record.bookmarked_by))
    const status = health ? `,"health":"${health.get(id) ?? 'unknown'}"` : ''
    return [`${record.text},"bookmarked_by":${bookmarks},"children_count":${children_count}${status}${end}`]
  })
}

const renderMissing = async (ctx: Context, states: readonly RowState[]): Promise<Map<string, RenderedRecord>> => {
  const cache = ctx.runtime.caches.records
  const { rows } = await sql<ResourceRow & { row_version: string }>`
    select r.*, r.xmin::text as row_version from resources r where r.id = any(${states.map(({ id }) => id)}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(
    rows.map((row) => {
      const text = JSON.stringify(toSharedRecord(row, ctx.workspace_id)).slice(0, -1)
      const rendered = { row_version: row.row_version, text, bookmarked_by: row.bookmarked_by }
      // Not cached inside a transaction: the row can still change without getting another xmin.
      if (!ctx.in_transaction) cache.set(row.id, rendered)
      return [row.id, rendered]
    }),
  )
}
