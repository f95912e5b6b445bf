import type { ColumnPair, Statement } from '../../sql/index.ts'
import type { DerivedEdge, EdgeKind } from '../edges/edge-rows.ts'
import { toNameKey } from './parse-sql.ts'
import type { ResolvedNames } from './resolve-tables.ts'

/**
 * The edges a script produces between resources of the catalog. Tables the catalog does not hold (temporary tables, a staging table that is
 * renamed later) are bridged: what one statement writes into them flows on to whatever a later statement reads from them. Pure.
 */
export const edgesOf = (statements: readonly Statement[], binding: ResolvedNames): DerivedEdge[] => {
  const edges = new Map<string, DerivedEdge>()
  const hidden = new Map<string, BridgedTable>()
  statements.forEach((statement, number) => {
    const add = (upstream: string, downstream: string, kind: EdgeKind, { start, end }: { start: number; end: number }) => {
      const key = `${upstream} ${downstream}`
      if (upstream !== downstream && !edges.has(key))
        edges.set(key, { upstream, downstream, kind, statement: number, span_start: start, span_end: end })
    }
    const targets =
      statement.targets.length > 0 ? statement.targets.map(({ name }) => binding.get(name)) : binding.result ? [binding.result] : []
    const put = new Map<string, BridgedTable>()
    for (const target of targets) {
      const into = target.table ? undefined : new BridgedTable()
      if (into) put.set(toNameKey(target.name), into)
      for (const source of statement.sources) {
        const from = binding.get(source.name)
        const behind = from.table ? undefined : hidden.get(toNameKey(source.name))
        for (const upstream of from.table ? [from.table.id] : (behind?.tables ?? [])) {
          if (target.table) add(upstream, target.table.id, 'table', source)
          else into!.tables.add(upstream)
        }
        for (const upstream of behind?.filters ?? []) {
          if (target.table) add(upstream, target.table.id, 'filter', source)
          else into!.filters.add(upstream)
        }
      }
    }
    for (const pair of statement.columns) {
      const target = pair.to.table ? binding.get(pair.to.table) : targets[0]
      if (!target) continue
      for (const [upstream, kind] of findSourceColumns(pair, binding, hidden)) {
        const into = put.get(toNameKey(target.name))
        if (pair.kind === 'filter') {
          if (target.table) add(upstream, target.table.id, 'filter', pair)
          else into?.filters.add(upstream)
        } else if (target.table) {
          const column = target.table.is_chart ? target.table : binding.column(target.table, pair.to.column!)
          if (column) add(upstream, column.id, kind, pair)
        } else into?.column(pair.to.column!, upstream, kind)
      }
    }
    for (const [key, into] of put) {
      const before = statement.kind.startsWith('create') ? undefined : hidden.get(key)
      hidden.set(key, before ? before.with(into) : into)
    }
  })
  return [...edges.values()]
}

type EdgeTransformation = 'identity' | 'expression' | 'aggregation'
const TRANSFORMATION_ORDER: readonly EdgeTransformation[] = ['identity', 'expression', 'aggregation']
const laterTransformation = (one: EdgeTransformation, other: EdgeTransformation): EdgeTransformation =>
  TRANSFORMATION_ORDER.indexOf(one) > TRANSFORMATION_ORDER.indexOf(other) ? one : other

/** The sources that flowed into a table the catalog does not hold. */
class BridgedTable {
  readonly tables = new Set<string>()
  readonly filters = new Set<string>()
  readonly columns = new Map<string, Map<string, EdgeTransformation>>()

  column(name: string, upstream: string, kind: EdgeTransformation): void {
    const key = name.toLowerCase()
    const sources = this.columns.get(key) ?? new Map<string, EdgeTransformation>()
    if (!sources.has(upstream)) sources.set(upstream, kind)
    this.columns.set(key, sources)
  }

  with(more: BridgedTable): BridgedTable {
    for (const table of more.tables) this.tables.add(table)
    for (const filter of more.filters) this.filters.add(filter)
    for (const [name, sources] of more.columns) for (const [upstream, kind] of sources) this.column(name, upstream, kind)
    return this
  }
}

/** The catalog columns a pair starts from, and how their values are transformed on the way to its end. */
const findSourceColumns = (
  pair: ColumnPair,
  binding: ResolvedNames,
  hidden: ReadonlyMap<string, BridgedTable>,
): (readonly [string, EdgeTransformation])[] => {
  const kind = pair.kind === 'filter' ? 'identity' : pair.kind
  const { table } = binding.get(pair.from.table)
  if (!table) {
    const behind = hidden.get(toNameKey(pair.from.table))?.columns.get(pair.from.column.toLowerCase())
    return [...(behind ?? [])].map(([upstream, before]) => [upstream, laterTransformation(before, kind)] as const)
  }
  const column = binding.column(table, pair.from.column)
  return column ? [[column.id, kind]] : []
}
