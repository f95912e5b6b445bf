import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findBriefs } from '../listing/brief.ts'
import { listProperties, PROPERTY_FIELD_PREFIX, type PropertyRow } from '../properties/property-rows.ts'
import type { ValueType } from '../properties/value-types.ts'
import { healthSql, knownHealthSql, statusSql } from '../records/health.ts'
import { findTagNames } from '../tags/tags.ts'
import { COLUMN_FACETS, type ColumnFacet, type FacetSelection, FLAG_FACETS } from './facet-selection.ts'
import type { Facet } from './schema.ts'

/** Facets of a search: fields to filter by, with the number of matches per value. */
type Facets = Readonly<Record<string, Facet>>
const MAX_FACET_VALUES = 50

/** The resources to count: a list of IDs, or a condition on `r`, at most `limit` of them. */
export type FacetSource = { readonly ids: readonly string[] } | { readonly where: RawBuilder<boolean>; readonly limit?: number }
/** The matches, as if nothing were selected in the facet `but`. */
export type FindSource = (but?: string) => Promise<FacetSource>

const conditionSql = (matches: FacetSource): RawBuilder<boolean> =>
  'ids' in matches ? sql<boolean>`r.id = any(${matches.ids}::uuid[])` : matches.where
const limitSql = (limit: number | undefined): RawBuilder<unknown> => (limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`)
const limitOf = (matches: FacetSource): number | undefined => ('limit' in matches ? matches.limit : undefined)
const isEmpty = (matches: FacetSource): boolean => 'ids' in matches && matches.ids.length === 0

interface CountRow {
  readonly facet: string
  readonly value: string
  readonly count: number
}
/** Returns a row with the number of counted rows as `TOTAL`, too. */
type CountValues = (matches: FacetSource, names: readonly string[]) => Promise<readonly CountRow[]>

interface Counted {
  readonly count: number
  /** Whether there are more matches than were counted. */
  readonly capped: boolean
  readonly facets: Facets
}

const TOTAL = 'all'

/** Counts the values of each facet. One with selected values is counted as if nothing were selected in it. */
const countEach = async (
  names: readonly string[],
  selection: FacetSelection,
  find: FindSource,
  countValues: CountValues,
  limit = limitOf,
): Promise<Counted> => {
  const facets: Record<string, Facet> = {}
  const count = async (matches: FacetSource, names: readonly string[]) => {
    const rows = isEmpty(matches) ? [] : await countValues(matches, names)
    const total = rows.find(({ facet }) => facet === TOTAL)?.count ?? 0
    const capped = total > 0 && total === limit(matches)
    const byName = Map.groupBy(rows, ({ facet }) => facet)
    for (const name of names) facets[name] = toFacet(name, byName.get(name) ?? [], capped, selection.get(name)?.values ?? [])
    return { count: total, capped }
  }
  const counted = await count(
    await find(),
    names.filter((name) => !selection.has(name)),
  )
  for (const name of names) if (selection.has(name)) await count(await find(name), [name])
  return { ...counted, facets }
}

/** Counts the matches and the values of their columns. */
export const countColumnFacets = async (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Counted> => {
  const columns = sql.join(COLUMN_FACETS.map((name) => sql.ref(`r.${name}`)))
  return countEach(COLUMN_FACETS, selection, find, async (matches, names) => {
    const { rows } = await sql<CountRow>`
      with c as materialized (select ${columns} from resources r where ${conditionSql(matches)} ${limitSql(limitOf(matches))})
      select ${TOTAL} as facet, '' as value, count(*) as count from c ${sql.join(
        names.map((name) => sql`union all ${columnValuesSql(name as ColumnFacet)}`),
        sql` `,
      )}
    `.execute(ctx.db, ctx.limits)
    return rows
  })
}

const LIST_COLUMNS: readonly ColumnFacet[] = ['owners', 'tags', 'terms', 'teams', 'collections']

const columnValuesSql = (name: ColumnFacet): RawBuilder<unknown> => {
  if (LIST_COLUMNS.includes(name))
    return sql`select ${name} as facet, u.value::text, count(*) as count from c, unnest(c.${sql.ref(name)}) u (value) group by 2`
  return sql`select ${name} as facet, ${sql.ref(name)}::text as value, count(*) as count from c where ${sql.ref(name)} is not null group by 2`
}

/** Custom properties with a small number of values. The others can be filtered, but their values are not offered. */
const FACET_TYPES: readonly ValueType[] = ['select', 'multi_select', 'boolean', 'user', 'tag', 'resource']

/** So many values are counted in less than a tenth of a second; only searches without words are limited. */
const MAX_COUNTED_VALUES = 50_001
const valueLimitOf = (matches: FacetSource): number | undefined => (limitOf(matches) === undefined ? undefined : MAX_COUNTED_VALUES)

/** `total` is the number of matches. */
const countHealth = async (ctx: Context, selection: FacetSelection, find: FindSource, total: number): Promise<Facets> => {
  const { facets } = await countEach(['health'], selection, find, async (matches) => {
    if ('where' in matches && matches.limit === undefined && !selection.has('health')) return countKnownHealth(ctx, matches.where, total)
    const few = 'ids' in matches
    const health = few ? healthSql(ctx.actor) : statusSql(sql`coalesce(k.severity, 3)`)
    // Materialized: computed once, not for every row.
    const known = few ? sql`` : sql`k as materialized (${knownHealthSql(ctx.actor)}),`
    const { rows } = await sql<CountRow>`
      with ${known} c as materialized (select ${health} as health from resources r ${few ? sql`` : sql`left join k on k.id = r.id`} where ${conditionSql(matches)} ${limitSql(limitOf(matches))})
      select ${TOTAL} as facet, '' as value, count(*) as count from c union all select 'health', health, count(*) from c group by 2
    `.execute(ctx.db, ctx.limits)
    return rows
  })
  return facets
}

/** Of many matches, only the few resources with a status are read. The others are unknown. */
const countKnownHealth = async (ctx: Context, where: RawBuilder<boolean>, total: number): Promise<readonly CountRow[]> => {
  const { rows } = await sql<CountRow>`
    with k as materialized (${knownHealthSql(ctx.actor)})
    select 'health' as facet, ${statusSql(sql`k.severity`)} as value, count(*) as count
    from k join resources r on r.id = k.id where ${where} group by 2
  `.execute(ctx.db, ctx.limits)
  const unknown = total - rows.reduce((sum, { count }) => sum + count, 0)
  return [
    ...rows,
    ...(unknown > 0 ? [{ facet: 'health', value: 'unknown', count: unknown }] : []),
    { facet: TOTAL, value: '', count: total },
  ]
}

/** Health and custom properties, whose values are in other tables. */
export const countRelatedFacets = async (ctx: Context, selection: FacetSelection, find: FindSource, total: number): Promise<Facets> => {
  const properties = (await listProperties(ctx.db)).filter(
    ({ id, value_type }) => FACET_TYPES.includes(value_type) || selection.has(facetNameOf(id)),
  )
  const { facets } = await countEach(
    properties.map(({ id }) => facetNameOf(id)),
    selection,
    find,
    async (matches, names) => {
      if (names.length === 0) return []
      const { rows } = await sql<CountRow>`
        with v as materialized (${propertyValuesSql(matches, names)} ${limitSql(valueLimitOf(matches))})
        select ${TOTAL} as facet, '' as value, count(*) as count from v union all select v.facet, v.value, count(*) from v group by 1, 2
      `.execute(ctx.db, ctx.limits)
      return rows
    },
    valueLimitOf,
  )
  return { ...(await countHealth(ctx, selection, find, total)), ...addPropertyLabels(facets, properties) }
}

const facetNameOf = (property_id: string): string => `${PROPERTY_FIELD_PREFIX}${property_id}`

const propertyValuesSql = (matches: FacetSource, names: readonly string[]): RawBuilder<unknown> => sql`
  select ${PROPERTY_FIELD_PREFIX} || v.property_id as facet, i.value
  from property_values v join resources r on r.id = v.resource_id, unnest(coalesce(v.items, array[v.value])) i (value)
  where v.property_id = any(${names.map((name) => name.slice(PROPERTY_FIELD_PREFIX.length))}::uuid[]) and ${conditionSql(matches)}`

/** A property without values in the matches is left out. */
const addPropertyLabels = (facets: Facets, properties: readonly PropertyRow[]): Facets =>
  Object.fromEntries(
    properties.flatMap(({ id, name }) => {
      const facet = facets[facetNameOf(id)]!
      return facet.values.length === 0 ? [] : [[facetNameOf(id), { ...facet, label: name }]]
    }),
  )

/** Adds the names of tags, terms and collections. They are not cached with the facets because all of them may be renamed. */
export const addLabels = async (ctx: Context, facets: Facets): Promise<Facets> => {
  const [tags, titles] = await Promise.all([
    findTagNames(ctx.db, valuesOf(facets.tags!)),
    findBriefs(ctx, [...valuesOf(facets.terms!), ...valuesOf(facets.collections!)]).then(
      (briefs) => new Map(briefs.map(({ id, title }) => [id, title])),
    ),
  ])
  return {
    ...facets,
    tags: withLabels(facets.tags!, tags),
    terms: withoutHidden(withLabels(facets.terms!, titles)),
    collections: withoutHidden(withLabels(facets.collections!, titles)),
  }
}

/** A term or collection that the caller cannot see is not offered. */
const withoutHidden = (facet: Facet): Facet => ({
  ...facet,
  values: facet.values.filter(({ label, selected }) => label !== null || selected),
})

const valuesOf = (facet: Facet): string[] => facet.values.map(({ value }) => String(value))

const withLabels = (facet: Facet, names: ReadonlyMap<string, string>): Facet => ({
  ...facet,
  values: facet.values.map((each) => ({ ...each, label: names.get(String(each.value)) ?? null })),
})

const toFacet = (name: string, counted: readonly CountRow[], capped: boolean, selected: readonly (string | boolean)[]): Facet => {
  const read = (value: string) => (FLAG_FACETS.includes(name) ? value === 'true' : value)
  const values = counted.map(({ value, count }) => ({ value: read(value), count, selected: selected.includes(read(value)) }))
  for (const value of selected) if (!values.some((each) => each.value === value)) values.push({ value, count: 0, selected: true })
  values.sort((a, b) => Number(b.selected) - Number(a.selected) || b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
  return { capped, values: values.slice(0, MAX_FACET_VALUES) }
}
