import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { runInBatches } from '../../platform/db/in-batches.ts'
import { type CachedCount, type CountQuery, countExactly, NEWEST_FIRST_SQL, writtenSinceSql } from '../../platform/lists/count.ts'
import { decodeCursor } from '../../platform/lists/cursor.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage, toPage } from '../../platform/lists/read-page.ts'
import { getVisibilityKey, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import type { ManualRow } from './edge-rows.ts'
import { toLineageEntry } from './manual.ts'
import type { LineageQuery } from './schema.ts'

/** One page of entries in order of creation: each edge, then its mirror. */
export const listLineageEntries = async (ctx: Context, query: LineageQuery, page: PageRequest) => {
  const { integration_type } = query
  const from = parseEndpointIds(query, 'from')
  const to = parseEndpointIds(query, 'to')
  const narrowed = from !== undefined || to !== undefined
  const down = visibleEdgesSql(ctx, integration_type, endpointsSql(from, to))
  const up = visibleEdgesSql(ctx, integration_type, endpointsSql(to, from))
  const [{ rows }, count] = await Promise.all([
    sql<Row>`${narrowed ? sidesSql(down, up, toPageWindow(page)) : bothSql(down, toPageWindow(page))}`.execute(ctx.db, ctx.limits),
    narrowed || integration_type !== undefined ? countRows(ctx, narrowed ? [down, up] : [down, down]) : countAll(ctx),
  ])
  const found = toPage(page, ORDER, count, rows, { positionOf: ({ id, side }) => [id, String(side)] })
  return mapPage(found, (row) => toLineageEntry(row, row.side === 0 ? 'DOWNSTREAM' : 'UPSTREAM'))
}

/** Each edge is listed as two rows that are not stored as such, so `readPage` cannot be used. */
const ORDER = [
  { name: 'id', type: 'id' },
  { name: 'side', type: 'number' },
] as const

/** How many rows to skip and to read, and the row to start after. */
interface PageWindow {
  readonly offset: number
  readonly limit: number
  readonly after?: { readonly id: string; readonly side: number }
}

const toPageWindow = (page: PageRequest): PageWindow => {
  if (page.cursor === undefined) return { offset: page.offset, limit: page.page_size }
  const [id, side] = decodeCursor(page, ORDER) ?? []
  return { offset: 0, limit: page.page_size + 1, after: id ? { id, side: side === '0' ? 0 : 1 } : undefined }
}

/** One entry of an edge: side 0 is the entry itself, 1 its mirror. */
interface Row extends ManualRow {
  readonly side: number
}

/** A `from` clause with edges under the alias `e`, and its condition. */
interface Edges {
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
}

const COLUMNS = sql`e.id, e.mirror_id, e.upstream, e.downstream, e.created_at, e.updated_at`

/** Reads two indexes in order, each as far as the page needs. */
const sidesSql = (down: Edges, up: Edges, { offset, limit, after }: PageWindow): RawBuilder<unknown> => {
  const side = ({ from, where }: Edges, n: number) => {
    const begin = after ? sql`e.id ${n > after.side ? sql`>=` : sql`>`} ${after.id}` : sql`true`
    return sql`(select ${COLUMNS}, ${sql.lit(n)} as side from ${from} where ${where} and ${begin} order by e.id limit ${offset + limit})`
  }
  return sql`
    select * from (${side(down, 0)} union all ${side(up, 1)}) e order by e.id, e.side limit ${limit} offset ${offset}
  `
}

/** Without endpoint filters every edge has both of its entries in the list, so only half as many edges are skipped. */
const bothSql = ({ from, where }: Edges, { offset, limit, after }: PageWindow): RawBuilder<unknown> => sql`
  select ${COLUMNS}, s.side
  from (
    select e.id from ${from} where ${where} and ${after ? sql`e.id >= ${after.id}` : sql`true`}
    order by e.id limit ${Math.floor(limit / 2) + 2} offset ${Math.floor(offset / 2)}
  ) k join lineage_edges e on e.id = k.id cross join (values (0), (1)) s(side)
  where ${after ? sql`(e.id, s.side) > (${after.id}::uuid, ${after.side}::integer)` : sql`true`}
  order by e.id, s.side limit ${limit} offset ${offset % 2}
`

/** The manual edges whose endpoints the actor sees. An actor who sees everything needs no join with resources. */
const visibleEdgesSql = ({ actor }: Context, integration_type: string | undefined, ends: RawBuilder<unknown>): Edges => {
  const where = sql`e.query is null and ${ends}`
  if (seesEverything(actor) && integration_type === undefined) return { from: sql`lineage_edges e`, where }
  const typed =
    integration_type === undefined
      ? sql`true`
      : sql`exists (select from integrations i where i.id in (u.integration, d.integration) and i.type = ${integration_type})`
  return {
    from: sql`lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream`,
    where: sql`${where} and ${visibleTo(actor, 'u')} and ${visibleTo(actor, 'd')} and ${typed}`,
  }
}

const endpointsSql = (upstream: string[] | undefined, downstream: string[] | undefined): RawBuilder<unknown> =>
  sql`${idFilterSql(sql`e.upstream`, upstream)} and ${idFilterSql(sql`e.downstream`, downstream)}`

// A single ID uses `=` so that the index returns its rows in list order.
const idFilterSql = (column: RawBuilder<unknown>, ids: string[] | undefined): RawBuilder<unknown> =>
  ids === undefined ? sql`true` : ids.length === 1 ? sql`${column} = ${ids[0]}::uuid` : sql`${column} = any(${ids}::uuid[])`

const MAX_IDS = 1000

/** The IDs allowed at one end; each parameter narrows them further. */
const parseEndpointIds = (query: LineageQuery, end: 'from' | 'to'): string[] | undefined => {
  const allowedIds = ([`${end}_entity`, `${end}_entity_id`, `${end}_entity__in`] as const).flatMap((name) => {
    const text = query[name]
    if (text === undefined) return []
    const parts = name.endsWith('__in') ? text.split(',').map((part) => part.trim()) : [text]
    if (parts.length > MAX_IDS) throw invalid({ [name]: [`must contain at most ${MAX_IDS} IDs.`] })
    return [
      parts.map((part) => {
        const id = parseId(part)
        if (!id) throw invalid({ [name]: ['must be a UUID.'] })
        return id
      }),
    ]
  })
  return allowedIds.length === 0 ? undefined : allowedIds.reduce((left, right) => left.filter((id) => right.includes(id)))
}

const countRows = async (ctx: Context, sides: readonly Edges[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select ${sql.join(
      sides.map(({ from, where }) => sql`(select count(*) from ${from} where ${where})`),
      sql` + `,
    )} as count
  `.execute(ctx.db, ctx.limits)
  return rows[0]!.count
}

/** The number of all entries: from the running totals, or for actors with limited visibility a cached count that is valid until a change. */
const countAll = async (ctx: Context): Promise<number> => {
  if (!seesEverything(ctx.actor)) return 2 * (await countExactly(ctx, visibleEdgeCount(ctx)))
  const { rows } = await sql<{ n: number }>`select coalesce(sum(n), 0)::bigint as n from lineage_edge_counts`.execute(ctx.db, ctx.limits)
  return 2 * rows[0]!.n
}

const COUNT_MAX_AGE_MS = 5 * 60_000 // the minimum time resource changes are retained
const MAX_CHANGES = 2_000

const visibleEdgeCount = (ctx: Context): CountQuery => ({
  key: `lineage ${JSON.stringify(getVisibilityKey(ctx.actor))}`,
  usable_for_ms: COUNT_MAX_AGE_MS,
  countAll: async (ctx) => {
    const { from, where } = visibleEdgesSql(ctx, undefined, sql`true`)
    const { rows } = await sql<CachedCount>`
      select count(*) as count, pg_current_snapshot()::text as snapshot from ${from} where ${where}
    `.execute(ctx.db)
    return rows[0]!
  },
  addWritten: async (ctx, then) => ((await hasChanged(ctx, then)) ? undefined : then),
})

/** Whether an edge was added or deleted since then, or a resource became visible or hidden. */
const hasChanged = async ({ db, actor }: Context, { snapshot }: CachedCount): Promise<boolean> => {
  const { rows } = await sql<{ changed: boolean }>`
    with written as materialized (
      select c.resource_id, c.old from resource_changes c where ${writtenSinceSql(snapshot, 'c')} ${NEWEST_FIRST_SQL} limit ${MAX_CHANGES + 1}
    )
    select exists (select from lineage_edge_counts c where ${writtenSinceSql(snapshot, 'c')})
      or (select count(*) from written) > ${MAX_CHANGES}
      or exists (select from written where resource_id is null)
      or exists (
        select from written w join resources r on r.id = w.resource_id
        cross join lateral (select (w.old).*) o
        where o.id is not null and ${visibleTo(actor)} is distinct from ${visibleTo(actor, 'o')}
      ) as changed
  `.execute(db)
  return rows[0]!.changed
}

const MAX_COUNT_ROWS = 1_000

/** Runs every hour: replaces many count rows by their sum. */
export const compactLineageCounts = async (ctx: Context): Promise<void> => {
  const { rows } = await sql<{ many: boolean }>`select count(*) > ${MAX_COUNT_ROWS} as many from lineage_edge_counts`.execute(ctx.db)
  if (!rows[0]!.many) return
  await runInBatches(async (limit) => {
    const { rows } = await sql<{ n: number }>`
      with gone as (delete from lineage_edge_counts where ctid = any(array(select ctid from lineage_edge_counts limit ${limit})) returning n),
        summed as (insert into lineage_edge_counts (n) select sum(n) from gone having count(*) > 0)
      select count(*) as n from gone
    `.execute(ctx.db)
    return rows[0]!.n
  })
}
