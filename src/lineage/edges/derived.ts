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
  findQueryIds,
  insertDerivedEdges,
  lockEdgeEnds,
  lockTargets,
  type QueryRow,
  saveQueries,
  toQueryKey,
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

/** Lineage to be saved, and what it replaces. */
export interface DerivedChange extends ReplaceOptions {
  readonly lineage: DerivedLineage
}

export interface EdgeCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
}
const NO_EDGES: EdgeCounts = { added: 0, changed: 0, removed: 0 }

/**
 * Saves the edges a query derives for its targets. Deletes edges of the same query that it no longer implies, all other derived edges of the
 * targets in `replace`, and all edges of the queries in `instead_of` (SHA-256, hex). Manual edges stay, and rows that are already correct are
 * not written, so deriving the same lineage again writes nothing.
 */
export const saveDerivedEdges = (ctx: Context, lineage: DerivedLineage, options: ReplaceOptions): Promise<EdgeCounts> =>
  saveAllDerivedEdges(ctx, [{ lineage, ...options }])

/** The same for the lineage of many targets, with as many statements as for one. */
export const saveAllDerivedEdges = (ctx: Context, changes: readonly DerivedChange[]): Promise<EdgeCounts> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    let total = NO_EDGES
    for (const batch of splitByTarget(changes)) {
      const { added, changed, removed } = await saveDisjoint(ctx, batch)
      total = { added: total.added + added, changed: total.changed + changed, removed: total.removed + removed }
    }
    return total
  })

/** What changes the same target is saved one after the other. */
const splitByTarget = (changes: readonly DerivedChange[]): DerivedChange[][] => {
  const batches: { readonly changes: DerivedChange[]; readonly targets: Set<string> }[] = []
  for (const change of changes) {
    const { targets } = change.lineage
    if (targets.length === 0) continue
    const last = batches.at(-1)
    if (last && !targets.some((target) => last.targets.has(target))) {
      last.changes.push(change)
      for (const target of targets) last.targets.add(target)
    } else batches.push({ changes: [change], targets: new Set(targets) })
  }
  return batches.map(({ changes }) => changes)
}

const saveDisjoint = async (ctx: Context, batch: readonly DerivedChange[]): Promise<EdgeCounts> => {
  const changes = batch.map(({ lineage, ...options }) => {
    const query = { ...lineage.query, hash: Buffer.from(queryHash(lineage.query.sql), 'hex') }
    return { ...lineage, ...options, query, key: toQueryKey(query) }
  })
  const targets = changes.flatMap((change) => change.targets)
  const ids = new Set([...targets, ...changes.flatMap(({ edges }) => edges.flatMap(({ upstream, downstream }) => [upstream, downstream]))])
  const unique = (list: typeof changes) => [...new Map(list.map(({ key, query }) => [key, query])).values()]
  // Pipelined, executed in this order: existing edges are read after the locks are held.
  const [, ends, saved, found, before, former] = await Promise.all([
    lockTargets(ctx.db, targets),
    lockEdgeEnds(ctx.db, ctx.actor, [...ids]),
    saveQueries(ctx, unique(changes.filter(({ edges }) => edges.length > 0))),
    // A query without edges is not stored, but edges it had earlier are deleted.
    findQueryIds(ctx.db, unique(changes.filter(({ edges }) => edges.length === 0))),
    findDerivedEdges(ctx.db, targets),
    findQueries(ctx.db, [...new Set(changes.flatMap(({ instead_of = [] }) => instead_of))]),
  ])
  const existing = Map.groupBy(before, ({ target }) => target)
  const diffs = changes.map((change) => {
    const query = saved.get(change.key) ?? found.get(change.key) ?? NO_QUERY_ID
    const instead = new Set((change.instead_of ?? []).flatMap((hash) => former.get(hash) ?? []))
    return diffEdges(
      { ...change, id: query, instead },
      change.targets.flatMap((target) => existing.get(target) ?? []),
      ends,
    )
  })
  const [added, changed, removed] = [
    diffs.flatMap((diff) => diff.added),
    diffs.flatMap((diff) => diff.changed),
    diffs.flatMap((diff) => diff.removed),
  ]
  // Inserts before deletes: otherwise a query left with only new edges would look unused and be deleted.
  await Promise.all([
    updateDerivedEdges(ctx, changed),
    insertDerivedEdges(ctx, added),
    deleteDerivedEdges(ctx, removed),
    recordActivities(ctx, toDerivedActivities(ends, before, added, changed, removed)),
  ])
  return { added: added.length, changed: changed.length, removed: removed.length }
}

const NO_QUERY_ID = 0 // queries are numbered from one

interface SavedChange extends Pick<DerivedLineage, 'targets' | 'edges'> {
  /** Of its query. */
  readonly id: number
  readonly replace: readonly string[]
  /** Queries whose edges it replaces. */
  readonly instead: ReadonlySet<number>
}

interface EdgeDiff {
  readonly added: readonly DerivedEdgeRow[]
  readonly changed: readonly DerivedEdgeRow[]
  readonly removed: readonly DerivedEdgeRow[]
}

const diffEdges = (
  { id: query, targets, edges, replace, instead }: SavedChange,
  before: readonly DerivedEdgeRow[],
  ends: ReadonlyMap<string, EdgeEnd>,
): EdgeDiff => {
  const desired = new Map<string, DerivedEdge>()
  for (const edge of edges) {
    const key = joinKey(edge.upstream, edge.downstream)
    // Either resource may have been deleted since its name was resolved.
    const isValid = edge.upstream !== edge.downstream && ends.has(edge.upstream) && ends.has(edge.downstream)
    if (isValid && !desired.has(key)) desired.set(key, edge)
  }
  const targetOf = ({ downstream }: DerivedEdge) =>
    targets.includes(downstream) ? downstream : (ends.get(downstream)!.parent ?? downstream)
  const changed: DerivedEdgeRow[] = []
  const removed: DerivedEdgeRow[] = []
  for (const row of before) {
    const key = joinKey(row.upstream, row.downstream)
    const edge = row.query === query ? desired.get(key) : undefined
    if (!edge && (row.query === query || replace.includes(row.target) || instead.has(row.query))) removed.push(row)
    if (edge && !isSameEdge(edge, row)) changed.push({ ...edge, id: row.id, query, target: targetOf(edge) })
    if (edge) desired.delete(key)
  }
  return { added: [...desired.values()].map((edge) => ({ id: newId(), query, ...edge, target: targetOf(edge) })), changed, removed }
}

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
  const [rowsBefore, rowsAfter] = [before, after].map((rows) => Map.groupBy(rows, ({ target }) => target))
  return touched.flatMap((target) => {
    const [then, now] = [summarizeUpstream(rowsBefore!.get(target)), summarizeUpstream(rowsAfter!.get(target))]
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

const summarizeUpstream = (rows: readonly DerivedEdgeRow[] = []) => ({
  upstream: [...new Set(rows.filter(({ kind }) => kind === 'table').map(({ upstream }) => upstream))].sort(),
  column_pairs: new Set(rows.filter(({ kind }) => kind !== 'table').map(({ upstream, downstream }) => joinKey(upstream, downstream))).size,
})
