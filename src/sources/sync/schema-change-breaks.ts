import { sql } from 'kysely'
import { findBriefs, type ResourceBrief } from '../../catalog/listing/brief.ts'
import type { Context } from '../../platform/context/context.ts'
import type { EventPayloads } from '../../platform/history/events.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'

type Broken = NonNullable<EventPayloads['schema_changed']['breaks']>

/**
 * What these entries of the schema history of a table may break, as its event says, nearest first: tables instead of their columns. Cut to what
 * the caller can see.
 */
export const findBreaks = async (
  ctx: Context,
  table_id: string,
  entries: readonly { readonly id: string; readonly at: string }[],
): Promise<ReadonlyMap<string, readonly ResourceBrief[]>> => {
  if (entries.length === 0) return new Map()
  const { rows } = await sql<{ entry: string; breaks: Broken }>`
    select e.payload ->> 'schema_change' as entry, e.payload -> 'breaks' as breaks from activities e
    where e.resource_id = ${table_id} and e.activity_type = 'schema_changed' and e.logged_at >= ${entries.at(-1)!.at}::timestamptz
      and e.payload ->> 'schema_change' = any(${entries.map(({ id }) => id)}::text[]) and jsonb_array_length(e.payload -> 'breaks') > 0
  `.execute(ctx.db, ctx.limits)
  const broken = rows.flatMap(({ breaks }) => breaks)
  const visible = await findVisible(
    ctx,
    broken.map(({ id }) => id),
  )
  const tables = new Set(broken.flatMap(({ id, table_id }) => (visible.has(id) ? [table_id] : [])))
  const briefs = new Map((await findBriefs(ctx, [...tables])).map((brief) => [brief.id, brief]))
  return new Map(
    rows.map(({ entry, breaks }) => {
      const ids = new Set(breaks.flatMap(({ id, table_id }) => (visible.has(id) ? [table_id] : [])))
      return [entry, [...ids].flatMap((id) => briefs.get(id) ?? [])]
    }),
  )
}

const findVisible = async (ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.id = any(${[...new Set(ids)]}::uuid[]) and ${visibleTo(ctx.actor)}`.execute(ctx.db, ctx.limits)
  return new Set(rows.map(({ id }) => id))
}
