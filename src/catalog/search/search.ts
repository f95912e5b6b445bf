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
import { findUsageToCount, matchesToCountSql } from '../search-index/counted-matches.ts'
import { type ExpandedWord, expandWords } from '../search-index/expand-words.ts'
import { findRankedHits, type RankedHit, type RankedSearch } from '../search-index/find-ranked.ts'
import { criteriaSql, MAX_COUNTED_MATCHES, restrictToVisible, type SearchCriteria } from '../search-index/hits-sql.ts'
import { parseSearchTerm, type SearchTerm, type Spelling } from '../search-index/search-term.ts'
import { loadTermFrequencies } from '../search-index/term-frequencies.ts'
import { findMostUsed } from '../search-index/title-hits.ts'
import { type FacetSelection, findSelectionLogs, parseFacetSelection, selectionSql } from './facet-selection.ts'
import { addLabels, countColumnFacets, countRelatedFacets, type FacetSource, type FindSource } from './facets.ts'
import { DEFAULT_RANKING, loadRanking, parseTrialRanking, type Ranking } from './ranking-settings.ts'
import { renderHits } from './render-hits.ts'
import type { SearchQuery } from './schema.ts'

export interface SearchRequest extends PageRequest {
  readonly q?: string
  readonly facets: boolean
  /** Counts all matches, however long it takes. */
  /** How many matches are counted: by default all that have the words, and a limited number of resources without words. */
  readonly counting?: 'exact' | 'bounded'
  readonly explain: boolean
  readonly spelling?: Spelling
  readonly ranking: Ranking
  readonly filter?: Filter
  /** Conditions on `r` of the query language. */
  readonly conditions: readonly RawBuilder<boolean>[]
  readonly query?: ParsedQuery
  readonly selection: FacetSelection
}

/** Without words everything matches, and counting a million rows would take seconds. */
const MAX_COUNTED_WITHOUT_WORDS = 20_000

export const parseSearchRequest = async (ctx: Context, query: SearchQuery, page: PageRequest): Promise<SearchRequest> => {
  const parsed = query.q === undefined ? undefined : parseQuery(query.q)
  const ranking = await getRanking(ctx, query)
  return {
    ...page,
    q: parsed && (parsed.text.trim() !== '' || parsed.fields.length === 0) ? parsed.text : undefined,
    facets: query.facets ?? true,
    counting: query.count,
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
  const most = getPageEnd(request) + 1
  const [matches, related] = buildCacheEntries(ctx, request, most)
  const getOrCompute = isCacheable(ctx, request)
    ? await checkCached(ctx, request.facets ? [matches, related] : [matches])
    : <T>(_: CacheEntry, compute: () => Promise<T>) => compute()
  const { search: searched, best, counted, source } = await getOrCompute(matches, () => findWithFacets(ctx, request, most))
  const { term } = searched
  const relatedFacets =
    counted && (await getOrCompute(related, () => countRelated(ctx, request, sourceFinder(ctx, request, searched, best, source))))
  // A page beyond the counted matches has more of them.
  const { results: hits, ...page } = toHitPage(request, best.hits, Math.max(counted?.count ?? 0, best.hits.length))
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
const toHitPage = (request: SearchRequest, hits: readonly RankedHit[], count: number) =>
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
  const find = sourceFinder(ctx, request, search, best)
  const source = await find()
  const counted = await countColumnFacets(ctx, request.selection, async (but) => (but === undefined ? source : find(but)))
  return 'ids' in source
    ? { search, best, size: size + Math.ceil(source.ids.length / 4), counted, source }
    : { search, best, size, counted }
}

const countRelated = async (ctx: Context, { selection }: SearchRequest, find: FindSource) => {
  const facets = await countRelatedFacets(ctx, selection, find)
  return { facets, size: Object.values(facets).reduce((sum, { values }) => sum + values.length, 0) }
}

/** A word with its alternatives takes about as much memory as this many results. */
const WORDS_SIZE = 10

/** `known` is the source without selection in any facet, if it is known. */
const sourceFinder =
  (ctx: Context, request: SearchRequest, search: SearchWords, best: RankedSearch, known?: FacetSource): FindSource =>
  async (but) => {
    if (but === undefined && known) return known
    const { hits, all } = but !== undefined && search.term ? await findHits(ctx, request, search, but) : best
    const ids = hits.map(({ id }) => id)
    if (!search.term) return allResources(ctx, request, but)
    return all ? { ids } : countableMatches(ctx, request, { term: search.term, best: ids }, but)
  }

/** Without words everything matches that satisfies the filters. */
const allResources = ({ actor }: Context, request: SearchRequest, but?: string): FacetSource => {
  const where = sql<boolean>`${sql.join([visibleTo(actor), ...conditionsOf(request), ...selectionSql(request.selection, but)], sql` and `)}`
  const exact = request.counting === 'exact'
  const limit = exact ? Number.POSITIVE_INFINITY : MAX_COUNTED_WITHOUT_WORDS
  const most = exact ? sql`` : sql`limit ${sql.lit(limit + 1)}`
  return { where, limit, matches: sql`select r.id from resources r where ${where} ${most}` }
}

/** All matches, or with a bounded count of very frequent words only those that are used most, if these are enough. */
const countableMatches = async (
  ctx: Context,
  request: SearchRequest,
  { term, best }: { term: SearchTerm; best: readonly string[] },
  but?: string,
): Promise<FacetSource> => {
  const { types, others } = splitSelection(request, but)
  const { where } = restrictToVisible(ctx, { where: [...conditionsOf(request), ...others] })
  const matches = { term, types, where, best }
  if (request.counting !== 'bounded') return { matches: matchesToCountSql({ ...matches, exact: true }), limit: Number.POSITIVE_INFINITY }
  const find = async (usage?: string) => {
    const { rows } = await sql<{ id: string }>`${matchesToCountSql({ ...matches, usage })}`.execute(ctx.db, ctx.limits)
    return rows.map(({ id }) => id)
  }
  const usage = findUsageToCount(await loadTermFrequencies(ctx), term, types)
  const mostUsed = usage === undefined ? [] : await find(usage)
  return { ids: mostUsed.length > MAX_COUNTED_MATCHES ? mostUsed : await find(), limit: MAX_COUNTED_MATCHES }
}

/** The conditions on `r` of the query language and the filter. */
const conditionsOf = ({ conditions, filter }: SearchRequest): RawBuilder<boolean>[] => [
  ...conditions,
  ...(filter ? [filterSql(filter, 'r', true)] : []),
]

/** The selected entity types, which the index of words knows, and the conditions on `r` for the other selected facets. */
const splitSelection = ({ selection }: SearchRequest, but?: string) => ({
  types: but === 'entity_type' ? undefined : selection.get('entity_type')?.values.map(String),
  others: selectionSql(new Map([...selection].filter(([name]) => name !== 'entity_type')), but),
})

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
  { q, query, spelling, facets, counting, filter, selection, ranking }: SearchRequest,
  most: number,
): string => {
  const selected = [...selection].map(([name, { values }]) => [name, values])
  const key = [getVisibilityKey(actor), facets, counting, most, filterKey(filter), selected]
  if (q === undefined) return JSON.stringify(key)
  return JSON.stringify([...key, actor.user_id, actor.teams, ranking.weights, q, query?.phrases, query?.excluded, spelling])
}

/** The condition on everything that can appear in the response. It ignores the selection, because each facet is counted without its own. */
const buildSearchCondition =
  ({ actor }: Context, { filter }: SearchRequest): MatchCondition =>
  (alias) =>
    sql<boolean>`${sql.join([visibleTo(actor, alias), ...(filter ? [filterSql(filter, alias)] : [])], sql` and `)}`

/** The best matches, ignoring the selection in the facet `but`. */
const findHits = async (ctx: Context, request: SearchRequest, { term, words, most }: SearchWords, but?: string): Promise<RankedSearch> => {
  const { ranking, facets } = request
  const { types, others } = splitSelection(request, but)
  const where = [...conditionsOf(request), ...others]
  const most_at_once = facets ? Math.max(most, MAX_COUNTED_MATCHES + 1) : undefined
  const criteria = { types, where, narrow: where.length > 0 || types !== undefined, most, most_at_once }
  if (term) return pin(ctx, await findRankedHits(ctx, { term, ...criteria }, words, ranking.weights), ranking.pinned, criteria)
  const { hits, all } = await findMostUsed(ctx, criteria)
  return pin(ctx, { hits: hits.map((hit) => ({ ...hit, matched: 0 })), all }, ranking.pinned, criteria)
}

/** Puts the pinned resources first that the caller can see and that satisfy the filters, whether they match the words or not. */
const pin = async (
  ctx: Context,
  found: RankedSearch,
  ids: readonly string[],
  { types, where, most, most_at_once }: Omit<SearchCriteria, 'term'>,
): Promise<RankedSearch> => {
  if (ids.length === 0) return found
  const limit = most_at_once === undefined ? most : Number.POSITIVE_INFINITY
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)} and ${criteriaSql({ types, where })}
  `.execute(ctx.db, ctx.limits)
  const allowed = new Set(rows.map(({ id }) => id))
  const byId = new Map(found.hits.map((hit) => [hit.id, hit]))
  const pinned = ids.flatMap((id): RankedHit[] =>
    allowed.has(id) ? [{ ...(byId.get(id) ?? { id, tier: 'context', matched: 0 }), pinned: true }] : [],
  )
  const hits = [...pinned, ...found.hits.filter(({ id }) => !allowed.has(id))]
  return { hits: hits.slice(0, limit), all: found.all && hits.length <= limit }
}
