import { isQuery, readQuery } from '../queries/query.ts'
import { foldIdentifierCase, readNameList } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import { type Column, DerivedRelation, type Relation } from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import type { Table } from '../relations/tables.ts'
import { readAssignments, readConflict } from './assignments.ts'
import { readInsertAll } from './multi-insert.ts'
import { findUnderlyingTable, readOutput, readTarget, skipInsertWords, type Target, targetColumns, writeResult } from './targets.ts'

/** INSERT, REPLACE, UPSERT: into one table, or into several at once. */
export const readInsert = (r: ParserContext, from: number, end: number, commons: CommonTables): 'insert' => {
  const { tokens } = r
  let i = from + 1
  if (/^(?:ALL|FIRST)$/.test(tokens.word(i)) || (tokens.word(i) === 'OVERWRITE' && /^(?:ALL|FIRST)$/.test(tokens.word(i + 1)))) {
    readInsertAll(r, i, end, commons)
    return 'insert'
  }
  i = skipInsertWords(r, i, end)
  if (tokens.word(i) === 'FUNCTION' || tokens.word(i) === 'DIRECTORY' || tokens.word(i) === 'LOCAL') {
    // The target is outside the catalog: a remote function, a folder.
    const query = findQuery(r, i + 1, end)
    if (query > 0) writeResult(r, readQuery(r, query, end, { commons }), undefined)
    return 'insert'
  }
  const target = tokens.opensQuery(i) ? readInlineTarget(r, i, end, commons) : readTarget(r, i, end)
  if (!target && tokens.kind(i) !== 'param' && tokens.word(i) !== 'IDENTIFIER') r.found.fault(from, 'Missing table after INSERT INTO.')
  readRows(r, target?.next ?? i + 1, end, target?.table, commons)
  return 'insert'
}

/** Oracle: INSERT INTO (SELECT … FROM t) writes t. */
const readInlineTarget = (r: ParserContext, open: number, end: number, commons: CommonTables): Target | undefined => {
  const { tokens, found } = r
  const close = tokens.close(open, end)
  const relation = readQuery(r, open + 1, close, { commons })
  const table = findUnderlyingTable(relation)
  if (!table) return undefined
  found.sources.delete(table)
  found.filters.clear()
  found.write(table, tokens.span(open, close))
  return { table, next: close + 1 }
}

/** What follows the target: partition, columns and rows. */
const readRows = (r: ParserContext, from: number, end: number, table: Table | undefined, commons: CommonTables): void => {
  const { tokens, dialect } = r
  let i = from
  let columns: string[] | undefined
  let partition: string[] = []
  let fixed: string[] = []
  let byName = false
  let alias: string | null = null
  while (i < end) {
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
      alias = foldIdentifierCase(dialect, tokens.at(i + 1))
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
  new DerivedRelation(
    relation.columns().map((column, i): Column => ({ ...column, name: names?.[i] ?? column.name })),
    relation.opens,
  )

/** Where the rows start. */
const findQuery = (r: ParserContext, from: number, end: number): number => {
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
