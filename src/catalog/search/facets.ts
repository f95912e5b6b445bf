import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findBriefs } from '../listing/brief.ts'
import { listProperties, PROPERTY_FIELD_PREFIX, type PropertyRow } from '../properties/property-rows.ts'
import type { ValueType } from '../properties/value-types.ts'
import { findTagNames } from '../tags/tags.ts'
import { COLUMN_FACETS, type FacetSelection, FLAG_FACETS } from './facet-selection.ts'
import {
  type CountRow,
  columnsPart,
  type FacetSource,
  healthPart,
  MAX_COUNTED_VALUES,
  propertiesPart,
  runParts,
  TOTAL,
} from './facet-sql.ts'
import type { Facet } from './schema.ts'

/** Facets of a search: fields to filter by, with the number of matches per value. */
export type Facets = Readonly<Record<string, Facet>>
const MAX_FACET_VALUES = 50

/** The matches, as if nothing were selected in the facet `but`. */
export type FindSource = (but?: string) => Promise<FacetSource>

const limitOf = ({ limit = Number.POSITIVE_INFINITY }: FacetSource): number => limit
const isEmpty = (source: FacetSource): boolean => 'ids' in source && source.ids.length === 0

/** Returns a row with the number of matches as `TOTAL`, too. */
type CountValues = (source: FacetSource, names: readonly string[]) => Promise<readonly CountRow[]>

interface Counted {
  readonly count: number
  /** Whether there are more matches than were counted. */
  readonly capped: boolean
  readonly facets: Facets
}

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

/** Counts the matches and the values of their columns; with words and nothing selected that depends on other rows, also the related facets. */
export const countFacets = async (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Counted & { related?: Facets }> => {
  const source = await find()
  const isRelated = (name: string) => !(COLUMN_FACETS as readonly string[]).includes(name)
  if ('ids' in source || 'where' in source || [...selection.keys()].some(isRelated)) return countColumns(ctx, selection, find)
  // Finding the matches of frequent words takes longer than counting them, so all is counted where they are found.
  const properties = await findFacetProperties(ctx, selection)
  const names = properties.map(({ id }) => facetNameOf(id))
  const others = [healthPart(ctx.actor), ...(names.length > 0 ? [propertiesPart(source, names)] : [])]
  let rows: readonly CountRow[] = []
  const counted = await countEach(COLUMN_FACETS, selection, find, async (each, names) => {
    const found = await runParts(ctx, each, [columnsPart(names), ...(each === source ? others : [])])
    if (each === source) rows = found
    return found
  })
  const byName = Map.groupBy(addUp(rows), ({ facet }) => facet)
  const toFacets = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, toFacet(name, byName.get(name) ?? [], counted, [])]))
  return { ...counted, related: { ...toFacets(['health']), ...addPropertyLabels(toFacets(names), properties) } }
}

const countColumns = (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Counted> =>
  countEach(COLUMN_FACETS, selection, find, (source, names) => runParts(ctx, source, [columnsPart(names)]))

/** Custom properties with a small number of values. The others can be filtered, but their values are not offered. */
const FACET_TYPES: readonly ValueType[] = ['select', 'multi_select', 'boolean', 'user', 'tag', 'resource']

const valueLimitOf = (source: FacetSource): number => ('where' in source ? MAX_COUNTED_VALUES : limitOf(source))

/** The health of more resources is looked up in the set of all that have one. */
const MAX_COMPUTED_HEALTH = 500

const countHealth = async (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Facets> => {
  const { facets } = await countEach(['health'], selection, find, async (source) =>
    addUp(await runParts(ctx, source, [healthPart(ctx.actor, 'ids' in source && source.ids.length <= MAX_COMPUTED_HEALTH)])),
  )
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
  const properties = await findFacetProperties(ctx, selection)
  const { facets } = await countEach(
    properties.map(({ id }) => facetNameOf(id)),
    selection,
    find,
    async (source, names) => {
      if (names.length === 0) return []
      const part = propertiesPart(source, names)
      if (!('where' in source)) return runParts(ctx, source, [part])
      const { rows } = await sql<CountRow>`
        with ${part.tables} select ${TOTAL} as facet, '' as value, count(*) as count from v ${part.rows}
      `.execute(ctx.db, ctx.limits)
      return rows
    },
    valueLimitOf,
  )
  return { ...(await countHealth(ctx, selection, find)), ...addPropertyLabels(facets, properties) }
}

const findFacetProperties = async (ctx: Context, selection: FacetSelection): Promise<PropertyRow[]> =>
  (await listProperties(ctx.db)).filter(({ id, value_type }) => FACET_TYPES.includes(value_type) || selection.has(facetNameOf(id)))

const facetNameOf = (property_id: string): string => `${PROPERTY_FIELD_PREFIX}${property_id}`

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
