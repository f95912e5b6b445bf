import { createHash } from 'node:crypto'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { type Activity, recordActivities } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import {
  type DerivedEdge,
  type DerivedEdgeRow,
  deleteDerivedEdges,
  type EdgeEnd,
  findDerivedEdges,
  findQueries,
  findQuery,
  insertDerivedEdges,
  lockEdgeEnds,
  lockTargets,
  type QueryRow,
  saveQuery,
  updateDerivedEdges,
} from './edge-rows.ts'
import { joinKey, toActivityResource } from './edges.ts'

/** The only writer of edges derived from queries. */

/** The lineage one query gives to the tables it writes. */
export interface DerivedLineage {
  readonly query: Omit<QueryRow, 'hash'>
  /** The tables whose upstream the query defines. */
  readonly targets: readonly string[]
  readonly edges: readonly DerivedEdge[]
}

export interface ReplaceOptions {
  readonly replace: readonly string[]
  readonly instead_of?: readonly string[]
}

/** The hash that identifies a query. */
export const queryHash = (sql: string): string => createHash('sha256').update(sql).digest('hex')

/**
 * Saves the edges a query derives for its targets. Deletes edges of the same query that it no longer implies, all other derived edges of the
 * targets in `replace`, and all edges of the queries in `instead_of` (SHA-256, hex). Manual edges stay, and rows that are already correct are
 * not written, so deriving the same lineage again writes nothing.
 */
export const saveDerivedEdges = (
  ctx: Context,
  { query, targets, edges }: DerivedLineage,
  { replace, instead_of = [] }: ReplaceOptions,
): Promise<{ added: number; changed: number; removed: number }> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    if (targets.length === 0) return { added: 0, changed: 0, removed: 0 }
    const hashed = { ...query, hash: Buffer.from(queryHash(query.sql), 'hex') }
    // Pipelined, executed in this order: existing edges are read after the locks are held.
    const [, ends, number, before, former] = await Promise.all([
      lockTargets(ctx.db, targets),
      lockEdgeEnds(ctx.db, ctx.actor, [...new Set([...targets, ...edges.flatMap(({ upstream, downstream }) => [upstream, downstream])])]),
      // A query without edges is not stored, but edges it had earlier are deleted.
      edges.length > 0 ? saveQuery(ctx, hashed) : findQuery(ctx.db, hashed).then((found) => found ?? NO_QUERY_ID),
      findDerivedEdges(ctx.db, targets),
      findQueries(ctx.db, instead_of),
    ])
    const desired = new Map<string, DerivedEdge>()
    for (const edge of edges) {
      const key = joinKey(edge.upstream, edge.downstream)
      // Either resource may have been deleted since its name was resolved.
      const isValid = edge.upstream !== edge.downstream && ends.has(edge.upstream) && ends.has(edge.downstream)
      if (isValid && !desired.has(key)) desired.set(key, edge)
    }
    const changed: Omit<DerivedEdgeRow, 'target'>[] = []
    const removed: DerivedEdgeRow[] = []
    for (const row of before) {
      const key = joinKey(row.upstream, row.downstream)
      const edge = row.query === number ? desired.get(key) : undefined
      if (!edge && (row.query === number || replace.includes(row.target) || former.has(row.query))) removed.push(row)
      if (edge && !isSameEdge(edge, row)) changed.push({ ...edge, id: row.id, query: number })
      if (edge) desired.delete(key)
    }
    const added = [...desired.values()].map((edge) => ({ id: newId(), query: number, ...edge }))
    const targetOf = ({ downstream }: DerivedEdge) =>
      targets.includes(downstream) ? downstream : (ends.get(downstream)!.parent ?? downstream)
    const withTarget = (edges: readonly Omit<DerivedEdgeRow, 'target'>[]) => edges.map((edge) => ({ ...edge, target: targetOf(edge) }))
    // Inserts before deletes: otherwise a query left with only new edges would look unused and be deleted.
    await Promise.all([
      updateDerivedEdges(ctx, changed),
      insertDerivedEdges(ctx, added),
      deleteDerivedEdges(ctx, removed),
      recordActivities(ctx, toDerivedActivities(ends, before, withTarget(added), withTarget(changed), removed)),
    ])
    return { added: added.length, changed: changed.length, removed: removed.length }
  })

const NO_QUERY_ID = 0 // queries are numbered from one

const isSameEdge = (one: DerivedEdge, other: DerivedEdge): boolean =>
  one.kind === other.kind && one.statement === other.statement && one.span_start === other.span_start && one.span_end === other.span_end

/** One activity for each target whose edges changed: its upstream tables and number of column pairs, before and after. */
const toDerivedActivities = (
  ends: ReadonlyMap<string, EdgeEnd>,
  before: readonly DerivedEdgeRow[],
  added: readonly DerivedEdgeRow[],
  changed: readonly DerivedEdgeRow[],
  removed: readonly DerivedEdgeRow[],
): Activity[] => {
  const removedIds = new Set(removed.map(({ id }) => id))
  const after = [...before.filter(({ id }) => !removedIds.has(id)), ...added]
  const touched = [...new Set([...added, ...changed, ...removed].map(({ target }) => target))]
  return touched.flatMap((target) => {
    const [then, now] = [summarizeUpstream(before, target), summarizeUpstream(after, target)]
    const end = ends.get(target)
    if (!end) return []
    return {
      ...toActivityResource(end),
      activity_type: 'lineage_derived',
      related_resource_ids: [...new Set([...then.upstream, ...now.upstream])],
      related_resource_type: 'table',
      changes: diffFields(then, now, ['upstream', 'column_pairs']),
    }
  })
}

const summarizeUpstream = (rows: readonly DerivedEdgeRow[], target: string) => {
  const own = rows.filter((row) => row.target === target)
  return {
    upstream: [...new Set(own.filter(({ kind }) => kind === 'table').map(({ upstream }) => upstream))].sort(),
    column_pairs: new Set(own.filter(({ kind }) => kind !== 'table').map(({ upstream, downstream }) => joinKey(upstream, downstream))).size,
  }
}
