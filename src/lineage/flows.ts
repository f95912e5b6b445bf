import type { ColumnPair, Statement } from '../sql/index.ts'
import type { Binding } from './bind.ts'
import { nameKey } from './read-sql.ts'
import type { Derived, EdgeKind } from './store.ts'

/**
 * The edges a script produces between resources of the catalog. Tables the catalog does not hold (temporary tables, a staging table that is
 * renamed later) are bridged: what one statement writes into them flows on to whatever a later statement reads from them. Pure.
 */
export const edgesOf = (statements: readonly Statement[], binding: Binding): Derived[] => {
  const edges = new Map<string, Derived>()
  const hidden = new Map<string, Hidden>()
  statements.forEach((statement, number) => {
    const add = (upstream: string, downstream: string, kind: EdgeKind, { start, end }: { start: number; end: number }) => {
      const key = `${upstream} ${downstream}`
      if (upstream !== downstream && !edges.has(key))
        edges.set(key, { upstream, downstream, kind, statement: number, span_start: start, span_end: end })
    }
    const targets =
      statement.targets.length > 0 ? statement.targets.map(({ name }) => binding.of(name)) : binding.result ? [binding.result] : []
    const put = new Map<string, Hidden>()
    for (const target of targets) {
      const into = target.table ? undefined : new Hidden()
      if (into) put.set(nameKey(target.name), into)
      for (const source of statement.sources) {
        const from = binding.of(source.name)
        const behind = from.table ? undefined : hidden.get(nameKey(source.name))
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
      const target = pair.to.table ? binding.of(pair.to.table) : targets[0]
      if (!target) continue
      for (const [upstream, kind] of sourcesOf(pair, binding, hidden)) {
        const into = put.get(nameKey(target.name))
        if (pair.kind === 'filter') {
          if (target.table) add(upstream, target.table.id, 'filter', pair)
          else into?.filters.add(upstream)
        } else if (target.table) {
          const column = binding.column(target.table, pair.to.column!)
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

type Travel = 'identity' | 'expression' | 'aggregation'
const RANK: readonly Travel[] = ['identity', 'expression', 'aggregation']
const further = (one: Travel, other: Travel): Travel => (RANK.indexOf(one) > RANK.indexOf(other) ? one : other)

/** The sources that flowed into a table the catalog does not hold. */
class Hidden {
  readonly tables = new Set<string>()
  readonly filters = new Set<string>()
  readonly columns = new Map<string, Map<string, Travel>>()

  column(name: string, upstream: string, kind: Travel): void {
    const key = name.toLowerCase()
    const sources = this.columns.get(key) ?? new Map<string, Travel>()
    if (!sources.has(upstream)) sources.set(upstream, kind)
    this.columns.set(key, sources)
  }

  with(more: Hidden): Hidden {
    for (const table of more.tables) this.tables.add(table)
    for (const filter of more.filters) this.filters.add(filter)
    for (const [name, sources] of more.columns) for (const [upstream, kind] of sources) this.column(name, upstream, kind)
    return this
  }
}

/** The catalog columns a pair starts from, and how their values are transformed on the way to its end. */
const sourcesOf = (pair: ColumnPair, binding: Binding, hidden: ReadonlyMap<string, Hidden>): (readonly [string, Travel])[] => {
  const kind = pair.kind === 'filter' ? 'identity' : pair.kind
  const { table } = binding.of(pair.from.table)
  if (!table) {
    const behind = hidden.get(nameKey(pair.from.table))?.columns.get(pair.from.column.toLowerCase())
    return [...(behind ?? [])].map(([upstream, before]) => [upstream, further(before, kind)] as const)
  }
  const column = binding.column(table, pair.from.column)
  return column ? [[column.id, kind]] : []
}
