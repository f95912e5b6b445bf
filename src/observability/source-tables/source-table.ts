import { sql } from 'kysely'
import type { ResourceRow } from '../../catalog/records/record.ts'
import type { Context } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import { splitItemKey } from '../../sources/sync/item.ts'

/** A table as its source names it, with the columns the actor can see. */
export interface SourceTable {
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
  readonly columns: readonly SourceColumn[]
}

export interface SourceColumn {
  readonly id: string
  /** The name in the source, regardless of edits here. */
  readonly name: string
  readonly title: string
  readonly native_type: string | null
  readonly pii: boolean
}

type FoundResource = Pick<
  ResourceRow,
  'id' | 'entity_type' | 'parent' | 'title' | 'native_type' | 'integration' | 'row_count' | 'pii' | 'stale'
> & {
  key: string | null
  sort_order: number | null
}

/** Uses the names its own source reported, so that a made-up name cannot reach what the settings of the source exclude. */
const FOUND_SQL = sql`r.id, r.entity_type, r.parent, r.title, r.native_type, r.integration, r.row_count, r.pii, r.stale, o.key,
  case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details ->> 'sort_order')::float8 end as sort_order
  from resources r left join resource_origins o on o.resource_id = r.id and o.integration = r.integration and o.gone_at is null`

/** The table, or the table of the column. */
export const getSourceTable = async (ctx: Context, id: string): Promise<{ table: SourceTable; only?: string }> => {
  const resource = await findResource(ctx, id)
  if (!resource) throw notFound('resource', id)
  if (resource.entity_type === 'table') return { table: await toSourceTable(ctx, resource) }
  if (resource.entity_type !== 'column') throw conflict('This resource is neither a table nor a column, so it has no data to read.')
  const parent = resource.parent ? await findResource(ctx, resource.parent) : undefined
  if (parent?.entity_type !== 'table') throw conflict('This column is not directly below a table you can see.')
  return { table: await toSourceTable(ctx, parent), only: resource.id }
}

export const getSourceTableById = async (ctx: Context, id: string): Promise<SourceTable> => {
  const resource = await findResource(ctx, id)
  if (resource?.entity_type !== 'table') throw notFound('table', id)
  return toSourceTable(ctx, resource)
}

const findResource = async (ctx: Context, id: string): Promise<FoundResource | undefined> => {
  const { rows } = await sql<FoundResource>`select ${FOUND_SQL} where r.id = ${id} and ${visibleTo(ctx.actor)}`.execute(ctx.db, ctx.limits)
  return rows[0]
}

const toSourceTable = async (ctx: Context, table: FoundResource): Promise<SourceTable> => {
  const { id, title, native_type, integration, row_count } = table
  if (!integration) throw conflict(translatable('This table does not belong to an integration, so there is no source to query.'))
  if (table.stale) throw conflict(translatable('This table no longer exists in its source.'))
  const path = table.key === null ? undefined : splitItemKey(table.key)
  if (!path) throw conflict(translatable('This table has not been synced from its source, so it cannot be queried.'))
  const { rows: open } = await sql<{ name: string; preview_enabled: boolean }>`
    select i.name, i.preview_enabled from integrations i where i.id = ${integration} and ${integrationsVisibleTo(ctx.actor, 'i')}
  `.execute(ctx.db)
  const [source] = open
  if (!source)
    throw conflict(translatable('The integration of this table belongs to a team you are not in, so its source cannot be queried.'))
  const { rows } = await sql<FoundResource>`
    select ${FOUND_SQL} where r.parent = ${id} and r.entity_type = 'column' and not r.stale and ${visibleTo(ctx.actor)} order by sort_order, r.id
  `.execute(ctx.db, ctx.limits)
  const columns = rows.flatMap(({ id, title, native_type, pii, key }) => {
    const name = key === null ? undefined : splitItemKey(key)?.at(-1)
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
