import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'
import { PROPERTY_FIELD_PREFIX } from '../properties/property-rows.ts'
import { healthSql, knownHealthSql, statusSql } from '../records/health.ts'
import { COLUMN_FACETS, type ColumnFacet } from './facet-selection.ts'

/** The resources to count. */
export type FacetSource = ListedResources | ResourcesWithWords | AllResources
interface ListedResources {
  readonly ids: readonly string[]
  /** If there may be more. */
  readonly limit?: number
}
interface ResourcesWithWords {
  /** Their IDs (`id`), more than `limit` if there are more. */
  readonly matches: RawBuilder<unknown>
  readonly limit: number
}
/** Without words. */
interface AllResources extends ResourcesWithWords {
  /** The condition on `r`. */
  readonly where: RawBuilder<boolean>
}

const idsSql = (source: FacetSource): RawBuilder<unknown> =>
  'ids' in source ? sql`select i.id from unnest(${source.ids}::uuid[]) i (id)` : source.matches

export interface CountRow {
  readonly facet: string
  readonly value: string
  readonly count: number
}
/** A row with this as its facet has the number of matches. */
export const TOTAL = 'all'

/** Some facets of the resources `m`: tables to count them from, and rows. */
export interface FacetPart {
  readonly tables: RawBuilder<unknown>
  readonly rows: RawBuilder<unknown>
}

export const runParts = async (ctx: Context, source: FacetSource, parts: readonly FacetPart[]): Promise<readonly CountRow[]> => {
  const { rows } = await sql<CountRow>`
    with m as materialized (${idsSql(source)}), ${sql.join(parts.map(({ tables }) => tables))}
    select ${TOTAL} as facet, '' as value, count(*) as count from m ${sql.join(
      parts.map((part) => part.rows),
      sql` `,
    )}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Most matches have the same values as others, so each combination is counted first. */
export const columnsPart = (names: readonly string[]): FacetPart => {
  const columns = sql.join(COLUMN_FACETS.map((name) => sql.ref(`r.${name}`)))
  return {
    tables: sql`c as materialized (select ${columns}, count(*) as n from m join resources r on r.id = m.id group by ${columns})`,
    rows: sql.join(
      names.map((name) => sql`union all ${columnValuesSql(name as ColumnFacet)}`),
      sql` `,
    ),
  }
}

const LIST_COLUMNS: readonly ColumnFacet[] = ['owners', 'tags', 'terms', 'teams', 'collections']

const columnValuesSql = (name: ColumnFacet): RawBuilder<unknown> => {
  if (LIST_COLUMNS.includes(name))
    return sql`select ${name} as facet, u.value::text, sum(c.n)::bigint as count from c, unnest(c.${sql.ref(name)}) u (value) group by 2`
  return sql`select ${name} as facet, ${sql.ref(name)}::text as value, sum(c.n)::bigint as count from c where ${sql.ref(name)} is not null group by 2`
}

/** Of many matches only the few with a status are looked up. The others are unknown. Materialized: computed once, not for every row. */
export const healthPart = (actor: Actor, few = false): FacetPart => ({
  tables: few
    ? sql`h as materialized (select ${healthSql(actor)} as health from m join resources r on r.id = m.id)`
    : sql`k as materialized (${knownHealthSql(actor)}), h as materialized (select ${statusSql(sql`k.severity`)} as health from k join m on m.id = k.id)`,
  rows: sql`
    union all select 'health', health, count(*) from h group by 2
    union all select 'health', 'unknown', (select count(*) from m) - (select count(*) from h)`,
})

/** So many values are counted in less than a tenth of a second; only searches without words have more. */
export const MAX_COUNTED_VALUES = 50_000

export const propertiesPart = (source: FacetSource, names: readonly string[]): FacetPart => ({
  tables: sql`v as materialized (${propertyValuesSql(source, names)})`,
  rows: sql`union all select v.facet, v.value, count(*) from v group by 1, 2`,
})

const propertyValuesSql = (source: FacetSource, names: readonly string[]): RawBuilder<unknown> => {
  const [matches, condition] =
    'where' in source ? [sql`resources`, sql`and ${source.where} limit ${sql.lit(MAX_COUNTED_VALUES + 1)}`] : [sql`m`, sql``]
  return sql`
    select ${PROPERTY_FIELD_PREFIX} || v.property_id as facet, i.value
    from property_values v join ${matches} r on r.id = v.resource_id, unnest(coalesce(v.items, array[v.value])) i (value)
    where v.property_id = any(${names.map((name) => name.slice(PROPERTY_FIELD_PREFIX.length))}::uuid[]) ${condition}`
}
