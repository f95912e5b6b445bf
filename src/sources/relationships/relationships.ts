import { sql } from 'kysely'
import { healthSql } from '../../catalog/records/health.ts'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import { findJoins, type Join } from '../../lineage/joins/find-joins.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { type ForeignKey, findForeignKeys, getSourceName } from './foreign-keys.ts'
import type { RelatedTable, Relationship, Relationships } from './schema.ts'

const MAX_TABLES = 200
const MAX_SIBLINGS = 2_000

/**
 * Foreign keys and joins of a table with its neighbours, or between the tables of a schema. Foreign keys that refer to a table are found among
 * the tables of its schema: looking through the whole catalog would be slow.
 */
export const getRelationships = async (ctx: Context, id: string): Promise<Relationships> => {
  const row = (await findVisibleRows(ctx, [id])).get(id)
  if (!row) throw notFound('resource', id)
  const isTable = row.entity_type === 'table'
  const siblings = await findTables(ctx, isTable ? row.parent : id)
  const own = isTable ? [id] : siblings
  const [foreignKeys, joins] = await Promise.all([findForeignKeys(ctx, [...new Set([...siblings, ...own])]), findJoins(ctx, own)])
  const isOwn = new Set(own)
  const found = mergeRelationships(
    foreignKeys.filter(({ from, to }) => isOwn.has(from) || isOwn.has(to)),
    joins,
  )
  const all = sortByRelationships(own, found)
  const shown = all.slice(0, MAX_TABLES)
  const tables = await readTables(ctx, shown)
  const relationships = found.flatMap(({ from, to, columns, ...rest }) => {
    const [one, other] = [tables.get(from), tables.get(to)]
    if (!one || !other) return []
    const ends = columns.map((pair) => ({ from: toEnd(one, pair.from), to: toEnd(other, pair.to) }))
    return [{ ...rest, from, to, columns: ends }]
  })
  const used = new Set(relationships.flatMap(({ columns }) => columns.flatMap(({ from, to }) => [from.id, to.id])))
  return {
    tables: shown.flatMap((table) => {
      const read = tables.get(table)
      return read ? [toRelatedTable(read, used)] : []
    }),
    relationships,
    truncated: all.length > shown.length,
  }
}

/** Columns by their name in the source. */
interface NamedRelationship extends Omit<Relationship, 'columns'> {
  readonly columns: readonly { readonly from: string; readonly to: string }[]
}

/** A join on the columns of a foreign key adds nothing to it. Pure. */
const mergeRelationships = (foreignKeys: readonly ForeignKey[], joins: readonly Join[]): NamedRelationship[] => {
  const keys = foreignKeys.map(
    ({ name, from, to, from_columns, to_columns }): NamedRelationship => ({
      kind: 'foreign_key',
      name,
      from,
      to,
      columns: from_columns.map((column, i) => ({ from: column, to: to_columns[i] ?? '' })),
      queries: null,
    }),
  )
  const keyPairs = new Set(
    keys.flatMap(({ from, to, columns }) =>
      columns.flatMap((pair) => [`${from} ${pair.from} ${to} ${pair.to}`, `${to} ${pair.to} ${from} ${pair.from}`]),
    ),
  )
  return [
    ...keys,
    ...joins
      .filter(({ one, other }) => !keyPairs.has(`${one.table} ${one.title} ${other.table} ${other.title}`))
      .map(
        ({ one, other, queries }): NamedRelationship => ({
          kind: 'join',
          name: null,
          from: one.table,
          to: other.table,
          columns: [{ from: one.title, to: other.title }],
          queries,
        }),
      ),
  ]
}

/** The tables themselves and those they are related to, the most related first. Pure. */
const sortByRelationships = (own: readonly string[], found: readonly NamedRelationship[]): string[] => {
  const counts = new Map(own.map((table) => [table, 0]))
  for (const { from, to } of found) for (const table of new Set([from, to])) counts.set(table, (counts.get(table) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([table]) => table)
}

const findTables = async (ctx: Context, parent: string | null): Promise<string[]> => {
  if (parent === null) return []
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.parent = ${parent} and r.entity_type = 'table' and not r.stale and ${visibleTo(ctx.actor)}
    order by r.title, r.id limit ${MAX_SIBLINGS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => id)
}

interface ReadColumn {
  readonly id: string
  readonly title: string
  readonly key: string | null
  readonly type: string | null
  readonly is_pk: boolean
}
interface ReadTable extends Omit<RelatedTable, 'columns'> {
  readonly columns: readonly ReadColumn[]
}

const readTables = async (ctx: Context, ids: readonly string[]): Promise<Map<string, ReadTable>> => {
  const { rows } = await sql<ReadTable>`
    select r.id, r.title, r.title_full, ${healthSql(ctx.actor)} as health, r.deprecation is not null as deprecated, r.verified, coalesce((
      select json_agg(json_build_object('id', c.id, 'title', c.title, 'key', o.key, 'type', c.native_type,
        'is_pk', coalesce(c.details -> 'is_pk' = 'true', false)) 
        order by case when jsonb_typeof(c.details -> 'sort_order') = 'number' then (c.details -> 'sort_order')::numeric end, c.id)
      from resources c left join resource_origins o on o.resource_id = c.id
      where c.parent = r.id and c.entity_type = 'column' and not c.stale and ${visibleTo(ctx.actor, 'c')}
    ), '[]'::json) as columns
    from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

const toEnd = ({ columns }: ReadTable, name: string) => {
  const column = columns.find(({ title, key }) => getSourceName(title, key) === name) ?? columns.find(({ title }) => title === name)
  return { id: column?.id ?? null, title: column?.title ?? name }
}

const toRelatedTable = ({ columns, ...table }: ReadTable, used: ReadonlySet<string | null>): RelatedTable => ({
  ...table,
  columns: columns.filter(({ id, is_pk }) => is_pk || used.has(id)).map(({ id, title, type, is_pk }) => ({ id, title, type, is_pk })),
})
