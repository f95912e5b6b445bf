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
export type FacetSource = { readonly ids: readonly string[] } | { readonly where: RawBuilder<boolean> }
/** The matches, as if nothing were selected in the facet `but`. */
export type FindSource = (but?: string) => Promise<FacetSource>

const conditionSql = (matches: FacetSource): RawBuilder<boolean> =>
  'ids' in matches ? sql<boolean>`r.id = any(${matches.ids}::uuid[])` : matches.where
const isEmpty = (matches: FacetSource): boolean => 'ids' in matches && matches.ids.length === 0

interface CountRow {
  readonly facet: string
  readonly value: string
  readonly count: number
}
type Counts = Map<string, Map<string, number>>
type CountValues = (matches: FacetSource, names: readonly string[]) => Promise<readonly CountRow[]>

const TOTAL = 'all'

/** Counts the values of each facet. One with selected values is counted as if nothing were selected in it. */
const countEach = async (names: readonly string[], selection: FacetSelection, find: FindSource, countValues: CountValues) => {
  const counts: Counts = new Map(names.map((name) => [name, new Map()]))
  let total = 0
  const count = async (matches: FacetSource, names: readonly string[]) => {
    if (isEmpty(matches)) return
    for (const { facet, value, count } of await countValues(matches, names))
      if (facet === TOTAL) total = count
      else counts.get(facet)!.set(value, count)
  }
  for (const name of names) if (selection.has(name)) await count(await find(name), [name])
  // Last, because the total is that of all selections.
  await count(
    await find(),
    names.filter((name) => !selection.has(name)),
  )
  const facets: Facets = Object.fromEntries(
    [...counts].map(([name, values]) => [name, toFacet(name, values, selection.get(name)?.values ?? [])]),
  )
  return { facets, total }
}

/** Counts the matches and the values of their columns. */
export const countColumnFacets = async (
  ctx: Context,
  selection: FacetSelection,
  find: FindSource,
): Promise<{ count: number; facets: Facets }> => {
  const columns = sql.join(COLUMN_FACETS.map((name) => sql.ref(`r.${name}`)))
  const { facets, total } = await countEach(COLUMN_FACETS, selection, find, async (matches, names) => {
    const { rows } = await sql<CountRow>`
      with c as materialized (select ${columns} from resources r where ${conditionSql(matches)})
      select ${TOTAL} as facet, '' as value, count(*) as count from c ${sql.join(
        names.map((name) => sql`union all ${columnValuesSql(name as ColumnFacet)}`),
        sql` `,
      )}
    `.execute(ctx.db, ctx.limits)
    return rows
  })
  return { count: total, facets }
}

const columnValuesSql = (name: ColumnFacet): RawBuilder<unknown> => {
  if (name === 'owners' || name === 'tags' || name === 'teams')
    return sql`select ${name} as facet, u.value::text, count(*) as count from c, unnest(c.${sql.ref(name)}) u (value) group by 2`
  return sql`select ${name} as facet, ${sql.ref(name)}::text as value, count(*) as count from c where ${sql.ref(name)} is not null group by 2`
}

/** Custom properties with a small number of values. The others can be filtered, but their values are not offered. */
const FACET_TYPES: readonly ValueType[] = ['select', 'multi_select', 'boolean', 'user', 'tag', 'resource']

/** Glossary terms and custom properties. Their values are in other tables, so these counts are not cached; they start from those tables. */
export const countRelatedFacets = async (ctx: Context, selection: FacetSelection, find: FindSource): Promise<Facets> => {
  const properties = (await listProperties(ctx.db)).filter(
    ({ id, value_type }) => FACET_TYPES.includes(value_type) || selection.has(facetNameOf(id)),
  )
  const names = ['terms', ...properties.map(({ id }) => facetNameOf(id))]
  const { facets } = await countEach(names, selection, find, async (matches, names) => {
    const where = conditionSql(matches)
    const ids = names.filter((name) => name !== 'terms').map((name) => name.slice(PROPERTY_FIELD_PREFIX.length))
    const counts = [
      ...(names.includes('terms') ? [termValuesSql(ctx, where)] : []),
      ...(ids.length > 0 ? [propertyValuesSql(ids, where)] : []),
    ]
    if (counts.length === 0) return []
    const { rows } = await sql<CountRow>`${sql.join(counts, sql` union all `)}`.execute(ctx.db, ctx.limits)
    return rows
  })
  return addRelatedLabels(ctx, facets, properties)
}

const facetNameOf = (property_id: string): string => `${PROPERTY_FIELD_PREFIX}${property_id}`

const propertyValuesSql = (ids: readonly string[], where: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  select ${PROPERTY_FIELD_PREFIX} || v.property_id as facet, i.value, count(*) as count
  from property_values v join resources r on r.id = v.resource_id, unnest(coalesce(v.items, array[v.value])) i (value)
  where v.property_id = any(${ids}::uuid[]) and ${where} group by 1, 2`

const termValuesSql = ({ actor }: Context, where: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  select 'terms' as facet, t.term::text as value, count(distinct t.resource_id) as count from (
    select g.id as term, f.resource_id from resources g join resource_refs f on f.target = g.id and f.field = 'collections'
    where g.entity_type = 'glossary' and ${visibleTo(actor, 'g')}
    union all
    select g.id, v.resource_id
    from custom_properties p join property_values v on v.property_id = p.id
      join resources g on g.id = case when p.value_type = 'resource' then v.value::uuid end
    where p.value_type = 'resource' and g.entity_type = 'glossary' and ${visibleTo(actor, 'g')}
  ) t join resources r on r.id = t.resource_id where ${where} group by 2`

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

const toFacet = (name: string, counts: ReadonlyMap<string, number>, selected: readonly (string | boolean)[]): Facet => {
  const read = (value: string) => (FLAG_FACETS.includes(name) ? value === 'true' : value)
  const values = [...counts].map(([value, count]) => ({ value: read(value), count, selected: selected.includes(read(value)) }))
  for (const value of selected) if (!values.some((each) => each.value === value)) values.push({ value, count: 0, selected: true })
  values.sort((a, b) => Number(b.selected) - Number(a.selected) || b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
  return { capped: false, values: values.slice(0, MAX_FACET_VALUES) }
}
