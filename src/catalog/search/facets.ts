import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { listProperties, PROPERTY_FIELD_PREFIX, type PropertyRow } from '../properties/property-rows.ts'
import type { ValueType } from '../properties/value-types.ts'
import { findTagNames } from '../tags/tags.ts'
import { COLUMN_FACETS, type ColumnFacet, type FacetSelection, FLAG_FACETS } from './facet-selection.ts'
import type { Facet } from './schema.ts'

/** Facets of a search: fields to filter by, with the number of matches per value. */
export type Facets = Readonly<Record<string, Facet>>
const MAX_FACET_VALUES = 50

/** The resources to count: a list of IDs, or a condition on `r`. */
export type FacetSource = { readonly ids: readonly string[]; readonly all: boolean } | { readonly where: RawBuilder<boolean> }
/** The matches, as if nothing were selected in this facet. */
export type FindSource = (but?: string) => Promise<FacetSource>

/** An empty search is not ranked, so more rows can be counted: this many take a few hundredths of a second. */
const MAX_COUNTED_ROWS = 20_000

interface CountRow {
  readonly facet: string
  readonly value: string
  readonly count: number
}
type Counts = Map<string, Map<string, number>>

/** Counts what `countsSql` selects from the matches `c`, which have these columns. */
const countMatches = async (
  ctx: Context,
  matches: FacetSource,
  columns: RawBuilder<unknown>,
  countsSql: readonly RawBuilder<unknown>[],
): Promise<{ counts: Counts; all: boolean }> => {
  const counts: Counts = new Map()
  if (countsSql.length === 0 || ('ids' in matches && matches.ids.length === 0)) return { counts, all: true }
  const source =
    'ids' in matches ? sql`where r.id = any(${matches.ids}::uuid[])` : sql`where ${matches.where} limit ${sql.lit(MAX_COUNTED_ROWS + 1)}`
  const { rows } = await sql<CountRow>`
    with c as materialized (select ${columns} from resources r ${source})
    select 'all' as facet, '' as value, count(*) as count from c union all ${sql.join(countsSql, sql` union all `)}
  `.execute(ctx.db, ctx.limits)
  let all = 'all' in matches && matches.all
  for (const { facet, value, count } of rows)
    if (facet === 'all') all = 'where' in matches ? count <= MAX_COUNTED_ROWS : all
    else counts.set(facet, (counts.get(facet) ?? new Map()).set(value, count))
  return { counts, all }
}

/** Counts the values of facets. A facet with selected values is counted as if nothing were selected in it. */
const countEach = async (
  ctx: Context,
  names: readonly string[],
  selection: FacetSelection,
  find: FindSource,
  count: (ctx: Context, matches: FacetSource, names: readonly string[]) => Promise<{ counts: Counts; all: boolean }>,
): Promise<Facets> => {
  const groups = [
    { names: names.filter((name) => !selection.has(name)), matches: await find() },
    ...(await Promise.all(names.filter((name) => selection.has(name)).map(async (name) => ({ names: [name], matches: await find(name) })))),
  ]
  const facets: Record<string, Facet> = {}
  for (const { names, matches } of groups) {
    const { counts, all } = await count(ctx, matches, names)
    for (const name of names) facets[name] = toFacet(name, counts.get(name) ?? new Map(), !all, selection.get(name)?.values ?? [])
  }
  return facets
}

export const countColumnFacets = (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Facets> =>
  countEach(ctx, COLUMN_FACETS, selection, find, (ctx, matches, names) =>
    countMatches(
      ctx,
      matches,
      sql.join(COLUMN_FACETS.map((name) => sql.ref(`r.${name}`))),
      names.map((name) => columnValuesSql(name as ColumnFacet)),
    ),
  )

const columnValuesSql = (name: ColumnFacet): RawBuilder<unknown> => {
  if (name === 'owners' || name === 'tags' || name === 'teams')
    return sql`select ${name} as facet, u.value::text, count(*) as count from c, unnest(c.${sql.ref(name)}) u (value) group by 2`
  return sql`select ${name} as facet, ${sql.ref(name)}::text as value, count(*) as count from c where ${sql.ref(name)} is not null group by 2`
}

/** Custom properties with a small number of values. The others can be filtered, but their values are not offered. */
const FACET_TYPES: readonly ValueType[] = ['select', 'multi_select', 'boolean', 'user', 'tag', 'resource']

/** Glossary terms and custom properties. Their values are in other tables, so these counts are never cached. */
export const countRelatedFacets = async (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Facets> => {
  const properties = (await listProperties(ctx.db)).filter(
    ({ id, value_type }) => FACET_TYPES.includes(value_type) || selection.has(facetNameOf(id)),
  )
  const names = ['terms', ...properties.map(({ id }) => facetNameOf(id))]
  const facets = await countEach(ctx, names, selection, find, (ctx, matches, names) =>
    countMatches(ctx, matches, sql`r.id, r.collections`, relatedValuesSql(ctx, names)),
  )
  return addRelatedLabels(ctx, facets, properties)
}

const facetNameOf = (property_id: string): string => `${PROPERTY_FIELD_PREFIX}${property_id}`

const relatedValuesSql = (ctx: Context, names: readonly string[]): RawBuilder<unknown>[] => {
  const properties = names.filter((name) => name !== 'terms').map((name) => name.slice(PROPERTY_FIELD_PREFIX.length))
  return [
    ...(names.includes('terms') ? [termValuesSql(ctx)] : []),
    ...(properties.length > 0
      ? [
          sql`select ${PROPERTY_FIELD_PREFIX} || v.property_id as facet, i.value, count(*) as count
            from c join property_values v on v.resource_id = c.id, unnest(coalesce(v.items, array[v.value])) i (value)
            where v.property_id = any(${properties}::uuid[]) group by 1, 2`,
        ]
      : []),
  ]
}

const termValuesSql = ({ actor }: Context): RawBuilder<unknown> => sql`
  select 'terms' as facet, g.id::text as value, count(*) as count from (
    select c.id, u.target from c, unnest(c.collections) u (target)
    union
    select c.id, case when p.value_type = 'resource' then v.value::uuid end
    from c join property_values v on v.resource_id = c.id join custom_properties p on p.id = v.property_id and p.value_type = 'resource'
  ) t join resources g on g.id = t.target
  where g.entity_type = 'glossary' and ${visibleTo(actor, 'g')} group by 2`

const addRelatedLabels = async (ctx: Context, { terms, ...facets }: Facets, properties: readonly PropertyRow[]): Promise<Facets> => {
  const titles = await findTermTitles(
    ctx,
    terms!.values.map(({ value }) => String(value)),
  )
  return {
    terms: { ...terms!, values: terms!.values.map((each) => ({ ...each, label: titles.get(String(each.value)) ?? null })) },
    // A property without values in the matches is left out.
    ...Object.fromEntries(
      properties.flatMap(({ id, name }) => {
        const facet = facets[facetNameOf(id)]!
        return facet.values.length === 0 ? [] : [[facetNameOf(id), { ...facet, label: name }]]
      }),
    ),
  }
}

const findTermTitles = async (ctx: Context, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; title: string }>`
    select r.id, r.title from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}`.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Adds tag names. They are not cached with the facets because a tag may be renamed. */
export const addTagLabels = async (ctx: Context, facets: Facets): Promise<Facets> => {
  const tags = facets.tags!
  if (tags.values.length === 0) return facets
  const names = await findTagNames(
    ctx.db,
    tags.values.map(({ value }) => String(value)),
  )
  return { ...facets, tags: { ...tags, values: tags.values.map((each) => ({ ...each, label: names.get(String(each.value)) ?? null })) } }
}

const toFacet = (name: string, counts: ReadonlyMap<string, number>, capped: boolean, selected: readonly (string | boolean)[]): Facet => {
  const read = (value: string) => (FLAG_FACETS.includes(name) ? value === 'true' : value)
  const values = [...counts].map(([value, count]) => ({ value: read(value), count, selected: selected.includes(read(value)) }))
  for (const value of selected) if (!values.some((each) => each.value === value)) values.push({ value, count: 0, selected: true })
  values.sort((a, b) => Number(b.selected) - Number(a.selected) || b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
  return { capped, values: values.slice(0, MAX_FACET_VALUES) }
}
