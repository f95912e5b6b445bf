import { readFilter } from '../expressions/expression.ts'
import { readFrom } from '../queries/from.ts'
import { readName } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import { Scope } from '../relations/scope.ts'
import { readTargetTable } from './merge.ts'
import { findUnderlyingTable, readOutput } from './targets.ts'

/** DELETE FROM t USING s WHERE …; DELETE a FROM t a JOIN s; DELETE t WHERE …. */
export const readDelete = (r: ParserContext, from: number, end: number, commons: CommonTables): 'delete' => {
  const { tokens, found } = r
  let i = from + 1
  while (/^(?:FROM|LOW_PRIORITY|QUICK|IGNORE|ONLY|TOP|PERCENT)$/.test(tokens.word(i)) && tokens.op(i + 1) !== '.')
    i = tokens.word(i) === 'TOP' ? tokens.next(i + 1) : i + 1
  if (i >= end) found.fault(from, 'Missing table after DELETE FROM.')
  const where = tokens.findWord(i, end, 'WHERE')
  const stop = where > 0 ? where : end
  const others = tokens.find(i, stop, (at) => tokens.word(at) === 'USING' || tokens.word(at) === 'FROM')
  const scope = new Scope(undefined)
  if (others > 0) readFrom(r, others + 1, stop, scope, { commons })
  readOutput(r, i, end)
  // MySQL can delete from several tables: DELETE a, b FROM ….
  for (const [from, to] of tokens.split(i, others > 0 ? others : stop)) {
    const { parts, next } = readName(r, from, to)
    const alias = parts.length > 0 ? scope.member(parts)?.relation.table : undefined
    if (alias) {
      const named = scope.members.filter((member) => member.relation.table === alias).length
      if (named === 1) found.sources.delete(alias)
      found.write(alias, tokens.span(from, next - 1))
    } else if (parts.length === 1 && commons.tables.has(parts[0]!.toLowerCase())) {
      // tsql: DELETE from a CTE deletes from its underlying table.
      const common = commons.tables.get(parts[0]!.toLowerCase())!
      scope.add(common, null, parts)
      const behind = findUnderlyingTable(common)
      if (behind) found.write(behind, tokens.at(from))
    } else {
      const member = readTargetTable(r, from, to)
      if (member) scope.members.push(member)
    }
  }
  for (const [a, b] of scope.conditions) readFilter(r, a, b, scope, { commons })
  if (where > 0) readFilter(r, where + 1, end, scope, { commons })
  return 'delete'
}
