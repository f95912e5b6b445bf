import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { decodeCursor } from '../../platform/lists/cursor.ts'
import { dependsOnOtherRows, type Filter, filterKey, findRelatedTables } from '../../platform/lists/filter.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { paginateInMemory } from '../../platform/lists/read-page.ts'
import { getVisibilityKey, visibleTo } from '../../platform/permissions/permissions.ts'
import type { MatchCondition } from '../listing/count.ts'
import { addHealth, getRecordId } from '../listing/health.ts'
import { MAX_WINDOW_ROWS } from '../listing/list.ts'
import { parseResourceFilter } from '../listing/query.ts'
import { renderRecords } from '../listing/read.ts'
import { getOrCompute } from '../listing/result-cache.ts'
import { type ExpandedWord, expandWords } from '../search-index/expand-words.ts'
import { findRankedHits, type RankedHit, type RankedSearch } from '../search-index/find-ranked.ts'
import { findMostUsed, loadHitRows } from '../search-index/relevance.ts'
import { matchingIdsSql, parseSearchTerm, type SearchTerm } from '../search-index/search-term.ts'
import {
  addFacetLabels,
  countFacets,
  type FacetName,
  type FacetSelection,
  type FacetSource,
  parseFacetSelection,
  selectionSql,
} from './facets.ts'
import { parseQuery, queryConditions } from './query-syntax.ts'
import { matchedField, toMatchReason } from './reason.ts'
import type { SearchQuery } from './schema.ts'

export interface SearchRequest extends PageRequest {
  readonly q?: string
  readonly facets: boolean
  readonly explain: boolean
  readonly filter?: Filter
  /** Conditions on `r` of the query language. */
  readonly conditions: readonly RawBuilder<boolean>[]
  readonly selection: FacetSelection
}

/** Up to this many matches are counted and faceted by their IDs; more are counted by the condition they satisfy. */
const MAX_COUNTED_IDS = 500
/** Without words everything matches, and counting a million rows would take seconds. */
const MAX_COUNTED_WITHOUT_WORDS = 20_001

export const parseSearchRequest = async (ctx: Context, query: SearchQuery, page: PageRequest): Promise<SearchRequest> => {
  const parsed = query.q === undefined ? undefined : parseQuery(query.q)
  return {
    ...page,
    q: parsed && (parsed.text.trim() !== '' || parsed.fields.length === 0) ? parsed.text : undefined,
    facets: query.facets ?? true,
    explain: query.explain ?? false,
    filter: await parseSearchFilter(ctx, query),
    conditions: parsed ? await queryConditions(ctx, parsed) : [],
    selection: parseFacetSelection(query),
  }
}

const parseSearchFilter = async (ctx: Context, { filter, health }: SearchQuery): Promise<Filter | undefined> => {
  const operands = [
    ...(filter ? [await parseResourceFilter(ctx, filter)] : []),
    ...(health ? [await parseResourceFilter(ctx, JSON.stringify({ operator: 'in', field: 'health', value: health.split(',') }))] : []),
  ]
  return operands.length > 1 ? { operator: 'and', operands } : operands[0]
}

/** One page of matches as JSON text. */
export const search = async (ctx: Context, request: SearchRequest): Promise<string> => {
  const end = getPageEnd(request)
  const term = request.q === undefined ? undefined : await parseSearchTerm(ctx, request.q, { ignoreStopWords: true })
  const words = term ? await expandWords(ctx, term) : []
  const most = (request.facets ? Math.max(end, MAX_COUNTED_IDS) : end) + 1
  const find = () => findWithFacets(ctx, request, { term, words, most })
  // Custom property values and other rows do not invalidate the cache, so such filters are not cached; nor are words, which match in many places.
  const { best, counted } =
    term || request.conditions.length > 0 || findRelatedTables(request.filter).length > 0 || dependsOnOtherRows(request.filter)
      ? await find()
      : await getOrCompute(ctx, buildCacheKey(ctx, request, most), buildSearchCondition(ctx, request), find)
  const { results: hits, ...page } = toHitPage(request, best.hits, counted?.count)
  const head = {
    ...page,
    capped: counted ? counted.capped : !best.all,
    // Only if something was found: otherwise a correction could reveal a word of hidden resources.
    corrections: page.count > 0 ? (term?.corrections ?? []) : [],
    ...(counted ? { facets: await addFacetLabels(ctx, counted.facets) } : {}),
  }
  const results = await renderHits(ctx, hits, term, request.explain)
  return `${JSON.stringify(head).slice(0, -1)},"results":[${results.join(',')}]}`
}

/** The number of matches up to the end of the requested page. */
const getPageEnd = (request: PageRequest): number => {
  const [, index] = decodeCursor(request, ORDER) ?? []
  const start = request.cursor === undefined ? request.offset : index === undefined ? 0 : Number(index) + 1
  if (start < MAX_WINDOW_ROWS) return Math.min(start + request.page_size, MAX_WINDOW_ROWS)
  throw new ApiError(
    'window_exceeded',
    `A search returns the ${MAX_WINDOW_ROWS.toLocaleString('en')} best matches. Narrow the search, or list the catalog with search_term, sort and cursor to read all matches.`,
  )
}

/** Matches have no sort key for a cursor: the next page starts after the last match, or at its former position if it no longer matches. */
const toHitPage = (request: SearchRequest, hits: readonly RankedHit[], count = hits.length) =>
  paginateInMemory(request, {
    rows: hits,
    count,
    window: MAX_WINDOW_ROWS,
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

interface SearchWords {
  readonly term: SearchTerm | undefined
  readonly words: readonly ExpandedWord[]
  /** How many matches to find. */
  readonly most: number
}

const findWithFacets = async (ctx: Context, request: SearchRequest, search: SearchWords) => {
  const best = await findHits(ctx, request, search)
  const size = best.hits.length
  if (!request.facets) return { best, size }
  const toSource = ({ hits, all }: RankedSearch, but?: FacetName): FacetSource => {
    const ids = hits.map(({ id }) => id)
    if (search.term && all) return { ids }
    return { where: allMatchesSql(ctx, request, search.term, ids, but), ...(search.term ? {} : { limit: MAX_COUNTED_WITHOUT_WORDS }) }
  }
  const without = async (but: FacetName) => toSource(search.term ? await findHits(ctx, request, search, but) : best, but)
  return { best, size, counted: await countFacets(ctx, request.selection, toSource(best), without) }
}

/** The matches of the term and of the filters. `best` matches too, by more than the words themselves. */
const allMatchesSql = (
  { actor }: Context,
  { filter, conditions: more, selection }: SearchRequest,
  term: SearchTerm | undefined,
  best: readonly string[],
  but?: FacetName,
): RawBuilder<boolean> => {
  const matches = term ? [sql<boolean>`r.id in (${matchingIdsSql(term)} union all select unnest(${best}::uuid[]))`] : []
  const conditions = [
    visibleTo(actor, 'r'),
    ...matches,
    ...more,
    ...(filter ? [filterSql(filter, 'r')] : []),
    ...selectionSql(selection, but),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const buildCacheKey = (ctx: Context, { facets, filter, selection }: SearchRequest, most: number): string =>
  JSON.stringify([getVisibilityKey(ctx.actor), facets, most, filterKey(filter), [...selection]])

/** The condition on everything that can appear in the response. It ignores the selection, because each facet is counted without its own. */
const buildSearchCondition =
  ({ actor }: Context, { filter }: SearchRequest): MatchCondition =>
  (alias) =>
    sql<boolean>`${sql.join([visibleTo(actor, alias), ...(filter ? [filterSql(filter, alias)] : [])], sql` and `)}`

/** The best matches, ignoring the selection in the facet `but`. */
const findHits = async (
  ctx: Context,
  { filter, conditions, selection }: SearchRequest,
  { term, words, most }: SearchWords,
  but?: FacetName,
): Promise<RankedSearch> => {
  const types = but === 'entity_type' ? undefined : selection.get('entity_type')
  const type = types?.length === 1 ? String(types[0]) : undefined
  const others = type === undefined ? selection : new Map([...selection].filter(([name]) => name !== 'entity_type'))
  const where = [...conditions, ...(filter ? [filterSql(filter, 'r')] : []), ...selectionSql(others, but)]
  const criteria = { type, where, narrow: where.length > 0 || type !== undefined, most }
  if (term) return findRankedHits(ctx, { term, ...criteria }, words)
  const { hits, all } = await findMostUsed(ctx, criteria)
  return { hits: hits.map((hit) => ({ ...hit, matched: 0 })), all }
}

const renderHits = async (ctx: Context, hits: readonly RankedHit[], term: SearchTerm | undefined, explain: boolean): Promise<string[]> => {
  const byId = new Map(hits.map((hit) => [hit.id, hit]))
  const shown = await loadHitRows(ctx, hits, [...new Set(hits.map(({ tier }) => matchedField(tier)))])
  const texts = new Map(shown.map((row) => [row.id, row]))
  const records = await addHealth(ctx, await renderRecords(ctx, shown))
  return records.map((record) => {
    const id = getRecordId(record)
    const hit = byId.get(id)!
    const more = explain ? `,"score":${JSON.stringify(toScore(hit))}` : ''
    return `${record.slice(0, -1)},"reason":${JSON.stringify(toMatchReason(hit, texts.get(id)!, term))}${more}}`
  })
}

const toScore = ({ score, parts, matches }: RankedHit) => ({ total: score ?? null, parts: parts ?? [], words: matches ?? [] })
