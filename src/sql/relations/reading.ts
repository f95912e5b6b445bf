import type { Dialect } from '../text/dialects.ts'
import type { Tokens } from '../text/tokens.ts'
import type { Budget } from './budget.ts'
import type { Found } from './found.ts'
import type { Flow, Relation } from './relation.ts'
import type { Scope } from './scope.ts'
import type { Tables } from './tables.ts'

/** What every reader has at hand. */
export interface Reading {
  readonly tokens: Tokens
  readonly dialect: Dialect
  readonly tables: Tables
  readonly budget: Budget
  /** What the statement being read has shown so far. */
  found: Found
}

/** What a query stands in: the common tables it may name, and the query around it. */
export interface Surroundings {
  readonly commons: Commons
  readonly parent?: Scope | undefined
  /** The recursive table whose body this query is: its first branch says what columns there are. */
  readonly body?: Self | undefined
}

/** A common table while its own body is read. */
export interface Self {
  readonly key: string
  /** What its name stands for: known once the first branch is read. */
  seed: Relation | undefined
  readonly start: (first: Relation) => Relation
  /** What its name stands for before that, where the text says that it is recursive. */
  readonly early: Relation | undefined
}

/** The common tables of one WITH, in front of those further out. */
export interface Commons {
  readonly tables: Map<string, Relation>
  readonly scalars: Map<string, (scope: Scope) => Flow>
  readonly outer: Commons | undefined
  /** The common table being read, while it may name itself. */
  readonly self?: Self
}

export const noCommons: Commons = { tables: new Map(), scalars: new Map(), outer: undefined }

export const findCommon = (commons: Commons, name: string): Relation | undefined => {
  const key = name.toLowerCase()
  for (let at: Commons | undefined = commons; at; at = at.outer) {
    const table = at.tables.get(key)
    if (table) return table
    const own = at.self?.key === key ? (at.self.seed ?? at.self.early) : undefined
    if (own) return own
  }
  return undefined
}
