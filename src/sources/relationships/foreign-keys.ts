import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { buildItemKey, splitItemKey } from '../sync/item.ts'

/** A foreign key between two tables of the catalog that the caller can see. Columns are named as in the source. */
export interface ForeignKey {
  readonly name: string | null
  readonly from: string
  readonly from_columns: readonly string[]
  readonly to: string
  readonly to_columns: readonly string[]
}

interface TableRow {
  readonly id: string
  readonly integration: string
  readonly key: string
  readonly foreign_keys: unknown
}

/** The foreign keys of these tables, as their sources reported them. Keys to tables that are not in the catalog are left out. */
export const findForeignKeys = async (ctx: Context, tables: readonly string[]): Promise<ForeignKey[]> => {
  const { rows } = await sql<TableRow>`
    select r.id, o.integration, o.key, r.display_metadata -> 'foreign_keys' as foreign_keys
    from resources r join resource_origins o on o.resource_id = r.id
    where r.id = any(${tables}::uuid[]) and jsonb_typeof(r.display_metadata -> 'foreign_keys') = 'array' and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  const reported = rows.flatMap((row) => (row.foreign_keys as unknown[]).flatMap((each) => parseForeignKey(row, each) ?? []))
  if (reported.length === 0) return []
  const found = await sql<{ integration: string; key: string; id: string }>`
    select distinct o.integration, o.key, r.id
    from unnest(${reported.map(({ integration }) => integration)}::uuid[], ${reported.map(({ key }) => key)}::text[]) k(integration, key)
    join resource_origins o on o.integration = k.integration and o.key = k.key join resources r on r.id = o.resource_id
    where ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  const ids = new Map(found.rows.map(({ integration, key, id }) => [`${integration} ${key}`, id]))
  return reported.flatMap(({ integration, key, ...foreignKey }) => {
    const to = ids.get(`${integration} ${key}`)
    return to ? [{ ...foreignKey, to }] : []
  })
}

/** Sources name the other table relative to the table itself: `customers`, or `shop.customers` for one in another schema. */
const parseForeignKey = ({ id, integration, key }: TableRow, value: unknown) => {
  const { name, columns, table, to, references, referenced_columns } = (value ?? {}) as Record<string, unknown>
  const target = typeof references === 'string' ? buildItemKey(references) : findTargetKey(key, table)
  if (target === undefined) return undefined
  return {
    name: typeof name === 'string' ? name : null,
    from: id,
    from_columns: toNames(columns),
    to_columns: toNames(to ?? referenced_columns),
    integration,
    key: target,
  }
}

const findTargetKey = (key: string, table: unknown): string | undefined => {
  const own = splitItemKey(key)
  if (own === undefined || typeof table !== 'string') return undefined
  const parts = table.split('.').map((part) => part.replace(/^"(.*)"$/s, '$1'))
  return parts.length > own.length ? undefined : buildItemKey(...own.slice(0, own.length - parts.length), ...parts)
}

const toNames = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])

/** Its name in the source: the title can be edited. */
export const getSourceName = (title: string, key: string | null): string => (key && splitItemKey(key)?.at(-1)) ?? title
