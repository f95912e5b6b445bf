import { createHash } from 'node:crypto'
import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { diff } from '../history/diff.ts'
import { type Activity, recordActivities } from '../history/record.ts'
import { newId } from '../id.ts'
import { about, keyOf } from './edges.ts'
import {
  type Derived,
  type DerivedRow,
  type End,
  findDerived,
  findQueries,
  findQuery,
  insertDerived,
  keepQuery,
  lockEnds,
  lockTargets,
  type QueryRow,
  removeDerived,
  updateDerived,
} from './store.ts'

/** The only writer of edges derived from queries. */

/** The lineage one query gives to the tables it writes. */
export interface Derivation {
  readonly query: Omit<QueryRow, 'hash'>
  /** The tables whose upstream the query defines. */
  readonly targets: readonly string[]
  readonly edges: readonly Derived[]
}

export interface Instead {
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
export const putDerivedEdges = (
  ctx: Context,
  { query, targets, edges }: Derivation,
  { replace, instead_of = [] }: Instead,
): Promise<{ added: number; changed: number; removed: number }> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    if (targets.length === 0) return { added: 0, changed: 0, removed: 0 }
    const hashed = { ...query, hash: Buffer.from(queryHash(query.sql), 'hex') }
    // Pipelined, executed in this order: existing edges are read after the locks are held.
    const [, ends, number, before, former] = await Promise.all([
      lockTargets(ctx.db, targets),
      lockEnds(ctx.db, ctx.actor, [...new Set([...targets, ...edges.flatMap(({ upstream, downstream }) => [upstream, downstream])])]),
      // A query without edges is not stored, but edges it had earlier are deleted.
      edges.length > 0 ? keepQuery(ctx, hashed) : findQuery(ctx.db, hashed).then((known) => known ?? NONE),
      findDerived(ctx.db, targets),
      findQueries(ctx.db, instead_of),
    ])
    const wanted = new Map<string, Derived>()
    for (const edge of edges) {
      const key = keyOf(edge.upstream, edge.downstream)
      // Either resource may have been deleted since its name was resolved.
      const stands = edge.upstream !== edge.downstream && ends.has(edge.upstream) && ends.has(edge.downstream)
      if (stands && !wanted.has(key)) wanted.set(key, edge)
    }
    const changed: Omit<DerivedRow, 'target'>[] = []
    const removed: DerivedRow[] = []
    for (const row of before) {
      const key = keyOf(row.upstream, row.downstream)
      const edge = row.query === number ? wanted.get(key) : undefined
      if (!edge && (row.query === number || replace.includes(row.target) || former.has(row.query))) removed.push(row)
      if (edge && !same(edge, row)) changed.push({ ...edge, id: row.id, query: number })
      if (edge) wanted.delete(key)
    }
    const added = [...wanted.values()].map((edge) => ({ id: newId(), query: number, ...edge }))
    const targetOf = ({ downstream }: Derived) => (targets.includes(downstream) ? downstream : (ends.get(downstream)!.parent ?? downstream))
    const placed = (edges: readonly Omit<DerivedRow, 'target'>[]) => edges.map((edge) => ({ ...edge, target: targetOf(edge) }))
    // Inserts before deletes: otherwise a query left with only new edges would look unused and be deleted.
    await Promise.all([
      updateDerived(ctx, changed),
      insertDerived(ctx, added),
      removeDerived(ctx, removed),
      recordActivities(ctx, told(ends, before, placed(added), placed(changed), removed)),
    ])
    return { added: added.length, changed: changed.length, removed: removed.length }
  })

const NONE = 0 // queries are numbered from one

const same = (one: Derived, other: Derived): boolean =>
  one.kind === other.kind && one.statement === other.statement && one.span_start === other.span_start && one.span_end === other.span_end

/** One activity for each target whose edges changed: its upstream tables and number of column pairs, before and after. */
const told = (
  ends: ReadonlyMap<string, End>,
  before: readonly DerivedRow[],
  added: readonly DerivedRow[],
  changed: readonly DerivedRow[],
  removed: readonly DerivedRow[],
): Activity[] => {
  const gone = new Set(removed.map(({ id }) => id))
  const after = [...before.filter(({ id }) => !gone.has(id)), ...added]
  const touched = [...new Set([...added, ...changed, ...removed].map(({ target }) => target))]
  return touched.flatMap((target) => {
    const [then, now] = [summary(before, target), summary(after, target)]
    const end = ends.get(target)
    if (!end) return []
    return {
      ...about(end),
      activity_type: 'lineage_derived',
      related_resource_ids: [...new Set([...then.upstream, ...now.upstream])],
      related_resource_type: 'table',
      changes: diff(then, now, ['upstream', 'column_pairs']),
    }
  })
}

const summary = (rows: readonly DerivedRow[], target: string) => {
  const own = rows.filter((row) => row.target === target)
  return {
    upstream: [...new Set(own.filter(({ kind }) => kind === 'table').map(({ upstream }) => upstream))].sort(),
    column_pairs: new Set(own.filter(({ kind }) => kind !== 'table').map(({ upstream, downstream }) => keyOf(upstream, downstream))).size,
  }
}
