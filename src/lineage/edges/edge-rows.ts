import { type RawBuilder, sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { runInBatches } from '../../platform/db/in-batches.ts'
import { anyOf, opaqueArrayParam } from '../../platform/db/opaque-params.ts'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'
import { edgesAtNodeSql } from './links.ts'

/** The SQL of lineage edges. */

/** A resource at one end of an edge, with the fields an activity needs. */
export interface EdgeEnd {
  readonly id: string
  readonly entity_type: string
  readonly title: string
  readonly icon: string | null
  readonly integration: string | null
  readonly parent: string | null
}

/** The resources the actor sees, locked against deletion until the transaction ends, so that no edge is left dangling. */
export const lockEdgeEnds = async (db: Db, actor: Actor, ids: readonly string[]): Promise<Map<string, EdgeEnd>> => {
  const { rows } = await sql<EdgeEnd>`
    select r.id, r.entity_type, r.title, r.icon, r.integration, r.parent
    from resources r where r.id = ${anyOf(ids)} and ${visibleTo(actor)} order by r.id for key share
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface ManualRow {
  readonly id: string
  readonly mirror_id: string
  readonly upstream: string
  readonly downstream: string
  readonly created_at: string
  readonly updated_at: string
}

/** Returns the IDs of the edges that did not exist. */
export const insertManualEdges = async (
  ctx: Context,
  edges: readonly Pick<ManualRow, 'id' | 'mirror_id' | 'upstream' | 'downstream'>[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    insert into lineage_edges (id, mirror_id, upstream, downstream, created_at, updated_at)
    select id, mirror_id, upstream, downstream, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
    from json_to_recordset(${JSON.stringify(edges)}::text::json) as e(id uuid, mirror_id uuid, upstream uuid, downstream uuid)
    order by upstream, downstream
    on conflict (upstream, downstream, query) do nothing
    returning id
  `.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}

const MANUAL_COLUMNS_SQL = sql`e.id, e.mirror_id, e.upstream, e.downstream, e.created_at, e.updated_at`

/** With one index lookup each: for a list of unknown length, Postgres would read all edges as long as these are some thousands. */
export const findManualEdgePairs = async (db: Db, pairs: readonly { upstream: string; downstream: string }[]): Promise<ManualRow[]> => {
  const { rows } = await sql<ManualRow>`
    select ${MANUAL_COLUMNS_SQL} from json_to_recordset(${JSON.stringify(pairs)}::text::json) as p(upstream uuid, downstream uuid)
    cross join lateral (
      select e.* from lineage_edges e where e.upstream = p.upstream and e.downstream = p.downstream and e.query is null offset 0
    ) e
  `.execute(db)
  return [...rows]
}

/** The edges that have these entry or mirror IDs, if the actor sees both of their endpoints. */
export const findManualEdges = async (db: Db, actor: Actor, ids: readonly string[]): Promise<ManualRow[]> => {
  const { rows } = await sql<ManualRow>`
    select ${MANUAL_COLUMNS_SQL} from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
    where (e.id = any(${ids}::uuid[]) or e.mirror_id = any(${ids}::uuid[])) and e.query is null and ${visibleTo(actor, 'u')} and ${visibleTo(actor, 'd')}
  `.execute(db)
  return rows
}

/** Returns the IDs of those that had not been deleted already. */
export const deleteManualEdgeRows = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    delete from lineage_edges e where e.id = any(${ids}::uuid[]) and e.query is null returning e.id
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export interface QueryRow {
  readonly hash: Buffer
  readonly sql: string
  readonly dialect: string
  readonly engine_version: string
  readonly statements: readonly {
    readonly kind: string
    readonly start: number
    readonly end: number
    /** The resource of the job that reported the edge, if no query did. */
    readonly job?: string
  }[]
}

/** What identifies a query. */
export const toQueryKey = ({ hash, dialect, engine_version }: Pick<QueryRow, 'hash' | 'dialect' | 'engine_version'>): string =>
  `${hash.toString('hex')} ${dialect} ${engine_version}`

/**
 * By a list of hashes, and not only by a join: for a list of unknown length, Postgres would read all queries as long as these are some thousands, for each
 * event that reports a job.
 */
const isQuerySql = sql`q.hash = w.hash and q.dialect = w.dialect and q.engine_version = w.engine_version and q.hash = any(array(select hash from wanted))`

const QUERY_COLUMNS_SQL = sql`hash text, sql text, dialect text, engine_version text, statements jsonb`
const toParam = (queries: readonly QueryRow[]): string =>
  JSON.stringify(queries.map(({ hash, ...query }) => ({ ...query, hash: hash.toString('hex') })))

/** The IDs of the queries that exist, by key. */
export const findQueryIds = async (db: Db, queries: readonly QueryRow[]): Promise<Map<string, number>> => {
  if (queries.length === 0) return new Map()
  const { rows } = await sql<SavedQuery>`
    with wanted as (
      select decode(x.hash, 'hex') as hash, x.dialect, x.engine_version
      from json_to_recordset(${toParam(queries)}::text::json) as x(${QUERY_COLUMNS_SQL})
    )
    select q.id, q.hash, q.dialect, q.engine_version from wanted w
    join lineage_queries q on ${isQuerySql} order by q.id for key share of q
  `.execute(db)
  return new Map(rows.map((row) => [toQueryKey(row), row.id]))
}

type SavedQuery = Pick<QueryRow, 'hash' | 'dialect' | 'engine_version'> & { readonly id: number }

/** The IDs of the queries with these hashes (hex), for any dialect and engine version, by hash. */
export const findQueries = async (db: Db, hashes: readonly string[]): Promise<Map<string, number[]>> => {
  if (hashes.length === 0) return new Map()
  const { rows } = await sql<{ id: number; hash: Buffer }>`
    select id, hash from lineage_queries where hash = any(array(select decode(h, 'hex') from unnest(${hashes}::text[]) h))
  `.execute(db)
  const found = Map.groupBy(rows, ({ hash }) => hash.toString('hex'))
  return new Map([...found].map(([hash, same]) => [hash, same.map(({ id }) => id)]))
}

/** Saves the queries that do not exist yet. Returns the IDs of all, by key. */
export const saveQueries = async (ctx: Context, queries: readonly QueryRow[]): Promise<Map<string, number>> => {
  if (queries.length === 0) return new Map()
  const { rows } = await sql<SavedQuery>`
    with wanted as (
      select decode(x.hash, 'hex') as hash, x.sql, x.dialect, x.engine_version, x.statements
      from json_to_recordset(${toParam(queries)}::text::json) as x(${QUERY_COLUMNS_SQL})
    ), known as (
      select q.id, q.hash, q.dialect, q.engine_version from wanted w
      join lineage_queries q on ${isQuerySql} order by q.id for key share of q
    ), kept as (
      insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at)
      select w.hash, w.sql, w.dialect, w.engine_version, w.statements, ${ctx.now}::timestamptz from wanted w
      where not exists (select from known k where k.hash = w.hash and k.dialect = w.dialect and k.engine_version = w.engine_version)
      order by w.hash, w.dialect, w.engine_version
      on conflict (hash, dialect, engine_version) do nothing returning id, hash, dialect, engine_version
    )
    select * from known union all select * from kept
  `.execute(ctx.db)
  const ids = new Map(rows.map((row) => [toQueryKey(row), row.id]))
  const others = queries.filter((query) => !ids.has(toQueryKey(query))) // a concurrent transaction inserted them
  for (const [key, id] of await findQueryIds(ctx.db, others)) ids.set(key, id)
  return ids
}

/** Runs every hour: deletes queries whose edges were deleted with their resources. */
export const deleteUnusedQueries = async (ctx: Context): Promise<void> => {
  let after = 0 // a query that is used again meanwhile stays, so each batch starts after the previous one
  await runInBatches(async (limit) => {
    const { rows } = await sql<{ id: number }>`
      select q.id from lineage_queries q
      where q.id > ${after} and q.created_at < ${ctx.now}::timestamptz - interval '1 hour' and not exists (select from lineage_edges e where e.query = q.id)
      order by q.id limit ${limit}
    `.execute(ctx.db)
    const ids = rows.map(({ id }) => id)
    await inTransaction(ctx, (ctx) => deleteIfUnused(ctx, ids))
    after = ids.at(-1) ?? after
    return ids.length
  })
}

/**
 * Deletes those of these queries that have no edge left. They are locked first and then checked again: a transaction that just wrote an edge
 * also held the lock, and the second statement sees that edge. Pipelined, executed in this order.
 */
const deleteIfUnused = async (ctx: Context, queries: readonly number[]): Promise<void> => {
  if (queries.length === 0) return
  // Without `offset 0` the planner scans all edges to check these few queries.
  const unused = sql`
    lineage_queries q where q.id = ${anyOf(queries.map(String), 'bigint')} and not exists (select from lineage_edges e where e.query = q.id offset 0)`
  await Promise.all([sql`select from ${unused} order by q.id for update`.execute(ctx.db), sql`delete from ${unused}`.execute(ctx.db)])
}

export type EdgeKind = 'table' | 'identity' | 'expression' | 'aggregation' | 'filter'

/** An edge a query implies, with its position in the query text. */
export interface DerivedEdge {
  readonly upstream: string
  readonly downstream: string
  readonly kind: EdgeKind
  readonly statement: number
  readonly span_start: number
  readonly span_end: number
}

export interface DerivedEdgeRow extends DerivedEdge {
  readonly id: string
  readonly query: number
  /** The target the edge belongs to: its downstream resource, or the table of that column. */
  readonly target: string
}

/** Serializes concurrent derivations for the same target. */
export const lockTargets = async (db: Db, targets: readonly string[]): Promise<void> => {
  await sql`select from resources r where r.id = ${anyOf(targets)} order by r.id for no key update`.execute(db)
}

/**
 * All derived edges into these tables or their columns, with one index lookup each: see `linksSql`. `is not distinct from` keeps the planner from reading the
 * index of all columns for each table, as it does in a catalog that it takes for empty.
 */
export const findDerivedEdges = async (db: Db, targets: readonly string[]): Promise<DerivedEdgeRow[]> => {
  const { rows } = await sql<DerivedEdgeRow>`
    with recursive below as (
      select id, id as target from unnest(${opaqueArrayParam(targets)}) as t(id)
      union
      select c.id, b.target from below b cross join lateral (
        select c.id from resources c where c.parent = b.id and c.entity_type is not distinct from 'column' offset 0
      ) c
    )
    select e.id, e.upstream, e.downstream, e.query, e.kind, e.statement, e.span_start, e.span_end, b.target
    from below b cross join lateral (
      select e.* from lineage_edges e where ${edgesAtNodeSql(sql`e.downstream`, sql`b.id`)} and e.query is not null offset 0
    ) e
  `.execute(db)
  return [...rows]
}

const DERIVED_COLUMNS_SQL = sql`id uuid, upstream uuid, downstream uuid, query bigint, kind text, statement int, span_start int, span_end int`

export const insertDerivedEdges = (ctx: Context, edges: readonly Omit<DerivedEdgeRow, 'target'>[]): Promise<void> =>
  executeIfRows(
    ctx,
    edges,
    sql`
    insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
    select id, upstream, downstream, query, kind, statement, span_start, span_end, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
    from json_to_recordset(${JSON.stringify(edges)}::text::json) as e(${DERIVED_COLUMNS_SQL})
    on conflict (upstream, downstream, query) do nothing`,
  )

export const updateDerivedEdges = (ctx: Context, edges: readonly Omit<DerivedEdgeRow, 'target'>[]): Promise<void> =>
  executeIfRows(
    ctx,
    edges,
    sql`
    update lineage_edges e set kind = x.kind, statement = x.statement, span_start = x.span_start, span_end = x.span_end,
      updated_at = ${ctx.now}::timestamptz
    from json_to_recordset(${JSON.stringify(edges)}::text::json) as x(${DERIVED_COLUMNS_SQL}) where e.id = x.id`,
  )

/** Deletes edges, and the queries that have no edge left. */
export const deleteDerivedEdges = async (ctx: Context, edges: readonly DerivedEdgeRow[]): Promise<void> => {
  const queries = [...new Set(edges.map(({ query }) => query))]
  // Pipelined, executed in this order.
  await Promise.all([
    executeIfRows(ctx, edges, sql`delete from lineage_edges where id = ${anyOf(edges.map(({ id }) => id))}`),
    deleteIfUnused(ctx, queries),
  ])
}

const executeIfRows = async (ctx: Context, rows: readonly unknown[], statement: RawBuilder<unknown>): Promise<void> => {
  if (rows.length > 0) await statement.execute(ctx.db)
}
