import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { SingleFlight } from '../../platform/db/single-flight.ts'
import { type CachedCount, type CountQuery, countExactly, findCachedCount, renewCount, snapshotSql } from '../../platform/lists/count.ts'
import { encodeCursor } from '../../platform/lists/cursor.ts'
import {
  dependsOnOtherRows,
  type Filter,
  filterKey,
  findChangeLogs,
  getChangeLogs,
  type SplitFilter,
  splitUsualValues,
} from '../../platform/lists/filter.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import type { ListPosition } from '../../platform/lists/order.ts'
import { assertInsideWindow, buildCursorEnvelope, buildEnvelope, type PageRequest } from '../../platform/lists/page.ts'
import { type Sort, sortToOrder } from '../../platform/lists/sort.ts'
import { getRecordPermissions, getVisibilityKey, visibleTo } from '../../platform/permissions/permissions.ts'
import { HEALTH_CHANGES, storedSeveritySql } from '../records/health.ts'
import { visibleTeamsSql } from '../records/refs.ts'
import { childrenCountSql } from '../records/resource-rows.ts'
import { findBestHits } from '../search-index/best-hits.ts'
import { matchesResourceSql, parseSearchTerm, type SearchTerm, type Spelling, termKey } from '../search-index/search-term.ts'
import { loadHitRows } from '../search-index/title-hits.ts'
import {
  buildCountQuery,
  changesSinceSql,
  countByCombination,
  type MatchCondition,
  usesCountedColumns,
  valuesWrittenSinceSql,
} from './count.ts'
import { findCachedHealth, findHealth, findPageHealth, type HealthState } from './health.ts'
import { parseRowStates, rowsSql } from './page-rows.ts'
import { renderRecords } from './read.ts'
import { findCached, hasWritesSince, invalidate, isAffectedByWrites, setCached, wasRecentlyInvalidated } from './result-cache.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** Identical pages requested concurrently are read once. */
    readonly pageRequests: PageRequests
  }
}

export interface ListRequest extends PageRequest {
  readonly filter?: Filter
  readonly sort: Sort
  readonly search_term?: string
  readonly spelling?: Spelling
  /** No sort was requested: matches are ordered by relevance. */
  readonly by_relevance?: boolean
  /** Adds `health` to each record. */
  readonly with_health?: boolean
  /** Number of rows reachable by page number. Unlimited if absent. */
  readonly window?: number
}

/** Number of rows reachable by page number in the catalog, and in any search, which has to rank all of them first. */
export const MAX_WINDOW_ROWS = 10_000

const getWindowRows = ({ window = Number.POSITIVE_INFINITY, search_term, by_relevance }: ListRequest): number =>
  search_term !== undefined && by_relevance ? MAX_WINDOW_ROWS : window

/** Concurrent requests for the same page by callers with the same visibility share one query. */
export class PageRequests extends SingleFlight<Buffer> {}

/** One page of the catalog as JSON. The key consists of the URL and filter of the request, and of everything that depends on the caller. */
export const listResources = (ctx: Context, request: ListRequest): Promise<Buffer> => {
  if (request.cursor === undefined) assertInsideWindow(request, getWindowRows(request))
  // The filter is needed too: the same URL can mean "mine".
  const key = JSON.stringify([request.address, filterKey(request.filter), getVisibilityKey(ctx.actor), getRecordPermissions(ctx.actor)])
  // The user ID is part of the key because each record shows the caller's own bookmark.
  return ctx.runtime.pageRequests.run(`${ctx.replica?.name ?? ''} ${ctx.actor.user_id} ${key}`, async () =>
    Buffer.from(await writePage({ ...ctx, limits: {} }, request, key)),
  )
}

/** The query returns row IDs and versions; each row version is rendered once. */
const writePage = async (ctx: Context, request: ListRequest, key: string): Promise<string> => {
  const term = request.search_term === undefined ? undefined : await parseSearchTerm(ctx, request.search_term, request)
  const matching = buildMatchCondition(ctx, request.filter, term)
  const cached = isCacheable(request) ? await findCachedPage(ctx, request, key, matching) : undefined
  const page = cached ?? (await findPage(ctx, request, key, term, matching))
  const { rows, count, position } = page
  const health = request.with_health ? await getPageHealth(ctx, request, page) : undefined
  const records = await renderRecords(ctx, rows, health)
  const head =
    request.cursor === undefined
      ? buildEnvelope(request, count, getWindowRows(request))
      : buildCursorEnvelope(request, count, position && encodeCursor(request, sortToOrder(request.sort), position))
  return `${JSON.stringify(head).slice(0, -1)},"results":[${records.join(',')}]}`
}

/** It changes without its record, so it is never part of the cached text; but a cached page that depends on it is valid as long as it is. */
const getPageHealth = async (ctx: Context, request: ListRequest, { rows, cacheable, checked }: PageResult): Promise<PageHealth> => {
  const health = cacheable?.health ?? (await findHealthOfRows(ctx, rows, checked))
  if (cacheable && findPageLogs(request).includes(HEALTH_CHANGES)) cacheable.health = health
  return health
}

/** Those of a page by relevance were read without the stored severity. */
const findHealthOfRows = (ctx: Context, rows: readonly HealthState[], checked: CheckedHealth): Promise<PageHealth> =>
  rows.some(({ severity }) => severity === undefined)
    ? findHealth(
        ctx,
        rows.map(({ id }) => id),
      )
    : findPageHealth(ctx, rows, checked)

const findPage = async (
  ctx: Context,
  request: ListRequest,
  key: string,
  term: SearchTerm | undefined,
  matching: MatchCondition,
): Promise<PageResult> => {
  const at = performance.now()
  const countQuery = buildListCountQuery(ctx, request.filter, term, matching)
  const cachedCount = findCachedCount(ctx, countQuery)
  const [page, fresh] = await Promise.all([
    queryPage(ctx, request, matching, cachedCount, term),
    cachedCount ? undefined : countExactly(ctx, countQuery),
  ])
  const count = fresh ?? (page.changes === 0 ? cachedCount!.count : await countExactly(ctx, countQuery))
  if (fresh === undefined && page.changes === 0) renewCount(ctx, countQuery, { count, snapshot: page.snapshot, at })
  // A count taken concurrently may be older than the page: then the two are not cached together.
  const isOlder = fresh !== undefined && findCachedCount(ctx, countQuery)?.snapshot !== page.snapshot
  if (isOlder || !isCacheable(request) || wasRecentlyInvalidated(ctx, key)) return { ...page, count }
  const cacheable: CachedPage = { ids: page.rows.map(({ id }) => id), size: page.rows.length, count }
  setCached(ctx, key, { snapshot: page.snapshot, at, result: cacheable })
  return { ...page, count, cacheable }
}

interface PageResult {
  readonly rows: HealthState[]
  readonly count: number
  readonly position: QueriedPage['position']
  readonly checked?: CheckedHealth | undefined
  readonly cacheable?: CachedPage
}

type CheckedHealth = Parameters<typeof findPageHealth>[2]

interface CachedPage {
  readonly ids: string[]
  readonly size: number
  readonly count: number
  /** Set if the page depends on health, once it was read. */
  health?: PageHealth
}

type PageHealth = Awaited<ReturnType<typeof findHealth>>

/**
 * Not worth caching: the unfiltered first page in an order that has an index (as fast as checking the cache) and cursor pages (read once). Not
 * possible: filters and sorts on other rows whose changes are not logged.
 */
const isCacheable = ({ filter, sort, search_term, offset, cursor }: ListRequest): boolean =>
  (filter !== undefined || search_term !== undefined || offset > 0 || sort[0]?.field.few_values !== undefined) &&
  cursor === undefined &&
  !dependsOnOtherRows(filter) &&
  sort.every(({ field }) => !field.from_others)

/** The IDs in `property_changes` of everything that the page depends on besides its rows. */
const findPageLogs = ({ filter, sort }: ListRequest): string[] => [
  ...new Set([...findChangeLogs(filter), ...sort.flatMap(({ field }) => getChangeLogs(field))]),
]

/** The cached page with the current versions of its rows, unless a write since then could have changed which rows it contains. */
const findCachedPage = async (
  ctx: Context,
  request: ListRequest,
  key: string,
  matching: MatchCondition,
): Promise<PageResult | undefined> => {
  const cached = findCached<CachedPage>(ctx, key)
  if (!cached) return undefined
  const { ids, count } = cached.result
  const readsHealth = request.with_health && !cached.result.health
  const health = readsHealth ? sql` || ' ' || ${storedSeveritySql(ctx.actor, 'r')}` : sql``
  const cachedHealth = readsHealth ? findCachedHealth(ctx) : undefined
  const { rows } = await sql<{ page: string | null; written: boolean; outdated: boolean; changed: boolean; snapshot: string }>`
    select string_agg(r.id || ' ' || r.xmin || ' ' || ${childrenCountSql(ctx.actor, 'r')}${health}, ',' order by k.n) as page, ${hasWritesSince(cached.snapshot)} as written,
      ${valuesWrittenSinceSql(cached.snapshot, findPageLogs(request))} as outdated, ${cachedHealth?.changed ?? sql`true`} as changed, ${snapshotSql(ctx)} as snapshot
    from unnest(${ids}::uuid[]) with ordinality k (id, n) join resources r on r.id = k.id
  `.execute(ctx.db, ctx.limits)
  const { page, written, outdated, snapshot } = rows[0]!
  if (written || outdated) {
    const everything = request.filter === undefined && request.search_term === undefined
    if (outdated || everything || (await isAffectedByWrites(ctx, cached.snapshot, matching))) {
      invalidate(ctx, key)
      return undefined
    }
    setCached(ctx, key, { snapshot, at: performance.now(), result: cached.result })
  }
  return { rows: parseRowStates(page), count, position: null, checked: cachedHealth?.check(rows[0]!), cacheable: cached.result }
}

/** Number of matching resources, the same as in their list. */
export const countResources = (ctx: Context, filter: Filter): Promise<number> =>
  countExactly(ctx, buildListCountQuery(ctx, filter, undefined, buildMatchCondition(ctx, filter, undefined)))

const buildListCountQuery = (
  ctx: Context,
  filter: Filter | undefined,
  term: SearchTerm | undefined,
  matching: MatchCondition,
): CountQuery => {
  const key = `resources ${JSON.stringify([getVisibilityKey(ctx.actor), term && termKey(term)])} ${filterKey(filter)}`
  const countQuery = buildCountQuery(key, matching, findChangeLogs(filter))
  const split = splitUsualValues(filter)
  return {
    ...countQuery,
    ...(dependsOnOtherRows(filter) && { usable_for_ms: 0 }),
    ...(!term && usesCountedColumns(filter) && { countAll: (ctx: Context) => countByCombination(ctx, matching) }),
    ...(split && { countAll: (ctx) => countByDifference(ctx, split, term) }),
  }
}

/** Counts the rows that match without the condition on a usual value, minus those with another value. Not exact, and not cached, if one is written meanwhile. */
const countByDifference = async (
  ctx: Context,
  { all, others }: SplitFilter,
  term: SearchTerm | undefined,
): Promise<Pick<CachedCount, 'count'> & Partial<CachedCount>> => {
  const count = (filter: Filter) => countExactly(ctx, buildListCountQuery(ctx, filter, term, buildMatchCondition(ctx, filter, term)))
  const { rows: before } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(ctx.db, ctx.limits)
  const { snapshot } = before[0]!
  const difference = Math.max(0, (await count(all)) - (await count(others)))
  const { rows: after } = await sql<{ changes: number }>`select ${changesSinceSql(snapshot, findChangeLogs(others))} as changes`.execute(
    ctx.db,
    ctx.limits,
  )
  return { count: difference, ...(after[0]!.changes === 0 && { snapshot }) }
}

/** The condition that selects the rows of a list, for a row under an alias. */
export const buildMatchCondition =
  ({ actor }: Context, filter: Filter | undefined, term: SearchTerm | undefined): MatchCondition =>
  (alias) => {
    const conditions = [
      visibleTo(actor, alias),
      ...(alias === 'r' ? visibleTeamsSql(actor) : []),
      ...(filter ? [filterSql(filter, alias)] : []),
      ...(term ? [matchesResourceSql(term, alias)] : []),
    ]
    return sql<boolean>`${sql.join(conditions, sql` and `)}`
  }

interface QueriedPage {
  readonly rows: HealthState[]
  readonly snapshot: string
  readonly changes: number
  readonly position: ListPosition | null
  readonly checked?: CheckedHealth | undefined
}

const queryPage = async (
  ctx: Context,
  request: ListRequest,
  matching: MatchCondition,
  cachedCount: CachedCount | undefined,
  term: SearchTerm | undefined,
): Promise<QueriedPage> => {
  if (term && request.by_relevance) return readRelevancePage(ctx, request, term)
  const health = request.with_health ? sql` || ' ' || p.health` : sql``
  const cachedHealth = request.with_health ? findCachedHealth(ctx) : undefined
  const { rows } = await sql<{ page: string | null; snapshot: string; changed: boolean; changes: number; position: string | null }>`
    select ${snapshotSql(ctx)} as snapshot, string_agg(p.id || ' ' || p.row_version || ' ' || p.children_count${health}, ',') as page, (array_agg(p.position))[count(*)] as position,
      ${cachedHealth?.changed ?? sql`true`} as changed, ${cachedCount ? changesSinceSql(cachedCount.snapshot, findChangeLogs(request.filter)) : sql`0`} as changes
    from (${rowsSql(ctx, request, matching, getWindowRows(request))}) p
  `.execute(ctx.db, ctx.limits)
  const { page, snapshot, changes, position } = rows[0]!
  const states = parseRowStates(page)
  return {
    rows: states,
    snapshot,
    changes,
    position: position && states.length === request.page_size ? (JSON.parse(position) as ListPosition) : null,
    checked: cachedHealth?.check(rows[0]!),
  }
}

/** One page of a search, ordered by relevance. `changes: 1` makes the count check for writes itself. */
const readRelevancePage = async (ctx: Context, { filter, offset, page_size }: ListRequest, term: SearchTerm): Promise<QueriedPage> => {
  const { rows } = await sql<{ snapshot: string }>`select ${snapshotSql(ctx)} as snapshot`.execute(ctx.db, ctx.limits)
  const where = [...visibleTeamsSql(ctx.actor), ...(filter ? [filterSql(filter, 'r', true)] : [])]
  const { hits } = await findBestHits(ctx, {
    term,
    where,
    narrow: filter !== undefined,
    most: Math.min(offset + page_size, MAX_WINDOW_ROWS),
  })
  return { rows: await loadHitRows(ctx, hits.slice(offset)), snapshot: rows[0]!.snapshot, changes: 1, position: null }
}
