import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { refersToSql } from '../records/refs.ts'
import { findTagNames } from '../tags/tags.ts'
import type { Facet, SearchQuery } from './schema.ts'

/** Facets of a search: fields to filter by, with the number of matches per value. */
const FACET_NAMES = ['entity_type', 'integration', 'owners', 'tags', 'published', 'verified', 'pii', 'stale'] as const
export type FacetName = (typeof FACET_NAMES)[number]
export type FacetSelection = ReadonlyMap<FacetName, readonly (string | boolean)[]>
const FLAGS: readonly FacetName[] = ['published', 'verified', 'pii', 'stale']
const MAX_FACET_VALUES = 50

export const parseFacetSelection = (query: SearchQuery): FacetSelection => {
  const selection = new Map<FacetName, readonly (string | boolean)[]>()
  for (const name of FACET_NAMES) {
    const value = query[name]
    if (value === undefined || value === '') continue
    if (typeof value === 'boolean') selection.set(name, [value])
    else
      selection.set(
        name,
        value.split(',').map((each) => (name === 'entity_type' ? parseEntityType(each.trim()) : parseFacetId(name, each.trim()))),
      )
  }
  return selection
}

const parseEntityType = (text: string): string => {
  if (ENTITY_TYPES.includes(text)) return text
  throw invalid({ entity_type: [`must be one of ${ENTITY_TYPES.join(', ')}.`] })
}

const parseFacetId = (name: string, text: string): string => {
  const id = parseId(text)
  if (!id) throw invalid({ [name]: ['must be a comma-separated list of UUIDs.'] })
  return id
}

/** Conditions on `r` for the selected values of each facet except `but`. */
export const selectionSql = (selection: FacetSelection, but?: FacetName): RawBuilder<boolean>[] =>
  [...selection].flatMap(([name, values]) => {
    if (name === but) return []
    const column = sql.ref(`r.${name}`)
    if (FLAGS.includes(name)) return [values[0] ? sql<boolean>`${column}` : sql<boolean>`not ${column}`]
    if (name === 'entity_type') return [sql<boolean>`${column} = any(${values}::text[])`]
    if (name === 'integration') return [sql<boolean>`${column} = any(${values}::uuid[])`]
    return [refersToSql(name, values as string[])]
  })

type Counts = Map<FacetName, Map<string, number>>

const valuesSql = (name: FacetName): RawBuilder<unknown> => {
  if (FLAGS.includes(name)) return sql`select ${name} as facet, ${sql.ref(name)}::text as value, count(*) as count from c group by 2`
  if (name === 'owners' || name === 'tags')
    return sql`select ${name} as facet, u.value::text, count(*) as count from c, unnest(c.${sql.ref(name)}) u (value) group by 2`
  return sql`select ${name} as facet, ${sql.ref(name)}::text as value, count(*) as count from c where ${sql.ref(name)} is not null group by 2`
}

/** The resources to count: a list of IDs, or a condition on `r`, at most `limit` of them. */
export type FacetSource = { readonly ids: readonly string[] } | { readonly where: RawBuilder<boolean>; readonly limit?: number }

const sourceRowsSql = (matches: FacetSource): RawBuilder<unknown> => {
  if ('ids' in matches) return sql`where r.id = any(${matches.ids}::uuid[])`
  return matches.limit === undefined ? sql`where ${matches.where}` : sql`where ${matches.where} limit ${sql.lit(matches.limit)}`
}

interface Counted {
  readonly count: number
  /** Whether there are more matches than were counted. */
  readonly capped: boolean
  readonly counts: Counts
}

const countValues = async (ctx: Context, matches: FacetSource, names: readonly FacetName[]): Promise<Counted> => {
  const counts: Counts = new Map(names.map((name) => [name, new Map()]))
  if ('ids' in matches && matches.ids.length === 0) return { counts, count: 0, capped: false }
  const { rows } = await sql<{ facet: FacetName | 'all'; value: string; count: number }>`
    with c as materialized (
      select r.entity_type, r.integration, r.owners, r.tags, r.published, r.verified, r.pii, r.stale from resources r ${sourceRowsSql(matches)}
    ) select 'all' as facet, '' as value, count(*) as count from c ${sql.join(
      names.map((name) => sql`union all ${valuesSql(name)}`),
      sql` `,
    )}
  `.execute(ctx.db, ctx.limits)
  let all = 0
  for (const { facet, value, count } of rows)
    if (facet === 'all') all = count
    else counts.get(facet)!.set(value, count)
  return { counts, count: all, capped: 'limit' in matches && all === matches.limit }
}

/** Counts the matches and their facet values. A facet with selected values is counted as if nothing were selected in it. */
export const countFacets = async (
  ctx: Context,
  selection: FacetSelection,
  matches: FacetSource,
  without: (name: FacetName) => Promise<FacetSource>,
): Promise<Omit<Counted, 'counts'> & { readonly facets: Record<FacetName, Facet> }> => {
  const open = FACET_NAMES.filter((name) => !selection.has(name))
  const { counts, ...counted } = await countValues(ctx, matches, open)
  const facets = {} as Record<FacetName, Facet>
  for (const [name, values] of counts) facets[name] = toFacet(name, values, counted.capped, [])
  for (const [name, selected] of selection) {
    const { counts, capped } = await countValues(ctx, await without(name), [name])
    facets[name] = toFacet(name, counts.get(name)!, capped, selected)
  }
  return { ...counted, facets }
}

/** Adds tag names. They are not cached with the facets because a tag may be renamed. */
export const addFacetLabels = async (ctx: Context, facets: Record<FacetName, Facet>): Promise<Record<FacetName, Facet>> => {
  const { tags } = facets
  if (tags.values.length === 0) return facets
  const names = await findTagNames(
    ctx.db,
    tags.values.map(({ value }) => String(value)),
  )
  return { ...facets, tags: { ...tags, values: tags.values.map((each) => ({ ...each, label: names.get(String(each.value)) ?? null })) } }
}

const toFacet = (name: FacetName, counts: ReadonlyMap<string, number>, capped: boolean, selected: readonly (string | boolean)[]): Facet => {
  const read = (value: string) => (FLAGS.includes(name) ? value === 'true' : value)
  const values = [...counts].map(([value, count]) => ({ value: read(value), count, selected: selected.includes(read(value)) }))
  for (const value of selected) if (!values.some((each) => each.value === value)) values.push({ value, count: 0, selected: true })
  values.sort((a, b) => Number(b.selected) - Number(a.selected) || b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
  return { capped, values: values.slice(0, MAX_FACET_VALUES) }
}
