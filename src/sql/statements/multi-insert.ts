import { readExpression, readFilter } from '../expressions/expression.ts'
import { readFrom } from '../queries/from.ts'
import { readQuery } from '../queries/query.ts'
import { readSelect } from '../queries/select.ts'
import { readNameList } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import { DerivedRelation } from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import { readTarget, skipInsertWords, targetColumns, writeResult } from './targets.ts'

/** INSERT ALL [WHEN c THEN] INTO t (…) VALUES (…) … query: each INTO takes its values from the query's columns. */
export const readInsertAll = (r: ParserContext, from: number, end: number, commons: CommonTables): void => {
  const { tokens, found } = r
  const query = tokens.find(
    from,
    end,
    (i) =>
      tokens.word(i) === 'SELECT' ||
      tokens.word(i) === 'SEL' ||
      (tokens.word(i) === 'WITH' && tokens.isName(i + 1)) ||
      tokens.opensQuery(i),
  )
  const relation = query > 0 ? readQuery(r, query, end, { commons }) : new DerivedRelation([])
  const scope = new Scope(undefined)
  scope.add(relation, null)
  const stop = query > 0 ? query : end
  for (let i = from; i < stop; i = tokens.next(i)) {
    if (tokens.word(i) === 'WHEN') {
      const then = tokens.findWord(i, stop, 'THEN')
      if (then > 0) readFilter(r, i + 1, then, scope, { commons })
    }
    if (tokens.word(i) !== 'INTO') continue
    const target = readTarget(r, i + 1, stop)
    if (!target) continue
    let at = target.next
    let names: readonly string[] | undefined
    if (tokens.op(at) === '(') {
      names = readNameList(r, at + 1, tokens.close(at, stop))
      at = tokens.next(at)
    }
    if (tokens.word(at) !== 'VALUES' || tokens.op(at + 1) !== '(') {
      found.emit(relation.columns(), target.table, names ?? targetColumns(target.table, relation, [], []))
      continue
    }
    const to = names ?? target.table.columns
    tokens.split(at + 2, tokens.close(at + 1, stop)).forEach(([a, b], n) => {
      const { flow, name } = readExpression(r, a, b, scope, { commons })
      found.pair(flow, to?.[n] ?? name ?? `column ${n + 1}`, tokens.span(a, b - 1), target.table)
    })
  }
}

/** Hive: FROM t INSERT OVERWRITE TABLE a SELECT … INSERT INTO b SELECT …. Returns whether it was one. */
export const readMultiInsert = (r: ParserContext, from: number, end: number, commons: CommonTables): boolean => {
  const { tokens } = r
  const starts: number[] = []
  for (let i = from; i < end; i = tokens.next(i)) if (tokens.word(i) === 'INSERT') starts.push(i)
  if (starts.length === 0) return false
  const scope = new Scope(undefined)
  readFrom(r, from + 1, starts[0]!, scope, { commons })
  for (const [a, b] of scope.conditions) readFilter(r, a, b, scope, { commons })
  starts.forEach((start, n) => {
    const stop = starts[n + 1] ?? end
    const i = skipInsertWords(r, start + 1, stop)
    const outside = /^(?:DIRECTORY|LOCAL)$/.test(tokens.word(i))
    const target = outside ? undefined : readTarget(r, i, stop)
    const select = tokens.findWord(i, stop, 'SELECT')
    if (select < 0) return
    const part =
      tokens.word(target?.next ?? -1) === 'PARTITION' ? readNameList(r, target!.next + 2, tokens.close(target!.next + 1, stop)) : []
    const relation = readSelect(r, select, stop, { commons }, scope)
    writeResult(r, relation, target?.table, targetColumns(target?.table, relation, part, []))
  })
  return true
}
