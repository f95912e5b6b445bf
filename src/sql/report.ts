import type { IncompleteReason } from './relations/budget.ts'
import type { Findings, Span } from './relations/findings.ts'
import type { UnresolvedReason } from './relations/scope.ts'
import type { StatementKind } from './statements/statement.ts'

/** A table by name: the parts as the dialect folds them, completed with the defaults. */
export interface TableReference extends Span {
  readonly name: readonly string[]
}

export interface ColumnReference {
  readonly table: readonly string[]
  readonly column: string
}

/** A flow from one column to another. A filter decides which rows are included, so it has no target column but the whole result. */
export interface ColumnPair extends Span {
  readonly from: ColumnReference
  /** `table` is null for a bare SELECT, `column` for a filter. */
  readonly to: { readonly table: readonly string[] | null; readonly column: string | null }
  readonly kind: 'identity' | 'expression' | 'aggregation' | 'filter'
}

/** A name whose source could not be determined, and why. */
export interface Unresolved extends Span {
  readonly name: string
  readonly reason: UnresolvedReason
}

export interface Statement extends Span {
  readonly kind: StatementKind
  readonly sources: readonly TableReference[]
  readonly targets: readonly TableReference[]
  readonly columns: readonly ColumnPair[]
  /** The names of the columns it returns or writes, in order; null for a star that could not be expanded. */
  readonly outputs: readonly (string | null)[] | null
  /** Tables it drops. */
  readonly dropped: readonly (readonly string[])[]
  readonly unresolved: readonly Unresolved[]
  readonly incomplete: IncompleteReason | null
}

export const report = (found: Findings, kind: StatementKind, span: Span, incomplete: IncompleteReason | null): Statement => {
  const references = (tables: ReadonlyMap<{ readonly name: readonly string[] }, Span>): TableReference[] =>
    [...tables].map(([{ name }, { start, end }]) => ({ name, start, end }))
  const columns: ColumnPair[] = []
  for (const { source, to, travel, target, start, end } of found.pairs.values())
    columns.push({
      from: { table: source.table.name, column: source.column },
      to: { table: target?.name ?? null, column: to },
      kind: travel,
      start,
      end,
    })
  const [only] = found.targets.keys()
  for (const [source, { start, end }] of found.filters)
    columns.push({
      from: { table: source.table.name, column: source.column },
      to: { table: only?.name ?? null, column: null },
      kind: 'filter',
      start,
      end,
    })
  return {
    kind,
    ...span,
    sources: references(found.sources),
    targets: references(found.targets),
    columns,
    outputs: found.outputs ?? null,
    dropped: found.dropped.map((table) => table.name),
    unresolved: [...found.unresolved.values()],
    incomplete,
  }
}

const joinKey = (name: readonly string[]): string => name.join('\0').toLowerCase()

/** The whole script: a table that it writes and reads again is not a source and, if it only passes data on, not a target either. */
export const totals = (statements: readonly Statement[]): { sources: TableReference[]; targets: TableReference[] } => {
  const [only] = statements
  if (only && statements.length === 1) return { sources: [...only.sources], targets: [...only.targets] }
  const sources = new Map<string, TableReference>()
  const targets = new Map<string, TableReference>()
  const passed = new Set<string>()
  const itself = new Set<string>()
  for (const statement of statements) {
    for (const source of statement.sources) {
      const key = joinKey(source.name)
      if (!targets.has(key)) sources.set(key, sources.get(key) ?? source)
      for (const target of statement.targets) (joinKey(target.name) === key ? itself : passed).add(key)
    }
    for (const target of statement.targets) targets.set(joinKey(target.name), targets.get(joinKey(target.name)) ?? target)
    for (const name of statement.dropped) targets.delete(joinKey(name))
  }
  for (const key of passed) if (!itself.has(key)) targets.delete(key)
  return { sources: [...sources.values()], targets: [...targets.values()] }
}
