import { readExpression, readFilter } from './expression.ts'
import { readFrom } from './from.ts'
import { fold, readName, readNameList } from './names.ts'
import { isQuery, readQuery } from './query.ts'
import type { Commons, Reading } from './reading.ts'
import { type Column, Derived, type Relation } from './relation.ts'
import { Scope } from './scope.ts'
import { readSelect } from './select.ts'
import { Stored, type Table } from './tables.ts'
import { readTarget, type Target, tableBehind, writeResult } from './targets.ts'

const SKIPPED = /^(?:INTO|OVERWRITE|TABLE|IGNORE|LOW_PRIORITY|DELAYED|HIGH_PRIORITY|OR|REPLACE|ROLLBACK|ABORT|FAIL|ONLY|TOP|PERCENT)$/

/** INSERT, REPLACE, UPSERT: into one table, or into several at once. */
export const readInsert = (r: Reading, from: number, end: number, commons: Commons): 'insert' => {
  const { tokens } = r
  let i = from + 1
  if (/^(?:ALL|FIRST)$/.test(tokens.word(i)) || (tokens.word(i) === 'OVERWRITE' && /^(?:ALL|FIRST)$/.test(tokens.word(i + 1)))) {
    readInsertAll(r, i, end, commons)
    return 'insert'
  }
  i = skipWords(r, i, end)
  if (tokens.word(i) === 'FUNCTION' || tokens.word(i) === 'DIRECTORY' || tokens.word(i) === 'LOCAL') {
    // Rows that leave: a remote function, a folder.
    const query = findQuery(r, i + 1, end)
    if (query > 0) writeResult(r, readQuery(r, query, end, { commons }), undefined)
    return 'insert'
  }
  const target = tokens.opensQuery(i) ? readInlineTarget(r, i, end, commons) : readTarget(r, i, end)
  if (!target && tokens.kind(i) !== 'param' && tokens.word(i) !== 'IDENTIFIER') r.found.fault(from, 'There is no table to insert into.')
  readRows(r, target?.next ?? i + 1, end, target?.table, commons)
  return 'insert'
}

const skipWords = (r: Reading, from: number, end: number): number => {
  const { tokens } = r
  let i = from
  while (i < end && SKIPPED.test(tokens.word(i)) && tokens.op(i + 1) !== '.')
    i = tokens.op(i + 1) === '(' && /^(?:TOP|TABLE)$/.test(tokens.word(i)) ? tokens.next(i + 1) : i + 1
  return i
}

/** Oracle: INSERT INTO (SELECT … FROM t) writes t. */
const readInlineTarget = (r: Reading, open: number, end: number, commons: Commons): Target | undefined => {
  const { tokens, found } = r
  const close = tokens.close(open, end)
  const relation = readQuery(r, open + 1, close, { commons })
  const table = tableBehind(relation)
  if (!table) return undefined
  found.sources.delete(table)
  found.filters.clear()
  found.write(table, { start: tokens.at(open).start, end: tokens.at(close).end })
  return { table, next: close + 1 }
}

/** What follows the target: partition, columns, and the rows. */
const readRows = (r: Reading, from: number, end: number, table: Table | undefined, commons: Commons): void => {
  const { tokens, dialect } = r
  let i = from
  let columns: string[] | undefined
  let partition: string[] = []
  let fixed: string[] = []
  let byName = false
  let alias: string | null = null
  for (;;) {
    const word = tokens.word(i)
    if (word === 'PARTITION' && tokens.op(i + 1) === '(') {
      const close = tokens.close(i + 1, end)
      partition = readNameList(r, i + 2, close)
      fixed = tokens
        .split(i + 2, close)
        .filter(([a, b]) => b - a > 1)
        .map(([a]) => tokens.text(a).toLowerCase())
      i = close + 1
    } else if (word === 'IF' && tokens.word(i + 1) === 'NOT') i += 3
    else if (word === 'WITH' && tokens.word(i + 1) === 'LABEL') i += 3
    else if (word === 'BY' && tokens.word(i + 1) === 'NAME') {
      byName = true
      i += 2
    } else if (word === 'AS' && tokens.isName(i + 1) && !isQuery(r, i + 1, end)) {
      alias = fold(dialect, tokens.at(i + 1))
      i += 2
    } else if (tokens.op(i) === '(' && !tokens.opensQuery(i) && !columns) {
      columns = readNameList(r, i + 1, tokens.close(i, end))
      i = tokens.next(i)
    } else break
  }
  readOutput(r, i, end)
  if (tokens.word(i) === 'SET') {
    const stop = tokens.find(i, end, (k) => tokens.word(k) === 'ON' && tokens.word(k + 1) === 'DUPLICATE')
    readAssignments(r, i + 1, stop < 0 ? end : stop, new Scope(undefined), commons, table)
    return
  }
  const query = findQuery(r, i, end)
  if (query < 0) return
  const stop = tokens.find(
    query,
    end,
    (k) =>
      (tokens.word(k) === 'ON' && /^(?:CONFLICT|DUPLICATE)$/.test(tokens.word(k + 1))) ||
      tokens.word(k) === 'RETURNING' ||
      (tokens.word(k) === 'LOG' && tokens.word(k + 1) === 'ERRORS') ||
      (tokens.word(k) === 'AS' && tokens.op(k - 1) === ')' && tokens.word(query) === 'VALUES'),
  )
  const relation = readQuery(r, query, stop < 0 ? end : stop, { commons })
  const names = byName ? undefined : (columns ?? targetColumns(table, relation, partition, fixed))
  writeResult(r, relation, table, names)
  if (stop > 0 && table) readConflict(r, stop, end, table, named(relation, names), alias, commons)
}

const named = (relation: Relation, names: readonly (string | undefined)[] | undefined): Relation =>
  new Derived(
    relation.columns().map((column, i): Column => ({ ...column, name: names?.[i] ?? column.name })),
    relation.opens,
  )

/** The columns of a target that lists none: the catalog's, with those of a dynamic partition at the end. */
const targetColumns = (
  table: Table | undefined,
  relation: Relation,
  partition: readonly string[],
  fixed: readonly string[],
): string[] | undefined => {
  const dynamic = partition.filter((name) => !fixed.includes(name.toLowerCase()))
  if (!table?.columns || relation.opens.length > 0) return undefined
  const parts = new Set(partition.map((name) => name.toLowerCase()))
  const columns = [...table.columns.filter((name) => !parts.has(name.toLowerCase())), ...dynamic]
  return columns.length >= relation.columns().length ? columns : undefined
}

/** Where the rows begin. */
const findQuery = (r: Reading, from: number, end: number): number => {
  const { tokens } = r
  return tokens.find(from, end, (i) => {
    switch (tokens.word(i)) {
      case 'WITH':
        return (tokens.isName(i + 1) && (tokens.word(i + 2) === 'AS' || tokens.op(i + 2) === '(')) || tokens.word(i + 1) === 'RECURSIVE'
      case 'FROM':
        return i === from && isQuery(r, i, end)
      case 'TABLE':
        return tokens.isName(i + 1)
      case 'VALUES':
      case 'SELECT':
      case 'SEL':
        return tokens.op(i + 1) !== '.'
      case 'VALUE':
        return tokens.op(i + 1) === '('
      case '':
        return tokens.opensQuery(i)
      default:
        return false
    }
  })
}

/** tsql: OUTPUT inserted.id INTO log. */
export const readOutput = (r: Reading, from: number, end: number): void => {
  const { tokens } = r
  const at = tokens.find(from, end, (i) => tokens.word(i) === 'OUTPUT' && r.dialect.looseStatements)
  if (at < 0) return
  const into = tokens.find(at, end, (i) => /^(?:INTO|VALUES|SELECT|WHERE|FROM)$/.test(tokens.word(i)))
  if (tokens.word(into) === 'INTO' && tokens.isName(into + 1)) readTarget(r, into + 1, end)
}

/** ON CONFLICT DO UPDATE SET a = EXCLUDED.a; ON DUPLICATE KEY UPDATE a = VALUES(a). */
const readConflict = (
  r: Reading,
  from: number,
  end: number,
  table: Table,
  rows: Relation,
  alias: string | null,
  commons: Commons,
): void => {
  const { tokens } = r
  const at = tokens.find(from, end, (i) => tokens.word(i) === 'SET' || (tokens.word(i) === 'UPDATE' && tokens.word(i - 1) === 'KEY'))
  if (at < 0) return
  const scope = new Scope(undefined)
  scope.add(new Stored(table), alias, table.name)
  scope.add(rows, 'excluded').silent = true
  if (tokens.word(from) === 'AS') scope.add(rows, fold(r.dialect, tokens.at(from + 1))).silent = true
  const stop = tokens.find(at, end, (i) => tokens.word(i) === 'WHERE' || tokens.word(i) === 'RETURNING')
  for (const [a, b] of tokens.split(at + 1, stop < 0 ? end : stop)) {
    if (tokens.op(a + 1) !== '=') continue
    const values = tokens.word(a + 2) === 'VALUES' && tokens.op(a + 3) === '(' && tokens.next(a + 3) === b
    const flow = values ? rows.find(readName(r, a + 4, b).parts.at(-1) ?? '')?.flow : readExpression(r, a + 2, b, scope, { commons }).flow
    if (flow) r.found.pair(flow, fold(r.dialect, tokens.at(a)), { start: tokens.at(a).start, end: tokens.at(b - 1).end }, table)
  }
}

/** `a = x, b = y`. */
export const readAssignments = (r: Reading, from: number, end: number, scope: Scope, commons: Commons, table: Table | undefined): void => {
  const { tokens, found } = r
  for (const [a, b] of tokens.split(from, end)) {
    const span = { start: tokens.at(a).start, end: tokens.at(b - 1).end }
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
  r: Reading,
  open: number,
  equals: number,
  end: number,
  scope: Scope,
  commons: Commons,
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
    if (names[i] !== undefined)
      found.pair(
        readExpression(r, a, b, scope, { commons }).flow,
        names[i],
        { start: tokens.at(a).start, end: tokens.at(b - 1).end },
        table,
      )
  })
}

/** INSERT ALL [WHEN c THEN] INTO t (…) VALUES (…) … query: each INTO takes its values from the query's columns. */
const readInsertAll = (r: Reading, from: number, end: number, commons: Commons): void => {
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
  const relation = query > 0 ? readQuery(r, query, end, { commons }) : new Derived([])
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
      found.pair(flow, to?.[n] ?? name ?? `column ${n + 1}`, { start: tokens.at(a).start, end: tokens.at(b - 1).end }, target.table)
    })
  }
}

/** Hive: FROM t INSERT OVERWRITE TABLE a SELECT … INSERT INTO b SELECT …. Answers whether it was one. */
export const readMultiInsert = (r: Reading, from: number, end: number, commons: Commons): boolean => {
  const { tokens } = r
  const starts: number[] = []
  for (let i = from; i < end; i = tokens.next(i)) if (tokens.word(i) === 'INSERT') starts.push(i)
  if (starts.length === 0) return false
  const scope = new Scope(undefined)
  readFrom(r, from + 1, starts[0]!, scope, { commons })
  for (const [a, b] of scope.conditions) readFilter(r, a, b, scope, { commons })
  starts.forEach((start, n) => {
    const stop = starts[n + 1] ?? end
    const i = skipWords(r, start + 1, stop)
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
