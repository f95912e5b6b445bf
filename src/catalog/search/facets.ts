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
/** The matches, as if nothing were selected in the facet `but`. */
export type FindSource = (but?: string) => Promise<FacetSource>

const idsSql = (source: FacetSource): RawBuilder<unknown> =>
  'ids' in source ? sql`select i.id from unnest(${source.ids}::uuid[]) i (id)` : source.matches
const limitOf = ({ limit = Number.POSITIVE_INFINITY }: FacetSource): number => limit
const isEmpty = (source: FacetSource): boolean => 'ids' in source && source.ids.length === 0

interface CountRow {
  readonly facet: string
  readonly value: string
  readonly count: number
}
/** Returns a row with the number of matches as `TOTAL`, too. */
type CountValues = (source: FacetSource, names: readonly string[]) => Promise<readonly CountRow[]>

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
  const count = async (source: FacetSource, names: readonly string[]) => {
    const rows = isEmpty(source) ? [] : await countValues(source, names)
    const most = limit(source)
    const total = rows.find(({ facet }) => facet === TOTAL)?.count ?? 0
    const counted = { count: Math.min(total, most), capped: total > most }
    const byName = Map.groupBy(rows, ({ facet }) => facet)
    for (const name of names) facets[name] = toFacet(name, byName.get(name) ?? [], counted, selection.get(name)?.values ?? [])
    return counted
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
  return countEach(COLUMN_FACETS, selection, find, async (source, names) => {
    const { rows } = await sql<CountRow>`
      with c as materialized (select ${columns} from (${idsSql(source)}) m join resources r on r.id = m.id)
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

/** So many values are counted in less than a tenth of a second; only searches without words have more. */
const MAX_COUNTED_VALUES = 50_000
const valueLimitOf = (source: FacetSource): number => ('where' in source ? MAX_COUNTED_VALUES : limitOf(source))

/** The health of more resources is looked up in the set of all that have one. */
const MAX_COMPUTED_HEALTH = 500

/** Of many matches only the few with a status are looked up. The others are unknown. */
const countHealth = async (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Facets> => {
  const { facets } = await countEach(['health'], selection, find, async (source) => {
    // Materialized: computed once, not for every row.
    const health =
      'ids' in source && source.ids.length <= MAX_COMPUTED_HEALTH
        ? sql`c as materialized (select ${healthSql(ctx.actor)} as health from m join resources r on r.id = m.id)`
        : sql`k as materialized (${knownHealthSql(ctx.actor)}), c as materialized (select ${statusSql(sql`k.severity`)} as health from k join m on m.id = k.id)`
    const { rows } = await sql<CountRow>`
      with m as materialized (${idsSql(source)}), ${health}
      select ${TOTAL} as facet, '' as value, count(*) as count from m
      union all select 'health', health, count(*) from c group by 2
      union all select 'health', 'unknown', (select count(*) from m) - (select count(*) from c)
    `.execute(ctx.db, ctx.limits)
    return addUp(rows)
  })
  return facets
}

/** One row for each value. */
const addUp = (rows: readonly CountRow[]): CountRow[] =>
  [...Map.groupBy(rows, ({ facet, value }) => `${facet} ${value}`).values()].flatMap((same) => {
    const count = same.reduce((sum, row) => sum + row.count, 0)
    return count > 0 ? [{ ...same[0]!, count }] : []
  })

/** Health and custom properties, whose values are in other tables. */
export const countRelatedFacets = async (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Facets> => {
  const properties = (await listProperties(ctx.db)).filter(
    ({ id, value_type }) => FACET_TYPES.includes(value_type) || selection.has(facetNameOf(id)),
  )
  const { facets } = await countEach(
    properties.map(({ id }) => facetNameOf(id)),
    selection,
    find,
    async (source, names) => {
      if (names.length === 0) return []
      const { rows } = await sql<CountRow>`
        with m as materialized (${'where' in source ? sql`select` : idsSql(source)}), v as materialized (${propertyValuesSql(source, names)})
        select ${TOTAL} as facet, '' as value, count(*) as count from ${'where' in source ? sql`v` : sql`m`}
        union all select v.facet, v.value, count(*) from v group by 1, 2
      `.execute(ctx.db, ctx.limits)
      return rows
    },
    valueLimitOf,
  )
  return { ...(await countHealth(ctx, selection, find)), ...addPropertyLabels(facets, properties) }
}

const facetNameOf = (property_id: string): string => `${PROPERTY_FIELD_PREFIX}${property_id}`

const propertyValuesSql = (source: FacetSource, names: readonly string[]): RawBuilder<unknown> => {
  const [matches, condition] =
    'where' in source ? [sql`resources`, sql`and ${source.where} limit ${sql.lit(MAX_COUNTED_VALUES + 1)}`] : [sql`m`, sql``]
  return sql`
    select ${PROPERTY_FIELD_PREFIX} || v.property_id as facet, i.value
    from property_values v join ${matches} r on r.id = v.resource_id, unnest(coalesce(v.items, array[v.value])) i (value)
    where v.property_id = any(${names.map((name) => name.slice(PROPERTY_FIELD_PREFIX.length))}::uuid[]) ${condition}`
}

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

const toFacet = (
  name: string,
  rows: readonly CountRow[],
  { count: total, capped }: Pick<Counted, 'count' | 'capped'>,
  selected: readonly (string | boolean)[],
): Facet => {
  const read = (value: string) => (FLAG_FACETS.includes(name) ? value === 'true' : value)
  const values = rows.map(({ value, count }) => ({
    value: read(value),
    count: Math.min(count, total),
    selected: selected.includes(read(value)),
  }))
  for (const value of selected) if (!values.some((each) => each.value === value)) values.push({ value, count: 0, selected: true })
  values.sort((a, b) => Number(b.selected) - Number(a.selected) || b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
  return { capped, values: values.slice(0, MAX_FACET_VALUES) }
}
