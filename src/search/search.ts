import { type RawBuilder, sql } from 'kysely'
import { viewOf, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { elsewhereIn, type Filter, filterKey, looksAtOthers } from '../lists/filter.ts'
import { filterSql } from '../lists/filter-sql.ts'
import type { PageRequest } from '../lists/page.ts'
import { pageInMemory } from '../lists/read-page.ts'
import type { Matching } from '../resources/count.ts'
import { findOnce } from '../resources/known.ts'
import { readFilter } from '../resources/query.ts'
import { renderRecords } from '../resources/read.ts'
import { type Best, findBest, findMostUsed, type Hit, showHits } from '../resources/relevance.ts'
import { foundSql, readTerm, type Term } from '../resources/term.ts'
import { type FacetName, facetsOf, type Matches, readSelection, type Selection, selectionSql, withLabels } from './facets.ts'
import { fieldOf, reasonOf } from './reason.ts'
import type { SearchQuery } from './schema.ts'

export interface SearchRequest extends PageRequest {
  readonly q?: string
  readonly facets: boolean
  readonly filter?: Filter
  readonly selection: Selection
}

/** Maximum number of matches that are counted, faceted and paged. To read all matches, list the catalog with `search_term` and a cursor. */
const MOST_MATCHES = 500

export const searchRequest = async (ctx: Context, query: SearchQuery, page: PageRequest): Promise<SearchRequest> => ({
  ...page,
  q: query.q,
  facets: query.facets ?? true,
  filter: query.filter ? await readFilter(ctx, query.filter) : undefined,
  selection: readSelection(query),
})

/** One page of matches as JSON text. */
export const search = async (ctx: Context, request: SearchRequest): Promise<string> => {
  mustBeWithin(request)
  const term = request.q === undefined ? undefined : await readTerm(ctx, request.q)
  const most = request.facets || request.cursor !== undefined ? MOST_MATCHES + 1 : endOf(request) + 1
  const find = () => findAll(ctx, request, term, most)
  // Custom property values and other rows do not invalidate the cache, so such filters are not cached.
  const { best, facets } =
    elsewhereIn(request.filter).length > 0 || looksAtOthers(request.filter)
      ? await find()
      : await findOnce(ctx, keyOf(ctx, request, term, most), matchingOf(ctx, request, term), find)
  const { results: hits, ...page } = pageOf(request, best.hits.slice(0, MOST_MATCHES))
  const head = {
    ...page,
    capped: !best.all,
    // Only if something was found: otherwise a correction could reveal a word of hidden resources.
    corrections: page.count > 0 ? (term?.corrections ?? []) : [],
    ...(facets ? { facets: await withLabels(ctx, facets) } : {}),
  }
  const results = await render(ctx, hits, term)
  return `${JSON.stringify(head).slice(0, -1)},"results":[${results.join(',')}]}`
}

const endOf = ({ offset, page_size }: PageRequest): number => Math.min(offset + page_size, MOST_MATCHES)

/** Matches have no sort key for a cursor: the next page starts after the last match, or at its former position if it no longer matches. */
const pageOf = (request: SearchRequest, hits: readonly Hit[]) =>
  pageInMemory(request, {
    rows: hits,
    order: ORDER,
    positionOf: (hit) => [hit.id, String(hits.indexOf(hit))],
    passed: ([last, stood]) => {
      const at = hits.findIndex(({ id }) => id === last)
      return at < 0 ? Math.max(0, Number(stood)) : at + 1
    },
  })

const ORDER = [
  { name: 'match', type: 'id' },
  { name: 'rank', type: 'number' },
] as const

const findAll = async (ctx: Context, request: SearchRequest, term: Term | undefined, most: number) => {
  const best = await find(ctx, request, term, most)
  const size = best.hits.length
  if (!request.facets) return { best, size }
  const matches = async (but?: FacetName): Promise<Matches> =>
    term ? bestOf(but === undefined ? best : await find(ctx, request, term, most, but)) : { where: everything(ctx, request, but) }
  return { best, size, facets: await facetsOf(ctx, request.selection, await matches(), matches) }
}

const everything = ({ actor }: Context, { filter, selection }: SearchRequest, but?: FacetName): RawBuilder<boolean> => {
  const conditions = [visibleTo(actor, 'r'), ...(filter ? [filterSql(filter, 'r')] : []), ...selectionSql(selection, but)]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const keyOf = (ctx: Context, { facets, filter, selection }: SearchRequest, term: Term | undefined, most: number): string =>
  JSON.stringify([viewOf(ctx.actor), term && [term.typed, term.query], facets, most, filterKey(filter), [...selection]])

/** The condition on everything that can appear in the response. It ignores the selection, because each facet is counted without its own. */
const matchingOf =
  ({ actor }: Context, { filter }: SearchRequest, term: Term | undefined): Matching =>
  (alias) => {
    const conditions = [visibleTo(actor, alias), ...(filter ? [filterSql(filter, alias)] : []), ...(term ? [foundSql(term, alias)] : [])]
    return sql<boolean>`${sql.join(conditions, sql` and `)}`
  }

const mustBeWithin = ({ offset, cursor }: PageRequest): void => {
  if (cursor !== undefined || offset < MOST_MATCHES) return
  throw new Refusal(
    'window_exceeded',
    `A search returns at most the ${MOST_MATCHES.toLocaleString('en')} best matches. Narrow the search, or list the catalog with search_term and cursor to read all matches.`,
  )
}

const bestOf = ({ hits, all }: Best): Matches => ({ ids: hits.slice(0, MOST_MATCHES).map(({ id }) => id), all })

/** The best matches, ignoring the selection in the facet `but`. */
const find = (ctx: Context, { filter, selection }: SearchRequest, term: Term | undefined, most: number, but?: FacetName): Promise<Best> => {
  const types = but === 'entity_type' ? undefined : selection.get('entity_type')
  const type = types?.length === 1 ? String(types[0]) : undefined
  const others = type === undefined ? selection : new Map([...selection].filter(([name]) => name !== 'entity_type'))
  const where = [...(filter ? [filterSql(filter, 'r')] : []), ...selectionSql(others, but)]
  const wanted = { type, where, narrow: filter !== undefined || selection.size > 0, most }
  return term ? findBest(ctx, { term, ...wanted }) : findMostUsed(ctx, wanted)
}

const render = async (ctx: Context, hits: readonly Hit[], term: Term | undefined): Promise<string[]> => {
  const tiers = new Map(hits.map(({ id, tier }) => [id, tier]))
  const shown = await showHits(ctx, hits, [...new Set(hits.map(({ tier }) => fieldOf(tier)))])
  const texts = new Map(shown.map((row) => [row.id, row]))
  const records = await renderRecords(ctx, shown)
  return records.map((record) => {
    const id = ID.exec(record)![1]!
    return `${record.slice(0, -1)},"reason":${JSON.stringify(reasonOf(tiers.get(id)!, texts.get(id)!, term))}}`
  })
}

/** The JSON of a record starts with its ID; parsing all of it would cost more than the rest of the page. */
const ID = /^\{"id":"([^"]+)"/
