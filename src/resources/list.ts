import { type RawBuilder, sql } from 'kysely'
import { permissionsOn, viewOf, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Shown } from '../db/row-versions.ts'
import { SingleFlight } from '../db/single-flight.ts'
import { type Counted, type Counting, exactCount, findTaken } from '../lists/count.ts'
import { readCursor, writeCursor } from '../lists/cursor.ts'
import { elsewhereIn, type Filter, filterKey, looksAtOthers } from '../lists/filter.ts'
import { filterSql } from '../lists/filter-sql.ts'
import { afterSql, orderSql, type Position, positionSql } from '../lists/order.ts'
import { cursorEnvelope, envelope, mustBeInside, type PageRequest } from '../lists/page.ts'
import { orderOf, type Sort } from '../lists/sort.ts'
import { changesSince, countingOf, type Matching } from './count.ts'
import { anythingWritten, concerns, forget, isRestless, recall, remember } from './known.ts'
import { renderRecords } from './read.ts'
import { reachableBy } from './refs.ts'
import { findBest, showHits } from './relevance.ts'
import { childrenSql } from './store.ts'
import { foundSql, readTerm, type Term, termKey } from './term.ts'

export interface ListRequest extends PageRequest {
  readonly filter?: Filter
  readonly sort: Sort
  readonly search_term?: string
  /** No sort was requested: matches are ordered by relevance. */
  readonly by_relevance?: boolean
  /** Number of rows reachable by page number. Unlimited if absent. */
  readonly window?: number
}

/** Number of rows reachable by page number in the catalog, and in any search, which has to rank all of them first. */
export const WINDOW = 10_000

const windowOf = ({ window = Number.POSITIVE_INFINITY, search_term, by_relevance }: ListRequest): number =>
  search_term !== undefined && by_relevance ? WINDOW : window

/** Concurrent requests for the same page by callers with the same visibility share one query. */
export class PageRequests extends SingleFlight<Buffer> {}

/** One page of the catalog as JSON. The key consists of the URL and filter of the request, and of everything that depends on the caller. */
export const listResources = (ctx: Context, request: ListRequest): Promise<Buffer> => {
  if (request.cursor === undefined) mustBeInside(request, windowOf(request))
  // The filter is needed too: the same URL can mean "mine".
  const key = JSON.stringify([request.address, filterKey(request.filter), viewOf(ctx.actor), permissionsOn(ctx.actor)])
  // The user ID is part of the key because each record shows the caller's own bookmark.
  return ctx.runtime.pageRequests.run(`${ctx.actor.user_id} ${key}`, async () =>
    Buffer.from(await writePage({ ...ctx, limits: {} }, request, key)),
  )
}

/** The query returns row IDs and versions; each row version is rendered once. */
const writePage = async (ctx: Context, request: ListRequest, key: string): Promise<string> => {
  const term = request.search_term === undefined ? undefined : await readTerm(ctx, request.search_term)
  const matching = matchingOf(ctx, request.filter, term)
  const known = isWorthKeeping(request) ? await findAgain(ctx, request, key, matching) : undefined
  const { rows, count, position } = known ?? (await findPage(ctx, request, key, term, matching))
  const records = await renderRecords(ctx, rows)
  const head =
    request.cursor === undefined
      ? envelope(request, count, windowOf(request))
      : cursorEnvelope(request, count, position && writeCursor(request, orderOf(request.sort), position))
  return `${JSON.stringify(head).slice(0, -1)},"results":[${records.join(',')}]}`
}

const findPage = async (ctx: Context, request: ListRequest, key: string, term: Term | undefined, matching: Matching): Promise<Found> => {
  const at = performance.now()
  const counting = countingFor(ctx, request.filter, term, matching)
  const taken = findTaken(ctx, counting)
  const [page, fresh] = await Promise.all([readPage(ctx, request, matching, taken, term), taken ? undefined : exactCount(ctx, counting)])
  const count = fresh ?? (page.changes === 0 ? taken!.count : await exactCount(ctx, counting))
  // A count taken concurrently may be older than the page, so the two are not cached together.
  if (fresh === undefined && isWorthKeeping(request) && !isRestless(ctx, key)) {
    const found: Kept = { ids: page.rows.map(({ id }) => id), size: page.rows.length, count }
    remember(ctx, key, { snapshot: page.snapshot, at, found })
  }
  return { ...page, count }
}

interface Found {
  readonly rows: Shown[]
  readonly count: number
  readonly position: Page['position']
}

interface Kept {
  readonly ids: string[]
  readonly size: number
  readonly count: number
}

/**
 * Not worth caching: the unfiltered first page (as fast as checking the cache) and cursor pages (read once). Not possible: filters and
 * sorts on custom properties or other rows, whose changes do not invalidate the cache.
 */
const isWorthKeeping = ({ filter, sort, search_term, offset, cursor }: ListRequest): boolean =>
  (filter !== undefined || search_term !== undefined || offset > 0) &&
  cursor === undefined &&
  elsewhereIn(filter).length === 0 &&
  !looksAtOthers(filter) &&
  sort.every(({ field }) => !field.elsewhere && !field.from_others)

/** The cached page with the current versions of its rows, unless a write since then could have changed which rows it contains. */
const findAgain = async (ctx: Context, request: ListRequest, key: string, matching: Matching): Promise<Found | undefined> => {
  const known = recall<Kept>(ctx, key)
  if (!known) return undefined
  const { ids, count } = known.found
  const { rows } = await sql<{ page: string | null; written: boolean; snapshot: string }>`
    select string_agg(r.id || ' ' || r.xmin || ' ' || ${childrenSql(ctx.actor, 'r')}, ',' order by k.n) as page, ${anythingWritten(known.snapshot)} as written,
      pg_current_snapshot()::text as snapshot
    from unnest(${ids}::uuid[]) with ordinality k (id, n) join resources r on r.id = k.id
  `.execute(ctx.db, ctx.limits)
  const { page, written, snapshot } = rows[0]!
  if (written) {
    const everything = request.filter === undefined && request.search_term === undefined
    if (everything || (await concerns(ctx, known.snapshot, matching))) {
      forget(ctx, key)
      return undefined
    }
    remember(ctx, key, { snapshot, at: performance.now(), found: known.found })
  }
  return { rows: readRows(page), count, position: null }
}

/** Number of matching resources, the same as in their list. */
export const countResources = (ctx: Context, filter: Filter): Promise<number> =>
  exactCount(ctx, countingFor(ctx, filter, undefined, matchingOf(ctx, filter, undefined)))

const countingFor = (ctx: Context, filter: Filter | undefined, term: Term | undefined, matching: Matching): Counting => {
  const key = `resources ${JSON.stringify([viewOf(ctx.actor), term && termKey(term)])} ${filterKey(filter)}`
  const counting = countingOf(key, matching, elsewhereIn(filter))
  return looksAtOthers(filter) ? { ...counting, usable_for_ms: 0 } : counting
}

/** The condition that selects the rows of a list, for a row under an alias. */
export const matchingOf =
  ({ actor }: Context, filter: Filter | undefined, term: Term | undefined): Matching =>
  (alias) => {
    const conditions = [
      visibleTo(actor, alias),
      ...(alias === 'r' ? reachableBy(actor) : []),
      ...(filter ? [filterSql(filter, alias)] : []),
      ...(term ? [foundSql(term, alias)] : []),
    ]
    return sql<boolean>`${sql.join(conditions, sql` and `)}`
  }

interface Page {
  readonly rows: Shown[]
  readonly snapshot: string
  readonly changes: number
  readonly position: Position | null
}

const readPage = async (
  ctx: Context,
  request: ListRequest,
  matching: Matching,
  taken: Counted | undefined,
  term: Term | undefined,
): Promise<Page> => {
  if (term && request.by_relevance) return readBest(ctx, request, term)
  const { rows } = await sql<{ page: string | null; snapshot: string; changes: number; position: string | null }>`
    select pg_current_snapshot()::text as snapshot, string_agg(p.id || ' ' || p.stamp || ' ' || p.children_count, ',') as page, (array_agg(p.position))[count(*)] as position,
      ${taken ? changesSince(taken, elsewhereIn(request.filter)) : sql`0`} as changes
    from (${rowsSql(ctx, request, matching)}) p
  `.execute(ctx.db, ctx.limits)
  const { page, snapshot, changes, position } = rows[0]!
  const shown = readRows(page)
  return {
    rows: shown,
    snapshot,
    changes,
    position: position && shown.length === request.page_size ? (JSON.parse(position) as Position) : null,
  }
}

/** One page of a search, ordered by relevance. `changes: 1` makes the count check for writes itself. */
const readBest = async (ctx: Context, { filter, offset, page_size }: ListRequest, term: Term): Promise<Page> => {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(ctx.db, ctx.limits)
  const where = [...reachableBy(ctx.actor), ...(filter ? [filterSql(filter, 'r')] : [])]
  const { hits } = await findBest(ctx, { term, where, narrow: filter !== undefined, most: Math.min(offset + page_size, WINDOW) })
  return { rows: await showHits(ctx, hits.slice(offset)), snapshot: rows[0]!.snapshot, changes: 1, position: null }
}

/** The rows of the page in order: ID, row version, number of children and, for a cursor, the position. */
const rowsSql = (ctx: Context, request: ListRequest, matching: Matching): RawBuilder<unknown> => {
  const { cursor, page_size, offset } = request
  const order = orderOf(request.sort)
  const shown = sql`r.id, r.xmin as stamp, ${childrenSql(ctx.actor, 'r')} as children_count, ${cursor === undefined ? sql`null` : positionSql(order)} as position`
  // A literal: with the limit as a parameter Postgres expects a tenth of the table and plans every page again, at twice the cost.
  const most = sql.lit(page_size)
  const position = readCursor(request, order)
  const after = position ? sql`and ${afterSql(order, position)}` : sql``
  if (cursor !== undefined || offset === 0)
    return sql`select ${shown} from resources r where ${matching('r')} ${after} order by ${orderSql(order)} limit ${most}`
  // Skipped rows are only read from the index; the rows of the page are looked up afterwards.
  return sql`
    select ${shown} from (select r.id from resources r where ${matching('r')} order by ${orderSql(order)} limit ${Math.min(page_size, windowOf(request) - offset)} offset ${offset}) k
    join resources r on r.id = k.id order by ${orderSql(order)}
  `
}

const readRows = (page: string | null): Shown[] => page?.split(',').map(readRow) ?? []

const readRow = (row: string): Shown => {
  const [id = '', stamp = '', children_count = ''] = row.split(' ')
  return { id, stamp, children_count }
}
