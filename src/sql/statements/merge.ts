import { readExpression, readFilter } from '../expressions/expression.ts'
import { readTable } from '../queries/factors.ts'
import { readName, readNameList } from '../relations/names.ts'
import { type CommonTables, NO_COMMON_TABLES, type ParserContext } from '../relations/parser-context.ts'
import type { Flow, Relation } from '../relations/relation.ts'
import { type Member, Scope } from '../relations/scope.ts'
import type { Table } from '../relations/tables.ts'
import { LITERALS } from '../text/keywords.ts'
import { readOutput } from './targets.ts'

/** MERGE INTO t USING s ON … WHEN MATCHED THEN …. */
export const readMerge = (r: ParserContext, from: number, end: number, commons: CommonTables): 'merge' => {
  const { tokens, found } = r
  let i = from + 1
  if (tokens.word(i) === 'TOP') i = tokens.next(i + 1) + (tokens.word(tokens.next(i + 1)) === 'PERCENT' ? 1 : 0)
  while (/^(?:INTO|WITH|SCHEMA|EVOLUTION)$/.test(tokens.word(i)) && i < end) i++
  const using = tokens.findWord(i, end, 'USING')
  if (using < 0) {
    found.fault(from, 'MERGE needs a USING clause.', 'MERGE INTO target USING source ON condition WHEN MATCHED THEN …')
    return 'merge'
  }
  const target = readTargetTable(r, i, using)
  const on = tokens.findWord(using + 1, end, 'ON')
  const scope = new Scope(undefined)
  readTable(r, using + 1, on < 0 ? end : on, scope, { commons })
  const source = scope.members[0]?.relation
  if (target) scope.members.push(target)
  const starts: number[] = []
  for (let k = Math.max(on, using); k < end; k = tokens.next(k))
    if (tokens.word(k) === 'WHEN' && /^(?:MATCHED|NOT)$/.test(tokens.word(k + 1))) starts.push(k)
  // Redshift: … ON condition REMOVE DUPLICATES
  const remove = tokens.findWord(Math.max(on, using), end, 'REMOVE')
  if (on > 0) readFilter(r, on + 1, starts[0] ?? (remove > 0 ? remove : end), scope, { commons })
  const table = target?.relation.table
  if (table) found.write(table, found.targets.get(table) ?? tokens.span(i, using - 1))
  const last = starts.at(-1) ?? end
  // Oracle: … LOG ERRORS INTO e REJECT LIMIT 5. Rejected rows are not part of the result.
  const log = tokens.find(last, end, (k) => tokens.word(k) === 'LOG' && tokens.word(k + 1) === 'ERRORS')
  const stop = log < 0 ? end : log
  for (const [n, start] of starts.entries()) readBranch(r, start, starts[n + 1] ?? stop, { scope, source, table, commons })
  readOutput(r, last, end)
  return 'merge'
}

/** Adds the target to the scope without counting it as a source. */
export const readTargetTable = (r: ParserContext, from: number, end: number): Member | undefined => {
  const { found, tokens } = r
  const before = new Set(found.sources.keys())
  const side = new Scope(undefined)
  readTable(r, from, end, side, { commons: NO_COMMON_TABLES })
  const member = side.members[0]
  const table = member?.relation.table
  if (!member || !table) return member
  const span = found.sources.get(table) ?? tokens.at(from)
  if (!before.has(table)) found.sources.delete(table)
  found.write(table, span)
  return { ...member, hidden: table.name.map((part) => part.toLowerCase()) }
}

interface Merge {
  readonly scope: Scope
  readonly source: Relation | undefined
  readonly table: Table | undefined
  readonly commons: CommonTables
}

const readBranch = (r: ParserContext, from: number, end: number, merge: Merge): void => {
  const { tokens } = r
  const then = tokens.findWord(from, end, 'THEN')
  if (then < 0) return
  const { scope, commons } = merge
  const and = tokens.findWord(from, then, 'AND')
  if (and > 0) readFilter(r, and + 1, then, scope, { commons })
  if (/^UPD(?:ATE)?$/.test(tokens.word(then + 1))) readUpdateBranch(r, then + 2, end, merge)
  if (/^INS(?:ERT)?$/.test(tokens.word(then + 1))) readInsertBranch(r, then + 2, end, merge)
}

const readUpdateBranch = (r: ParserContext, from: number, end: number, merge: Merge): void => {
  const { tokens, found } = r
  const set = tokens.findWord(from, end, 'SET')
  if (set < 0 || tokens.op(set + 1) === '*') {
    // UPDATE SET *, UPDATE ALL BY NAME
    if (set > 0 || tokens.word(from) === 'ALL') copyAll(r, merge)
    return
  }
  const stop = tokens.find(set, end, (i) => /^(?:WHERE|DELETE|OUTPUT|OPTION|RETURNING)$/.test(tokens.word(i)))
  const limit = stop < 0 ? end : stop
  if (tokens.word(limit) === 'WHERE') readFilter(r, limit + 1, end, merge.scope, { commons: merge.commons })
  for (const [a, b] of tokens.split(set + 1, limit)) {
    const equals = tokens.find(a, b, (i) => tokens.op(i) === '=')
    if (equals < 0) continue
    const names = tokens.op(a) === '(' ? readNameList(r, a + 1, tokens.close(a, b)) : readName(r, a, equals).parts.slice(-1)
    const values =
      tokens.op(a) === '(' && tokens.op(equals + 1) === '(' && !tokens.opensQuery(equals + 1)
        ? tokens.split(equals + 2, tokens.close(equals + 1, b))
        : [[equals + 1, b] as const]
    names.forEach((name, n) => {
      const value = values[n] ?? values[0]
      if (value) found.pair(newValue(r, ...value, merge), name, tokens.span(a, b - 1), merge.table)
    })
  }
}

const readInsertBranch = (r: ParserContext, from: number, end: number, merge: Merge): void => {
  const { tokens } = r
  let i = from
  if (tokens.op(i) === '*' || tokens.word(i) === 'ROW' || tokens.word(i) === 'ALL') {
    copyAll(r, merge)
    return
  }
  let names: readonly string[] | undefined
  if (tokens.op(i) === '(') {
    names = readNameList(r, i + 1, tokens.close(i, end))
    i = tokens.next(i)
  }
  const values = tokens.findWord(i, end, 'VALUES')
  if (values < 0) {
    if (tokens.word(i) === 'ROW') copyAll(r, merge, names)
    // Teradata omits VALUES.
    else if (r.dialect.name === 'teradata' && i > from) readNewValues(r, from + 1, i - 1, undefined, merge)
    return
  }
  const open = values + 1
  // Spark allows values without parentheses.
  const [a, b] = tokens.op(open) === '(' ? [open + 1, tokens.close(open, end)] : [open, end]
  readNewValues(r, a, b, names, merge)
}

const readNewValues = (r: ParserContext, from: number, end: number, names: readonly string[] | undefined, merge: Merge): void => {
  const { tokens, found } = r
  const to = names ?? merge.table?.columns
  tokens.split(from, end).forEach(([x, y], n) => {
    const flow = newValue(r, x, y, merge)
    found.pair(flow, to?.[n] ?? readName(r, x, y).parts.at(-1) ?? `column ${n + 1}`, tokens.span(x, y - 1), merge.table)
  })
}

/** An unqualified name in a new value refers to the source, even if the target has a column of the same name. */
const newValue = (r: ParserContext, from: number, end: number, { scope, source, commons }: Merge): Flow => {
  const { parts, next } = readName(r, from, end)
  if (parts.length === 1 && next === end && !LITERALS.has(r.tokens.word(from))) {
    const hit = source?.find(parts[0]!)
    if (hit && hit.flow.size > 0) return hit.flow
  }
  return readExpression(r, from, end, scope, { commons }).flow
}

/** Maps every source column to the target column with its name, or at its position. */
const copyAll = (r: ParserContext, { source, table }: Merge, names?: readonly string[]): void => {
  if (source) r.found.emit(source.columns(), table, names)
}
