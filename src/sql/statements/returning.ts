import { readItems } from '../queries/pipes.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import { NO_SOURCES, type Relation, Virtual } from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import { Stored, type Table } from '../relations/tables.ts'
import { readStatement } from './statement.ts'

/**
 * A statement inside a query: `WITH gone AS (DELETE FROM t … RETURNING a) INSERT … SELECT a FROM gone`.
 * What it reads and writes counts for the whole statement; the rows it returns are rows of the table it changes.
 */
export const readNested = (r: ParserContext, from: number, end: number, commons: CommonTables): Relation => {
  const before = new Set(r.found.targets.keys())
  r.budget.deeper(() => readStatement(r, from, end, commons))
  const table = [...r.found.targets.keys()].find((one) => !before.has(one))
  const at = r.tokens.findWord(from, end, 'RETURNING')
  return table && at > 0 ? readReturning(r, at + 1, end, table, commons) : new Virtual(NO_SOURCES)
}

const readReturning = (r: ParserContext, from: number, end: number, table: Table, commons: CommonTables): Relation => {
  const scope = new Scope(undefined)
  scope.add(new Stored(table), null, table.name)
  r.found.read(table, r.found.targets.get(table)!)
  return readItems(r, from, end, scope, { commons })
}
