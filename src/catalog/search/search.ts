import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { decodeCursor } from '../../platform/lists/cursor.ts'
import { dependsOnOtherRows, type Filter, filterKey, findChangeLogs } from '../../platform/lists/filter.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { paginateInMemory } from '../../platform/lists/read-page.ts'
import { getVisibilityKey, visibleTo } from '../../platform/permissions/permissions.ts'
import type { MatchCondition } from '../listing/count.ts'
import { MAX_WINDOW_ROWS } from '../listing/list.ts'
import { parseResourceFilter } from '../listing/query.ts'
import { type CacheEntry, checkCached } from '../listing/result-cache.ts'
import { type ParsedQuery, parseQuery, queryConditions } from '../query-language/query-syntax.ts'
import { HEALTH_CHANGES } from '../records/health.ts'
import { type ExpandedWord, expandWords } from '../search-index/expand-words.ts'
import { findRankedHits, type RankedHit, type RankedSearch } from '../search-index/find-ranked.ts'
import { criteriaSql, type SearchCriteria } from '../search-index/hits-sql.ts'
import { findMostUsed } from '../search-index/relevance.ts'
import { matchingIdsSql, parseSearchTerm, type SearchTerm, type Spelling } from '../search-index/search-term.ts'
import { type FacetSelection, findSelectionLogs, parseFacetSelection, selectionSql } from './facet-selection.ts'
import { addLabels, countColumnFacets, countRelatedFacets, type FindSource } from './facets.ts'
import { DEFAULT_RANKING, loadRanking, parseTrialRanking, type Ranking } from './ranking-settings.ts'
import { renderHits } from './render-hits.ts'
import type { SearchQuery } from './schema.ts'

export interface SearchRequest extends PageRequest {
  readonly q?: string
  readonly facets: boolean
  readonly explain: boolean
  readonly spelling?: Spelling
  readonly ranking: Ranking
  readonly filter?: Filter
  /** Conditions on `r` of the query language. */
  readonly conditions: readonly RawBuilder<boolean>[]
  readonly query?: ParsedQuery
  readonly selection: FacetSelection
}

/** Up to this many matches are counted and faceted by their IDs; more are counted by the condition they satisfy. */
const MAX_COUNTED_IDS = 500
/** Without words everything matches, and counting a million rows would take seconds. */
const MAX_COUNTED_WITHOUT_WORDS = 20_001

export const parseSearchRequest = async (ctx: Context, query: SearchQuery, page: PageRequest): Promise<SearchRequest> => {
  const parsed = query.q === undefined ? undefined : parseQuery(query.q)
  const ranking = await getRanking(ctx, query)
  return {
    ...page,
    q: parsed && (parsed.text.trim() !== '' || parsed.fields.length === 0) ? parsed.text : undefined,
    facets: query.facets ?? true,
    explain: query.explain ?? false,
    spelling: query.spelling,
    filter: query.filter ? await parseResourceFilter(ctx, query.filter) : undefined,
    ranking,
    query: parsed,
    conditions: [...(parsed ? await queryConditions(ctx, parsed) : []), ...notIn(ranking.hidden)],
    selection: await parseFacetSelection(ctx, query),
  }
}

const getRanking = async (ctx: Context, { q, ranking }: SearchQuery): Promise<Ranking> => {
  if (ranking !== undefined) return parseTrialRanking(ctx, q, ranking)
  return q === undefined ? DEFAULT_RANKING : loadRanking(ctx, q)
}

const notIn = (ids: readonly string[]): RawBuilder<boolean>[] => (ids.length === 0 ? [] : [sql<boolean>`r.id <> all(${ids}::uuid[])`])

/** One page of matches as JSON text. */
export const search = async (ctx: Context, request: SearchRequest): Promise<string> => {
  const end = getPageEnd(request)
  const most = (request.facets ? Math.max(end, MAX_COUNTED_IDS) : end) + 1
  const [matches, related] = buildCacheEntries(ctx, request, most)
  const getOrCompute = isCacheable(ctx, request)
    ? await checkCached(ctx, request.facets ? [matches, related] : [matches])
    : <T>(_: CacheEntry, compute: () => Promise<T>) => compute()
  const { search: searched, best, counted } = await getOrCompute(matches, () => findWithFacets(ctx, request, most))
  const { term } = searched
  const relatedFacets =
    counted && (await getOrCompute(related, () => countRelated(ctx, request, sourceFinder(ctx, request, searched, best), counted.count)))
  const { results: hits, ...page } = toHitPage(request, best.hits, counted?.count)
  const head = {
    ...page,
    capped: counted ? counted.capped : !best.all,
    // Only if something was found: otherwise a correction could reveal a word of hidden resources.
    corrections: page.count > 0 ? (term?.corrections ?? []) : [],
    ...(counted ? { facets: { ...(await addLabels(ctx, counted.facets)), ...relatedFacets?.facets } } : {}),
  }
  const results = await renderHits(ctx, hits, term, request.explain)
  return `${JSON.stringify(head).slice(0, -1)},"results":[${results.join(',')}]}`
}

/**
 * Resources, custom properties, health and the names of tags, people and groups invalidate the cache, other rows do not; vectors are written some time
 * after their resource. Phrases and excluded words are looked for in the texts of resources; what fields stand for is looked up with every search.
 */
const isCacheable = ({ runtime }: Context, { q, ranking, query, filter, explain }: SearchRequest): boolean =>
  (q === undefined || runtime.embeddings === undefined) &&
  ranking.pinned.length === 0 &&
  ranking.hidden.length === 0 &&
  (query === undefined || query.fields.length === 0) &&
  !explain &&
  !dependsOnOtherRows(filter)

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

const findWithFacets = async (ctx: Context, request: SearchRequest, most: number) => {
  const { q, spelling } = request
  const term = q === undefined ? undefined : await parseSearchTerm(ctx, q, { ignoreStopWords: true, spelling })
  const search: SearchWords = { term, words: term ? await expandWords(ctx, term) : [], most }
  const best = await findHits(ctx, request, search)
  const size = best.hits.length + WORDS_SIZE * search.words.length
  if (!request.facets) return { search, best, size }
  const counted = await countColumnFacets(ctx, request.selection, sourceFinder(ctx, request, search, best))
  return { search, best, size, counted }
}

const countRelated = async (ctx: Context, { selection }: SearchRequest, find: FindSource, total: number) => {
  const facets = await countRelatedFacets(ctx, selection, find, total)
  return { facets, size: Object.values(facets).reduce((sum, { values }) => sum + values.length, 0) }
}

/** A word with its alternatives takes about as much memory as this many results. */
const WORDS_SIZE = 10

const sourceFinder =
  (ctx: Context, request: SearchRequest, search: SearchWords, best: RankedSearch): FindSource =>
  async (but) => {
    const { hits, all } = but !== undefined && search.term ? await findHits(ctx, request, search, but) : best
    const ids = hits.map(({ id }) => id)
    if (search.term && all) return { ids }
    return { where: allMatchesSql(ctx, request, search.term, ids, but), ...(search.term ? {} : { limit: MAX_COUNTED_WITHOUT_WORDS }) }
  }

/** The matches of the term and of the filters. `best` matches too, by more than the words themselves. */
const allMatchesSql = (
  { actor }: Context,
  { filter, conditions: more, selection }: SearchRequest,
  term: SearchTerm | undefined,
  best: readonly string[],
  but?: string,
): RawBuilder<boolean> => {
  const matches = term ? [sql<boolean>`r.id in (${matchingIdsSql(term)} union all select unnest(${best}::uuid[]))`] : []
  const conditions = [
    visibleTo(actor, 'r'),
    ...matches,
    ...more,
    ...(filter ? [filterSql(filter, 'r', true)] : []),
    ...selectionSql(selection, but),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** The matches with the facets of their columns, and the other facets: health and custom properties change without the matches. */
const buildCacheEntries = (ctx: Context, request: SearchRequest, most: number): [CacheEntry, CacheEntry] => {
  const key = buildCacheKey(ctx, request, most)
  const logs = [...findChangeLogs(request.filter), ...findSelectionLogs(request.selection)]
  return [
    { key, matching: request.q === undefined ? buildSearchCondition(ctx, request) : 'any', logs },
    { key: `related ${key}`, matching: 'any', logs: [HEALTH_CHANGES, ...logs] },
  ]
}

/** Everything that the matches depend on besides the catalog. */
const buildCacheKey = (
  { actor }: Context,
  { q, query, spelling, facets, filter, selection, ranking }: SearchRequest,
  most: number,
): string => {
  const selected = [...selection].map(([name, { values }]) => [name, values])
  const key = [getVisibilityKey(actor), facets, most, filterKey(filter), selected]
  if (q === undefined) return JSON.stringify(key)
  return JSON.stringify([...key, actor.user_id, actor.teams, ranking.weights, q, query?.phrases, query?.excluded, spelling])
}

/** The condition on everything that can appear in the response. It ignores the selection, because each facet is counted without its own. */
const buildSearchCondition =
  ({ actor }: Context, { filter }: SearchRequest): MatchCondition =>
  (alias) =>
    sql<boolean>`${sql.join([visibleTo(actor, alias), ...(filter ? [filterSql(filter, alias)] : [])], sql` and `)}`

/** The best matches, ignoring the selection in the facet `but`. */
const findHits = async (
  ctx: Context,
  { filter, conditions, selection, ranking }: SearchRequest,
  { term, words, most }: SearchWords,
  but?: string,
): Promise<RankedSearch> => {
  const types = but === 'entity_type' ? undefined : selection.get('entity_type')?.values.map(String)
  const others = new Map([...selection].filter(([name]) => name !== 'entity_type'))
  const where = [...conditions, ...(filter ? [filterSql(filter, 'r', true)] : []), ...selectionSql(others, but)]
  const criteria = { types, where, narrow: where.length > 0 || types !== undefined, most }
  if (term) return pin(ctx, await findRankedHits(ctx, { term, ...criteria }, words, ranking.weights), ranking.pinned, criteria)
  const { hits, all } = await findMostUsed(ctx, criteria)
  return pin(ctx, { hits: hits.map((hit) => ({ ...hit, matched: 0 })), all }, ranking.pinned, criteria)
}

/** Puts the pinned resources first that the caller can see and that satisfy the filters, whether they match the words or not. */
const pin = async (
  ctx: Context,
  found: RankedSearch,
  ids: readonly string[],
  { types, where, most }: Omit<SearchCriteria, 'term'>,
): Promise<RankedSearch> => {
  if (ids.length === 0) return found
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)} and ${criteriaSql({ types, where })}
  `.execute(ctx.db, ctx.limits)
  const allowed = new Set(rows.map(({ id }) => id))
  const byId = new Map(found.hits.map((hit) => [hit.id, hit]))
  const pinned = ids.flatMap((id): RankedHit[] =>
    allowed.has(id) ? [{ ...(byId.get(id) ?? { id, tier: 'context', matched: 0 }), pinned: true }] : [],
  )
  const hits = [...pinned, ...found.hits.filter(({ id }) => !allowed.has(id))]
  return { hits: hits.slice(0, most), all: found.all && hits.length <= most }
}
