import { sql } from 'kysely'
import { openTo, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { conflict, notFound } from '../errors.ts'
import type { ResourceRow } from '../resources/record.ts'
import { partsOf } from '../sync/item.ts'

/** A table as its source names it, with the columns the actor can see. */
export interface PlacedTable {
  readonly id: string
  readonly title: string
  readonly native_type: string | null
  readonly integration: string
  readonly integration_name: string
  readonly preview_enabled: boolean
  readonly row_count: number | null
  /** Flagged itself while none of its columns is: then all columns count as PII. */
  readonly pii: boolean
  readonly path: readonly string[]
  readonly columns: readonly PlacedColumn[]
}

export interface PlacedColumn {
  readonly id: string
  /** The name in the source, regardless of edits here. */
  readonly name: string
  readonly title: string
  readonly native_type: string | null
  readonly pii: boolean
}

type Found = Pick<
  ResourceRow,
  'id' | 'entity_type' | 'parent' | 'title' | 'native_type' | 'integration' | 'row_count' | 'pii' | 'stale'
> & {
  key: string | null
  sort_order: number | null
}

/** Uses the names its own source reported, so that a made-up name cannot reach what the settings of the source exclude. */
const FOUND = sql`r.id, r.entity_type, r.parent, r.title, r.native_type, r.integration, r.row_count, r.pii, r.stale, o.key,
  case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details ->> 'sort_order')::float8 end as sort_order
  from resources r left join resource_origins o on o.resource_id = r.id and o.integration = r.integration and o.gone_at is null`

/** The table, or the table of the column. */
export const placeOf = async (ctx: Context, id: string): Promise<{ table: PlacedTable; only?: string }> => {
  const asked = await findOne(ctx, id)
  if (!asked) throw notFound('resource', id)
  if (asked.entity_type === 'table') return { table: await tableOf(ctx, asked) }
  if (asked.entity_type !== 'column') throw conflict('Only tables and columns have data.')
  const parent = asked.parent ? await findOne(ctx, asked.parent) : undefined
  if (parent?.entity_type !== 'table') throw conflict('This column is not directly below a table you can see.')
  return { table: await tableOf(ctx, parent), only: asked.id }
}

export const placeOfTable = async (ctx: Context, id: string): Promise<PlacedTable> => {
  const asked = await findOne(ctx, id)
  if (asked?.entity_type !== 'table') throw notFound('table', id)
  return tableOf(ctx, asked)
}

const findOne = async (ctx: Context, id: string): Promise<Found | undefined> => {
  const { rows } = await sql<Found>`select ${FOUND} where r.id = ${id} and ${visibleTo(ctx.actor)}`.execute(ctx.db, ctx.limits)
  return rows[0]
}

const tableOf = async (ctx: Context, table: Found): Promise<PlacedTable> => {
  const { id, title, native_type, integration, row_count } = table
  if (!integration) throw conflict('This table does not belong to an integration, so there is no source to query.')
  if (table.stale) throw conflict('This table no longer exists in its source.')
  const path = table.key === null ? undefined : partsOf(table.key)
  if (!path) throw conflict('This table has not been synced from its source, so it cannot be queried.')
  const { rows: open } = await sql<{ name: string; preview_enabled: boolean }>`
    select i.name, i.preview_enabled from integrations i where i.id = ${integration} and ${openTo(ctx.actor, 'i')}
  `.execute(ctx.db)
  const [source] = open
  if (!source) throw conflict('The integration of this table belongs to a team you are not in, so its source cannot be queried.')
  const { rows } = await sql<Found>`
    select ${FOUND} where r.parent = ${id} and r.entity_type = 'column' and not r.stale and ${visibleTo(ctx.actor)} order by sort_order, r.id
  `.execute(ctx.db, ctx.limits)
  const columns = rows.flatMap(({ id, title, native_type, pii, key }) => {
    const name = key === null ? undefined : partsOf(key)?.at(-1)
    return name === undefined ? [] : [{ id, name, title, native_type, pii }]
  })
  const pii = table.pii && !columns.some((column) => column.pii)
  return {
    id,
    title,
    native_type,
    integration,
    integration_name: source.name,
    preview_enabled: source.preview_enabled,
    row_count,
    pii,
    path,
    columns: columns.map((column) => ({ ...column, pii: column.pii || pii })),
  }
}
