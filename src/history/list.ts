import { type RawBuilder, sql } from 'kysely'
import { type Actor, seesEverything, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { type Counted, type Counting, exactCount, writtenSince } from '../lists/count.ts'
import { type Filter, filterKey } from '../lists/filter.ts'
import { filterSql } from '../lists/filter-sql.ts'
import { envelope, type PageRequest } from '../lists/page.ts'
import { orderSql, type Sort } from '../lists/sort.ts'
import { boundedChanges, type EntryRow, entryColumns, isVersion, shortChanges, toLogEntry, toVersionHistory } from './entry.ts'
import type { AuditLogPage, ResourceLogPage, VersionHistory } from './schema.ts'
import { withTexts } from './texts.ts'

export interface LogRequest extends PageRequest {
  readonly filter?: Filter
  readonly sort: Sort
}

/** One page of everything that happened in the workspace. */
export const listAuditLog = async (ctx: Context, request: LogRequest): Promise<AuditLogPage> => {
  const where = request.filter ? filterSql(request.filter, 'a') : sql<boolean>`true`
  const [rows, count] = await Promise.all([
    readEntries(ctx, request, where, orderSql(request.sort, 'a'), shortChanges),
    exactCount(ctx, countingOf(`activities ${filterKey(request.filter)}`, where)),
  ])
  return { results: rows.map(toLogEntry), ...logEnvelope(request, count) }
}

/** One page of what happened to a resource, newest first: its versions, and the rest. */
export const listResourceLog = async (ctx: Context, request: PageRequest, resource_id: string): Promise<ResourceLogPage> => {
  const { rows, count } = await readOf(ctx, request, sql`a.resource_id = ${resource_id} and ${toldTo(ctx.actor)}`)
  return {
    non_versioned_logs: rows.filter((row) => !isVersion(row)).map(toLogEntry),
    version_histories: rows.filter(isVersion).map(toVersionHistory),
    ...logEnvelope(request, count),
  }
}

export const listVersionHistories = async (
  ctx: Context,
  request: PageRequest,
  resource_id: string,
): Promise<{ results: VersionHistory[]; count: number }> => {
  const { rows, count } = await readOf(ctx, request, sql`a.resource_id = ${resource_id} and a.version is not null`)
  return { results: rows.filter(isVersion).map(toVersionHistory), count }
}

/** What was said of a flow between resources is told to those who see all of them. */
const toldTo = (actor: Actor): RawBuilder<unknown> =>
  seesEverything(actor)
    ? sql`true`
    : sql`(not starts_with(a.activity_type, 'lineage_') or cardinality(a.related_resource_ids) =
        (select count(*) from resources r where r.id = any(a.related_resource_ids) and ${visibleTo(actor)}))`

/** Does the log know anything of this ID? */
export const isLogged = async (ctx: Context, resource_id: string): Promise<boolean> =>
  (await ctx.db.selectFrom('activities').select('id').where('resource_id', '=', resource_id).limit(1).executeTakeFirst()) !== undefined

// Two edits in one millisecond are told apart by their versions.
const LATEST_FIRST = sql`a.logged_at desc, a.version desc nulls last, a.id desc`

const readOf = async (ctx: Context, request: PageRequest, where: RawBuilder<unknown>) => {
  const [rows, { rows: counted }] = await Promise.all([
    readEntries(ctx, request, where, LATEST_FIRST, boundedChanges(LATEST_FIRST)),
    sql<{ count: number }>`select count(*) as count from activities a where ${where}`.execute(ctx.db, ctx.limits),
  ])
  return { rows: await withTexts(ctx, rows), count: counted[0]!.count }
}

/** The rows passed over are only counted off in the index; those of the page are looked up after that. */
const readEntries = async (
  ctx: Context,
  { page_size, offset }: PageRequest,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  changes: RawBuilder<unknown>,
): Promise<EntryRow[]> => {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns(changes)}
    from (select a.id from activities a where ${where} order by ${order} limit ${page_size} offset ${offset}) k
    join activities a on a.id = k.id left join users u on u.id = a.performer_id
    order by ${order}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Entries are only ever added, so a count goes on from any earlier one: what its snapshot did not see is new. */
const countingOf = (key: string, where: RawBuilder<boolean>): Counting => ({
  key,
  countAll: (ctx) => count(ctx, 0, where),
  addWritten: (ctx, then) => count(ctx, then.count, sql<boolean>`${writtenSince(then.snapshot, 'a')} and ${where}`),
})

const count = async (ctx: Context, base: number, where: RawBuilder<boolean>): Promise<Counted> => {
  const { rows } = await sql<Counted>`
    select ${base}::bigint + count(*) as count, pg_current_snapshot()::text as snapshot from activities a where ${where}
  `.execute(ctx.db, ctx.limits)
  return rows[0]!
}

const logEnvelope = (request: PageRequest, count: number) => {
  const { meta, total_pages } = envelope(request, count)
  return { total_pages, count, meta: { ...meta, count, total_pages } }
}
