import { readExpression } from '../expressions/expression.ts'
import { readQuery } from '../queries/query.ts'
import { foldIdentifierCase, readName, readNameList } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import type { Relation } from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import { Stored, type Table } from '../relations/tables.ts'

/** `a = x, b = y`. */
export const readAssignments = (
  r: ParserContext,
  from: number,
  end: number,
  scope: Scope,
  commons: CommonTables,
  table: Table | undefined,
): void => {
  const { tokens, found } = r
  for (const [a, b] of tokens.split(from, end)) {
    const span = tokens.span(a, b - 1)
    const equals = tokens.find(a, b, (i) => tokens.op(i) === '=' || tokens.op(i) === ':=')
    if (equals < 0) continue
    if (tokens.op(a) === '(') {
      readTupleAssignment(r, a, equals, b, scope, commons, table)
      continue
    }
    const to = readName(r, a, equals).parts
    const { flow } = readExpression(r, equals + 1, b, scope, { commons })
    if (to.length > 0) found.pair(flow, to.at(-1)!, span, table)
  }
}

/** `(a, b) = (select x, y …)`, `(a, b) = (x, y)`, `(a, b) = row(x, y)`. */
const readTupleAssignment = (
  r: ParserContext,
  open: number,
  equals: number,
  end: number,
  scope: Scope,
  commons: CommonTables,
  table: Table | undefined,
): void => {
  const { tokens, found } = r
  const names = readNameList(r, open + 1, tokens.close(open, end))
  const group = tokens.word(equals + 1) === 'ROW' ? equals + 2 : equals + 1
  if (tokens.op(group) !== '(') return
  if (tokens.opensQuery(group)) {
    const relation = r.budget.deeper(() => readQuery(r, group + 1, tokens.close(group, end), { commons, parent: scope }))
    found.emit(relation.columns(), table, names)
    return
  }
  tokens.split(group + 1, tokens.close(group, end)).forEach(([a, b], i) => {
    if (names[i] !== undefined) found.pair(readExpression(r, a, b, scope, { commons }).flow, names[i], tokens.span(a, b - 1), table)
  })
}

/** ON CONFLICT DO UPDATE SET a = EXCLUDED.a; ON DUPLICATE KEY UPDATE a = VALUES(a). */
export const readConflict = (
  r: ParserContext,
  from: number,
  end: number,
  table: Table,
  rows: Relation,
  alias: string | null,
  commons: CommonTables,
): void => {
  const { tokens } = r
  const at = tokens.find(from, end, (i) => tokens.word(i) === 'SET' || (tokens.word(i) === 'UPDATE' && tokens.word(i - 1) === 'KEY'))
  if (at < 0) return
  const scope = new Scope(undefined)
  scope.add(new Stored(table), alias, table.name)
  scope.add(rows, 'excluded').silent = true
  if (tokens.word(from) === 'AS') scope.add(rows, foldIdentifierCase(r.dialect, tokens.at(from + 1))).silent = true
  const stop = tokens.find(at, end, (i) => tokens.word(i) === 'WHERE' || tokens.word(i) === 'RETURNING')
  for (const [a, b] of tokens.split(at + 1, stop < 0 ? end : stop)) {
    if (tokens.op(a + 1) !== '=') continue
    const values = tokens.word(a + 2) === 'VALUES' && tokens.op(a + 3) === '(' && tokens.next(a + 3) === b
    const flow = values ? rows.find(readName(r, a + 4, b).parts.at(-1) ?? '')?.flow : readExpression(r, a + 2, b, scope, { commons }).flow
    if (flow) r.found.pair(flow, foldIdentifierCase(r.dialect, tokens.at(a)), tokens.span(a, b - 1), table)
  }
}
