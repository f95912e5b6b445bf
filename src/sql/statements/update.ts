import { readFilter } from '../expressions/expression.ts'
import { readFrom } from '../queries/from.ts'
import { readName } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import { Scope } from '../relations/scope.ts'
import type { Table } from '../relations/tables.ts'
import { readAssignments } from './assignments.ts'
import { readTargetTable } from './merge.ts'
import { findUnderlyingTable, readOutput } from './targets.ts'

/** UPDATE t SET …, with FROM, joins, or an alias for its target. */
export const readUpdate = (r: ParserContext, from: number, end: number, commons: CommonTables): 'update' => {
  const { tokens, found } = r
  let i = from + 1
  while (
    /^(?:LOW_PRIORITY|IGNORE|ONLY|OR|REPLACE|ROLLBACK|ABORT|FAIL)$/.test(tokens.word(i)) &&
    tokens.isName(i + 1) &&
    tokens.word(i + 1) !== 'SET'
  )
    i++
  if (tokens.word(i) === 'TOP' && tokens.op(i + 1) === '(') i = tokens.next(i + 1) + (tokens.word(tokens.next(i + 1)) === 'PERCENT' ? 1 : 0)
  const set = tokens.find(i, end, (at) => tokens.word(at) === 'SET' && tokens.op(at - 1) !== '.')
  if (set <= i) {
    found.fault(from, 'UPDATE needs a table and a SET clause.')
    return 'update'
  }
  const scope = new Scope(undefined)
  const where = tokens.findWord(set, end, 'WHERE')
  // Teradata writes FROM before SET.
  const early = tokens.findWord(i, set, 'FROM')
  const late = tokens.find(set, end, (at) => tokens.word(at) === 'FROM' && tokens.word(at - 1) !== 'DISTINCT')
  if (early > 0) readFrom(r, early + 1, set, scope, { commons })
  if (late > 0)
    readFrom(
      r,
      late + 1,
      firstOf(
        end,
        where > late ? where : -1,
        tokens.find(late, end, (at) => /^(?:RETURNING|OPTION|ORDER|LIMIT)$/.test(tokens.word(at))),
      ),
      scope,
      { commons },
    )
  const table = readUpdated(r, i, early > 0 ? early : set, scope, commons, late > 0 || early > 0)
  readOutput(r, set, end)
  const stop = firstOf(
    end,
    late,
    where,
    tokens.find(set, end, (at) => /^(?:RETURNING|ORDER|LIMIT|OUTPUT|OPTION)$/.test(tokens.word(at))),
  )
  readAssignments(r, set + 1, stop, scope, commons, table)
  for (const [a, b] of scope.conditions) readFilter(r, a, b, scope, { commons })
  if (where > 0)
    readFilter(
      r,
      where + 1,
      firstOf(
        end,
        tokens.find(where, end, (at) => /^(?:RETURNING|OPTION|LIMIT)$/.test(tokens.word(at))),
      ),
      scope,
      { commons },
    )
  if (table) found.write(table, tokens.at(i))
  return 'update'
}

const firstOf = (end: number, ...positions: number[]): number => Math.min(end, ...positions.filter((position) => position > 0))

/** The updated table: named directly, by an alias of FROM, or the first of several joined tables. */
const readUpdated = (
  r: ParserContext,
  from: number,
  end: number,
  scope: Scope,
  commons: CommonTables,
  hasFrom: boolean,
): Table | undefined => {
  const { tokens, found } = r
  const { parts, next } = readName(r, from, end)
  const alias = hasFrom && parts.length > 0 ? scope.member(parts)?.relation.table : undefined
  if (alias && (parts.length === 1 || next === end)) {
    if (scope.members.filter((member) => member.relation.table === alias).length === 1) found.sources.delete(alias)
    found.write(alias, tokens.span(from, next - 1))
    return alias
  }
  const joined = tokens.find(from, end, (at) => tokens.op(at) === ',' || tokens.word(at) === 'JOIN') > 0
  if (!joined && !hasFrom && parts.length === 1 && commons.tables.has(parts[0]!.toLowerCase())) {
    // tsql: UPDATE of a CTE changes its underlying table.
    const common = commons.tables.get(parts[0]!.toLowerCase())!
    scope.add(common, null, parts)
    const behind = findUnderlyingTable(common, readName(r, end + 1, tokens.length).parts.at(-1)) ?? findUnderlyingTable(common)
    if (behind) found.write(behind, tokens.at(from))
    return behind
  }
  if (!joined) {
    const member = readTargetTable(r, from, end)
    if (member) scope.members.push(member)
    // Oracle: UPDATE (SELECT …) SET a = b changes the table of a.
    if (!member || member.relation.table) return member?.relation.table
    const behind = findUnderlyingTable(member.relation, readName(r, end + 1, tokens.length).parts.at(-1))
    if (behind) found.sources.delete(behind)
    return behind
  }
  // MySQL: UPDATE a JOIN b ON … SET a.x = b.y
  readFrom(r, from, end, scope, { commons })
  return updatedOfJoin(r, end, scope) ?? scope.members[0]?.relation.table
}

/** Of several joined tables, the one named in the first assignment. */
const updatedOfJoin = (r: ParserContext, set: number, scope: Scope): Table | undefined => {
  const { parts } = readName(r, set + 1, r.tokens.length)
  const table = parts.length > 1 ? scope.member(parts.slice(0, -1))?.relation.table : undefined
  const target = table ?? scope.members[0]?.relation.table
  if (target && scope.members.filter((member) => member.relation.table === target).length === 1) r.found.sources.delete(target)
  return target
}
