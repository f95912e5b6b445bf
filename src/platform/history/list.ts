import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context/context.ts'
import { ApiError } from '../core/errors.ts'
import { type CachedCount, type CountQuery, countExactly, writtenSinceSql } from '../lists/count.ts'
import { type Filter, filterKey } from '../lists/filter.ts'
import { filterSql } from '../lists/filter-sql.ts'
import { orderSql } from '../lists/order.ts'
import { buildCursorEnvelope, buildEnvelope, type Envelope, type PageRequest } from '../lists/page.ts'
import { type Sort, sortToOrder } from '../lists/sort.ts'
import { type Actor, can, seesEverything, visibleTo } from '../permissions/permissions.ts'
import { findRemainingXidRanges, inXidRangesSql, isForeignSnapshot, readCurrentSnapshot } from './commits.ts'
import { type EntryRow, entryColumns, isVersion, limitedChangesSql, SHORT_CHANGES_SQL, toLogEntry, toVersionHistory } from './entry.ts'
import { decodeLogCursor, encodeLogCursor, LOG_START, type LogCursor } from './log-cursor.ts'
import type { AuditLogPage, ResourceLogPage, VersionHistory } from './schema.ts'
import { withTexts } from './texts.ts'

/** With `cursor`, entries are returned in commit order, oldest first, so that a follower misses none. */
export type HistoryRequest = PageRequest

export interface LogRequest extends HistoryRequest {
  readonly filter?: Filter
  readonly sort: Sort
}

/** One page of all activities of the workspace. */
export const listAuditLog = async (ctx: Context, request: LogRequest): Promise<AuditLogPage> => {
  const where = request.filter ? filterSql(request.filter, 'a') : sql<boolean>`true`
  const [{ rows, position }, count] = await Promise.all([
    request.cursor === undefined
      ? readEntryPage(ctx, request, where, orderSql(sortToOrder(request.sort, 'a')), SHORT_CHANGES_SQL)
      : readCommitted(ctx, request, request.cursor, sql`activities`, where, SHORT_CHANGES_SQL),
    countExactly(ctx, buildLogCountQuery(`activities ${filterKey(request.filter)}`, where)),
  ])
  return { results: rows.map(toLogEntry), ...logEnvelope(request, count, position) }
}

/** One page of the activities of a resource, newest first: its versions and the rest. */
export const listResourceLog = async (ctx: Context, request: HistoryRequest, resource_id: string): Promise<ResourceLogPage> => {
  const { rows, count, position } = await readResourceEntries(ctx, request, resource_id, visibleEntriesSql(ctx.actor))
  return {
    non_versioned_logs: rows.filter((row) => !isVersion(row)).map(toLogEntry),
    version_histories: rows.filter(isVersion).map((row) => toVersionHistory(row, can(ctx.actor, 'people.read'))),
    ...logEnvelope(request, count, position),
  }
}

export const listVersionHistories = async (
  ctx: Context,
  request: HistoryRequest,
  resource_id: string,
): Promise<Envelope & { results: VersionHistory[] }> => {
  const { rows, count, position } = await readResourceEntries(ctx, request, resource_id, sql`a.version is not null`)
  return {
    ...historyEnvelope(request, count, position),
    results: rows.filter(isVersion).map((row) => toVersionHistory(row, can(ctx.actor, 'people.read'))),
  }
}

/** Lineage activities, and suggestions with a text of other resources, are visible only to actors who can see all resources involved. */
const visibleEntriesSql = (actor: Actor): RawBuilder<unknown> =>
  seesEverything(actor)
    ? sql`true`
    : sql`(a.activity_type !~ '^(lineage_|change_suggest)' or cardinality(coalesce(a.related_resource_ids, '{}')) =
        (select count(*) from resources r where r.id = any(a.related_resource_ids) and ${visibleTo(actor)}))`

/** Whether the log has an entry for this ID. */
export const isLogged = async (ctx: Context, resource_id: string): Promise<boolean> =>
  (await ctx.db.selectFrom('activities').select('id').where('resource_id', '=', resource_id).limit(1).executeTakeFirst()) !== undefined

// Two edits in the same millisecond are ordered by version.
const LATEST_FIRST_SQL = sql`a.logged_at desc, a.version desc nulls last, a.id desc`

const readResourceEntries = async (ctx: Context, request: HistoryRequest, resource_id: string, where: RawBuilder<unknown>) => {
  const ofResource = sql`a.resource_id = ${resource_id} and ${where}`
  const [{ rows, position }, { rows: counted }] = await Promise.all([
    request.cursor === undefined
      ? readEntryPage(ctx, request, ofResource, LATEST_FIRST_SQL, limitedChangesSql(LATEST_FIRST_SQL))
      : // `offset 0` makes Postgres search by resource, which has few entries, instead of scanning the whole log.
        readCommitted(
          ctx,
          request,
          request.cursor,
          sql`(select a.* from activities a where a.resource_id = ${resource_id} offset 0)`,
          where,
          limitedChangesSql(BY_COMMIT_SQL),
        ),
    sql<{ count: number }>`select count(*) as count from activities a where ${ofResource}`.execute(ctx.db, ctx.limits),
  ])
  return { rows: await withTexts(ctx, rows), position, count: counted[0]!.count }
}

interface EntryPage {
  readonly rows: EntryRow[]
  /** Where reading with a cursor has arrived. */
  readonly position?: LogPosition
}

interface LogPosition {
  readonly next: LogCursor
  /** Whether there are more entries already. */
  readonly more: boolean
}

/** Skipped rows are only counted in the index; the rows of the page are looked up afterwards. */
const readEntryPage = async (
  ctx: Context,
  { page_size, offset }: PageRequest,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  changes: RawBuilder<unknown>,
): Promise<EntryPage> => {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns(changes, ctx.actor)}
    from (select a.id from activities a where ${where} order by ${order} limit ${page_size} offset ${offset}) k
    join activities a on a.id = k.id left join users u on u.id = a.performer_id
    order by ${order}
  `.execute(ctx.db, ctx.limits)
  return { rows }
}

const BY_COMMIT_SQL = sql`a.xid, a.id`
/** Starts with what is committed from now on. */
const FROM_NOW = 'now'

/**
 * The entries of `source` committed after the cursor. Entries of a running transaction are not included and do not block others: they come
 * with a later page, once committed.
 */
const readCommitted = async (
  ctx: Context,
  { page_size }: PageRequest,
  cursor: string,
  source: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  changes: RawBuilder<unknown>,
): Promise<EntryPage> => {
  const now = await readCurrentSnapshot(ctx.db)
  const from = cursor === FROM_NOW ? { ...LOG_START, seen: now } : decodeLogCursor(cursor)
  if (isForeignSnapshot(from.target ?? from.seen, now))
    throw new ApiError(
      'invalid_page',
      'cursor: this cursor was created before the database was restored. Start again with an empty cursor.',
    )
  const step = { ...from, target: from.target ?? now }
  const after = step.at_xid === null ? sql`true` : sql`(a.xid, a.id) > (${step.at_xid}::text::xid8, ${step.at_id}::uuid)`
  const { rows } = await sql<EntryRow & { xid: string }>`
    select a.xid::text as xid, ${entryColumns(changes, ctx.actor)}
    from (
      select t.id from ${inXidRangesSql(findRemainingXidRanges(step))} cross join lateral (
        select a.id, a.xid from ${source} a
        where a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${step.seen}::text::pg_snapshot) and ${after} and ${where}
        order by a.xid, a.id limit ${page_size + 1}
      ) t order by t.xid, t.id limit ${page_size + 1}
    ) k join activities a on a.id = k.id left join users u on u.id = a.performer_id
    order by ${BY_COMMIT_SQL}
  `.execute(ctx.db, ctx.limits)
  const page = rows.slice(0, page_size)
  const last = page.at(-1)
  const more = rows.length > page_size
  return {
    rows: page,
    position: { more, next: more ? { ...step, at_xid: last!.xid, at_id: last!.id } : { ...LOG_START, seen: step.target } },
  }
}

/** Entries are only ever added, so any earlier count can be updated by the entries its snapshot did not see. */
const buildLogCountQuery = (key: string, where: RawBuilder<boolean>): CountQuery => ({
  key,
  countAll: (ctx) => countEntries(ctx, 0, where),
  addWritten: (ctx, then) => countEntries(ctx, then.count, sql<boolean>`${writtenSinceSql(then.snapshot, 'a')} and ${where}`),
})

const countEntries = async (ctx: Context, base: number, where: RawBuilder<boolean>): Promise<CachedCount> => {
  const { rows } = await sql<CachedCount>`
    select ${base}::bigint + count(*) as count, pg_current_snapshot()::text as snapshot from activities a where ${where}
  `.execute(ctx.db, ctx.limits)
  return rows[0]!
}

const logEnvelope = (request: PageRequest, count: number, position: LogPosition | undefined) => {
  const { meta, total_pages } = historyEnvelope(request, count, position)
  return { total_pages, count, meta: { ...meta, count, total_pages } }
}

const historyEnvelope = (request: PageRequest, count: number, position: LogPosition | undefined) => {
  if (!position) return buildEnvelope(request, count)
  const follow_cursor = encodeLogCursor(position.next)
  const head = buildCursorEnvelope(request, count, position.more ? follow_cursor : null)
  return { ...head, meta: { ...head.meta, follow_cursor } }
}
