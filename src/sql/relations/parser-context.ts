import type { Dialect } from '../text/dialects.ts'
import type { Tokens } from '../text/tokens.ts'
import type { Budget } from './budget.ts'
import type { Findings } from './findings.ts'
import type { Flow, Relation } from './relation.ts'
import type { Scope } from './scope.ts'
import type { Tables } from './tables.ts'

/** The context every reader gets. */
export interface ParserContext {
  readonly tokens: Tokens
  readonly dialect: Dialect
  readonly tables: Tables
  readonly budget: Budget
  /** The findings of the current statement so far. */
  found: Findings
}

/** The surroundings of a query: the CTEs it may use, and the enclosing query. */
export interface QueryContext {
  readonly commons: CommonTables
  readonly parent?: Scope | undefined
  /** The recursive CTE whose body this query is: its first branch determines the columns. */
  readonly body?: RecursiveTable | undefined
}

/** A CTE while its own body is read. */
export interface RecursiveTable {
  readonly key: string
  /** What its name refers to: known once the first branch is read. */
  seed: Relation | undefined
  readonly start: (first: Relation) => Relation
  /** What its name refers to before that, when it is declared as recursive. */
  readonly early: Relation | undefined
}

/** The CTEs of one WITH, which hide those of outer queries. */
export interface CommonTables {
  readonly tables: Map<string, Relation>
  readonly scalars: Map<string, (scope: Scope) => Flow>
  readonly outer: CommonTables | undefined
  /** The CTE being read, while it may refer to itself. */
  readonly self?: RecursiveTable
}

export const NO_COMMON_TABLES: CommonTables = { tables: new Map(), scalars: new Map(), outer: undefined }

export const findCommonTable = (commons: CommonTables, name: string): Relation | undefined => {
  const key = name.toLowerCase()
  for (let at: CommonTables | undefined = commons; at; at = at.outer) {
    const table = at.tables.get(key)
    if (table) return table
    const own = at.self?.key === key ? (at.self.seed ?? at.self.early) : undefined
    if (own) return own
  }
  return undefined
}
