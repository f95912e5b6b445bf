import type { Budget } from './budget.ts'
import type { Column, Flow, Transformation } from './relation.ts'
import type { UnresolvedReason } from './scope.ts'
import type { Source, Table } from './tables.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface FoundColumnPair extends Span {
  readonly source: Source
  readonly to: string
  readonly travel: Transformation
  readonly target: Table | undefined
}

export interface FoundUnresolved extends Span {
  readonly name: string
  readonly reason: UnresolvedReason
}

const MAX_NUMBERS = 2 ** 26 // far more than the budget allows, and two of them still fit into one exact number

/** The findings of one statement, collected by the readers in text order. */
export class Findings {
  readonly sources = new Map<Table, Span>()
  readonly targets = new Map<Table, Span>()
  readonly pairs = new Map<number, FoundColumnPair>()
  readonly filters = new Map<Source, Span>()
  readonly unresolved = new Map<string, FoundUnresolved>()
  /** Syntax problems. */
  readonly faults: { readonly at: number; readonly message: string; readonly hint: string | null }[] = []
  /** Tables this statement drops. */
  readonly dropped: Table[] = []
  /** The table a SELECT INTO creates. */
  into: Table | undefined
  /** The names of the columns it writes, in order, when they are known. */
  outputs: (string | null)[] | undefined
  private readonly budget: Budget
  private readonly numbers = new Map<Source | string, number>()

  constructor(budget: Budget) {
    this.budget = budget
  }

  fault(at: number, message: string, hint: string | null = null): void {
    this.faults.push({ at, message, hint })
  }

  read(table: Table, span: Span): void {
    if (!this.sources.has(table)) this.sources.set(table, span)
  }

  write(table: Table, span: Span): void {
    if (!this.targets.has(table)) this.targets.set(table, span)
  }

  pair(flow: Flow, to: string, span: Span, target: Table | undefined): void {
    this.budget.carry(flow.size)
    const into = this.number(target ? `${target.key}\0${to}` : to)
    for (const [source, travel] of flow) {
      const key = this.number(source) * MAX_NUMBERS + into
      if (!this.pairs.has(key)) this.pairs.set(key, { source, to, travel, target, start: span.start, end: span.end })
    }
  }

  /** The columns of a result, under the names the target gives them, if any. */
  emit(columns: readonly Column[], target: Table | undefined, names?: readonly (string | undefined)[]): void {
    columns.forEach((column, i) => {
      const to = names?.[i] ?? column.name
      for (const branch of column.branches ?? [column]) this.pair(branch.flow, to ?? `column ${i + 1}`, branch, target)
    })
    this.outputs ??= columns.map((column, i) => names?.[i] ?? column.name)
  }

  filter(flow: Flow, span: Span): void {
    for (const source of flow.keys()) if (!this.filters.has(source)) this.filters.set(source, { start: span.start, end: span.end })
  }

  miss(name: string, reason: UnresolvedReason, span: Span): void {
    const key = `${reason} ${name.toLowerCase()}`
    if (!this.unresolved.has(key)) this.unresolved.set(key, { name, reason, start: span.start, end: span.end })
  }

  /** Small numbers for sources and targets, so that the key of a pair is also a number. */
  private number(of: Source | string): number {
    let number = this.numbers.get(of)
    if (number === undefined) {
      number = this.numbers.size
      this.numbers.set(of, number)
    }
    return number
  }
}
