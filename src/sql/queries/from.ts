import { readExpression } from '../expressions/expression.ts'
import { readItem } from '../expressions/items.ts'
import { foldIdentifierCase, readName, readNameList } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { Virtual } from '../relations/relation.ts'
import type { Scope } from '../relations/scope.ts'
import { JOIN_WORDS, NOT_AN_ALIAS } from '../text/keywords.ts'
import { readTable } from './factors.ts'

/** The tables of a FROM clause and their joins. Join conditions are collected and read when all tables are known. */
export const readFrom = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext): void => {
  const { tokens } = r
  let i = readTable(r, from, end, scope, around)
  while (i < end) {
    r.budget.spend(1)
    const before = i
    const word = tokens.word(i)
    const join = joinAt(r, i, end)
    if (tokens.op(i) === ',') i = readTable(r, i + 1, end, scope, around)
    else if (word === 'LATERAL' && tokens.word(i + 1) === 'VIEW') i = readLateralView(r, i + 2, end, scope, around)
    else if (arrayJoinAt(r, i) > 0) i = readArrayJoin(r, arrayJoinAt(r, i), end, scope, around)
    else if (join > 0) i = readJoin(r, i, join, end, scope, around)
    else if (word === 'ON' || word === 'MATCH_CONDITION') {
      const stop = tokens.find(i + 1, end, (at) => endsCondition(r, at, end))
      scope.conditions.push([i + 1, stop < 0 ? end : stop])
      i = stop < 0 ? end : stop
    } else if (word === 'USING') i = readUsing(r, i + 1, end, scope)
    else i = tokens.next(i)
    if (i <= before) i = before + 1
  }
}

/** Where the word JOIN of the join at `i` is, or -1. */
const joinAt = (r: ParserContext, i: number, end: number): number => {
  const { tokens } = r
  let at = i
  while (JOIN_WORDS.has(tokens.word(at)) && at < end) at++
  if (at >= end) return -1
  const word = tokens.word(at)
  return word === 'JOIN' || word === 'APPLY' || word === 'STRAIGHT_JOIN' ? at : -1
}

const endsCondition = (r: ParserContext, i: number, end: number): boolean => {
  const { tokens } = r
  const word = tokens.word(i)
  if (word === '') return tokens.op(i) === ','
  if (word === 'ON' || word === 'JOIN') return true
  if (word === 'LATERAL') return tokens.word(i + 1) === 'VIEW'
  if (word === 'MATCH_CONDITION' || word === 'STRAIGHT_JOIN') return true
  return (JOIN_WORDS.has(word) && joinAt(r, i, end) > 0) || (word === 'ARRAY' && tokens.word(i + 1) === 'JOIN')
}

const readJoin = (r: ParserContext, from: number, join: number, end: number, scope: Scope, around: QueryContext): number => {
  const { tokens } = r
  const before = scope.members.length
  const kinds = new Set<string>()
  for (let i = from; i < join; i++) kinds.add(tokens.word(i))
  let at = join + 1
  // Hints may also follow the keyword: JOIN [BROADCAST] t.
  if (tokens.op(at) === '[') at = tokens.next(at)
  const next = readTable(r, at, end, scope, around, tokens.word(join) === 'APPLY')
  if (kinds.has('NATURAL')) mergeCommon(scope, before)
  if (kinds.has('SEMI') || kinds.has('ANTI')) for (let m = before; m < scope.members.length; m++) scope.members[m]!.silent = true
  return next
}

/** NATURAL: every name that both sides are known to have. */
const mergeCommon = (scope: Scope, before: number): void => {
  for (const right of scope.members.slice(before))
    for (const { name } of right.relation.columns())
      if (name !== null && scope.members.slice(0, before).some((left) => left.relation.find(name)?.sure)) scope.merge(name)
}

const readUsing = (r: ParserContext, i: number, end: number, scope: Scope): number => {
  const { tokens } = r
  if (tokens.op(i) === '(') {
    const names = readNameList(r, i + 1, tokens.close(i, end))
    for (const name of names) {
      scope.merge(name)
      r.found.filter(scope.mergedFlow(name), tokens.span(i, tokens.close(i, end)))
    }
    const next = tokens.next(i)
    return tokens.word(next) === 'AS' ? next + 2 : next
  }
  let at = i
  while (tokens.isName(at) && at < end && tokens.word(at) !== 'SAMPLE') {
    scope.merge(foldIdentifierCase(r.dialect, tokens.at(at)))
    at++
    if (tokens.op(at) !== ',') break
    at++
  }
  return tokens.word(at) === 'SAMPLE' ? end : at
}

/** Hive: LATERAL VIEW [OUTER] f(x) t AS a, b. */
const readLateralView = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext): number => {
  const { tokens, dialect } = r
  let i = tokens.word(from) === 'OUTER' ? from + 1 : from
  const call = i
  i = readName(r, i, end).next
  if (tokens.op(i) === '(') i = tokens.next(i)
  const { flow } = readExpression(r, call, Math.min(i, end), scope, around)
  let alias: string | null = null
  if (tokens.isName(i) && tokens.word(i) !== 'AS' && !NOT_AN_ALIAS.has(tokens.word(i)) && i < end)
    alias = foldIdentifierCase(dialect, tokens.at(i++))
  const names: string[] = []
  if (tokens.word(i) === 'AS') {
    i++
    while (tokens.isName(i) && i < end) {
      names.push(foldIdentifierCase(dialect, tokens.at(i++)))
      if (tokens.op(i) !== ',' || !tokens.isName(i + 1)) break
      i++
    }
  }
  const { start, end: stop } = tokens.at(call)
  scope.add(
    new Virtual(
      flow,
      names.map((name) => ({ name, flow, start, end: stop })),
    ),
    alias,
  )
  return i
}

/** Where the list of an ARRAY JOIN starts, or -1. */
const arrayJoinAt = (r: ParserContext, i: number): number => {
  const { tokens } = r
  const at = /^(?:LEFT|INNER)$/.test(tokens.word(i)) ? i + 1 : i
  return tokens.word(at) === 'ARRAY' && tokens.word(at + 1) === 'JOIN' ? at + 2 : -1
}

/** ClickHouse: ARRAY JOIN list AS element, … */
const readArrayJoin = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext): number => {
  const { tokens } = r
  const stop = tokens.find(from, end, (i) => joinAt(r, i, end) > 0 || arrayJoinAt(r, i) > 0)
  const limit = stop < 0 ? end : stop
  for (const [a, b] of tokens.split(from, limit)) {
    const item = readItem(r, a, b, scope, around, 'never')
    scope.add(new Virtual(item.flow, item.name === null ? [] : [item]), item.name)
  }
  return limit
}
