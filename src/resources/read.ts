import { sql } from 'kysely'
import { type Actor, permissionsOn, seesEverything, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { batched } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { notFound } from '../errors.ts'
import { type ResourceRow, sharedPart, toResource } from './record.ts'
import { RecordCache } from './record-cache.ts'
import type { Resource } from './schema.ts'
import { visibleChildren } from './store.ts'

export const readResource = async (ctx: Context, id: string, entity_type?: string): Promise<Resource> => {
  const { rows } = await sql<ResourceRow & { visible_children: number }>`
    select r.*, ${childrenSql(ctx.actor)} as visible_children from resources r where r.id = ${id} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db)
  const row = rows[0]
  if (!row || (entity_type && row.entity_type !== entity_type)) throw notFound(entity_type ?? 'resource', id)
  return toResource(ctx.actor, row, ctx.workspace_id, row.visible_children)
}

const childrenSql = (actor: Actor) => (seesEverything(actor) ? sql`r.children_count` : visibleChildren(actor, 'r'))

/** A row to be shown: which one, in which version, and how many of its children the caller sees. */
export interface Shown {
  readonly id: string
  readonly stamp: string
  readonly children_count: string
}

/** One record as JSON text. Reads that come together are looked up together. */
export const readResourceText = async (ctx: Context, id: string): Promise<{ text: string; version: number }> => {
  if (!seesEverything(ctx.actor)) {
    const record = await readResource(ctx, id)
    return { text: JSON.stringify(record), version: record.version }
  }
  const shown = await ctx.memory.of(Stamps).find(ctx.db, id)
  const [text] = shown ? await renderRecords(ctx, [shown]) : []
  if (!shown || text === undefined) throw notFound('resource', id)
  return { text, version: shown.version }
}

class Stamps {
  #lookUp?: (id: string) => Promise<(Shown & { version: number }) | undefined>

  find(db: Db, id: string) {
    this.#lookUp ??= batched(async (ids) => {
      const { rows } = await sql<Shown & { version: number }>`
        select id, xmin::text as stamp, children_count::text, version from resources where id = any(${ids}::uuid[])
      `.execute(db)
      return new Map(rows.map((row) => [row.id, row]))
    })
    return this.#lookUp(id)
  }
}

/** These rows as JSON text, in their order. One that went away in between is left out. */
export const renderRecords = async (ctx: Context, rows: readonly Shown[]): Promise<string[]> => {
  const cache = ctx.memory.of(RecordCache)
  const missing = rows.filter(({ id, stamp }) => cache.find(id, stamp) === undefined)
  const rendered = missing.length === 0 ? undefined : await render(ctx, missing)
  const end = `,"current_user_permissions":${JSON.stringify(permissionsOn(ctx.actor))}}`
  return rows.flatMap(({ id, stamp, children_count }) => {
    const text = rendered?.get(id) ?? cache.find(id, stamp)
    return text === undefined ? [] : [`${text},"children_count":${children_count}${end}`]
  })
}

const render = async (ctx: Context, wanted: readonly Shown[]): Promise<Map<string, string>> => {
  const cache = ctx.memory.of(RecordCache)
  const { rows } = await sql<ResourceRow & { stamp: string }>`
    select r.*, r.xmin::text as stamp from resources r where r.id = any(${wanted.map(({ id }) => id)}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(
    rows.map((row) => {
      const text = JSON.stringify(sharedPart(row, ctx.workspace_id)).slice(0, -1)
      // Inside a transaction the same version can still change, so it is not worth remembering.
      if (!ctx.in_transaction) cache.keep(row.id, row.stamp, text)
      return [row.id, text]
    }),
  )
}
