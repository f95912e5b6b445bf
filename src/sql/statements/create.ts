import { isQuery, readQuery } from '../queries/query.ts'
import { readRecursive } from '../queries/with.ts'
import { readName, readTableName } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import type { Relation } from '../relations/relation.ts'
import { Stored, type Table } from '../relations/tables.ts'
import type { StatementKind } from './statement.ts'
import { readDefinition, readTarget, writeResult } from './targets.ts'

const OBJECTS =
  /^(?:TABLE|VIEW|PROJECTION|STREAM|MODEL|SINK|DICTIONARY|INDEX|SCHEMA|DATABASE|TAG|SEQUENCE|STAGE|USER|ROLE|TYPE|DOMAIN|CATALOG|EXTENSION|CONNECTION|POLICY|LIBRARY|SYNONYM|RULE|WAREHOUSE|PIPE|SECRET|SOURCE|CLUSTER)$/

/** CREATE of something that holds rows (a table or a view), with any options before its query. */
export const readCreate = (r: ParserContext, from: number, end: number, commons: CommonTables): StatementKind => {
  const { tokens } = r
  let object = -1
  for (let i = from + 1; i < Math.min(end, from + 14) && object < 0; i++)
    if (OBJECTS.test(tokens.word(i)) && tokens.op(i + 1) !== '=') object = i
  const what = tokens.word(object)
  if (!/^(?:TABLE|VIEW|PROJECTION|STREAM|MODEL|SINK)$/.test(what)) return 'other'
  const kind: StatementKind = what === 'VIEW' ? 'create_view' : 'create_table'
  let i = object + 1
  while (/^(?:IF|NOT|EXISTS|CONCURRENTLY)$/.test(tokens.word(i)) && tokens.op(i + 1) !== '.' && i < end) i++
  const name = i
  const target = readTarget(r, i, end) ?? skipDynamic(r, i)
  if (!target) {
    r.found.fault(from, 'Missing name after CREATE.')
    return kind
  }
  i = target.next
  if (what === 'STREAM' || what === 'SINK') {
    readOrigin(r, i, end)
    return kind
  }
  let columns: string[] | undefined
  if (tokens.op(i) === '(' && !tokens.opensQuery(i)) {
    columns = readDefinition(r, i, end)
    readLikes(r, i, end)
    i = tokens.next(i)
  }
  const query = findQuery(r, i, end)
  const written = (what === 'VIEW' && target.table && readDestination(r, i, query < 0 ? end : query, target.table)) || {
    table: target.table,
    columns,
  }
  if (query < 0) {
    readModel(r, i, end, kind)
    r.found.outputs = columns
    return kind
  }
  const recursive = tokens.find(from, object, (at) => tokens.word(at) === 'RECURSIVE') > 0
  const key = readName(r, name, end).parts.at(-1)?.toLowerCase() ?? ''
  const relation: Relation = recursive
    ? readRecursive(r, key, columns, { from: query, end }, { commons }, true)
    : readQuery(r, query, end, { commons })
  writeResult(r, relation, written.table, written.columns)
  return kind
}

/** IDENTIFIER(:name): the target is known only at run time, but the sources are in the text. */
const skipDynamic = (r: ParserContext, i: number): { table?: undefined; next: number } | undefined =>
  r.tokens.word(i) === 'IDENTIFIER' && r.tokens.op(i + 1) === '(' ? { next: r.tokens.next(i + 1) } : undefined

/** The query after AS, which is optional in MySQL. */
const findQuery = (r: ParserContext, from: number, end: number): number => {
  const { tokens } = r
  const as = tokens.find(from, end, (i) => tokens.word(i) === 'AS' && isQuery(r, i + 1, end))
  if (as >= 0) return as + 1
  return tokens.find(from, end, (i) => tokens.word(i) === 'SELECT' || tokens.word(i) === 'SEL' || tokens.opensQuery(i))
}

/** Without a query: the table may be modelled on another table. */
const readModel = (r: ParserContext, from: number, end: number, kind: StatementKind): void => {
  const { tokens, dialect } = r
  // COPY GRANTS is an option, except where COPY names the table to copy.
  const isOption = (i: number): boolean => tokens.word(i) === 'COPY' && tokens.word(i + 1) === 'GRANTS' && dialect.name !== 'bigquery'
  const at = tokens.find(from, end, (i) => /^(?:CLONE|LIKE|COPY)$/.test(tokens.word(i)) && tokens.isName(i + 1) && !isOption(i))
  if (at > 0) {
    readSource(r, tokens.word(at + 1) === 'TABLE' ? at + 2 : at + 1, end)
    return
  }
  const as = tokens.find(from, end, (i) => tokens.word(i) === 'AS' && tokens.isName(i + 1))
  // CREATE TABLE a AS b: copies the columns of b, or also its rows.
  if (as > 0 && kind === 'create_table' && /^(?:clickhouse|teradata|ansi)$/.test(dialect.name) && tokens.word(as + 1) !== 'COPY')
    readSource(r, as + 1, end)
}

/** (LIKE other INCLUDING ALL). */
const readLikes = (r: ParserContext, open: number, end: number): void => {
  const { tokens } = r
  for (const [from, stop] of tokens.split(open + 1, tokens.close(open, end)))
    if (tokens.word(from) === 'LIKE' && tokens.isName(from + 1)) readSource(r, from + 1, stop)
}

const readSource = (r: ParserContext, i: number, end: number): void => {
  const { tokens, tables, found } = r
  const name = readTableName(r, i, end)
  if (!name?.parts.length) return
  const table = tables.get(name.parts)
  found.read(table, tokens.span(i, name.next - 1))
  // The copy has the columns of its model.
  const [target] = found.targets.keys()
  if (target && table.columns) writeResult(r, new Stored(table), target)
}

/** CREATE STREAM s ON TABLE t; CREATE SINK s FROM t. */
const readOrigin = (r: ParserContext, from: number, end: number): void => {
  const { tokens } = r
  const at = tokens.find(from, end, (i) => /^(?:ON|FROM)$/.test(tokens.word(i)))
  if (at < 0) return
  let i = at + 1
  while (/^(?:TABLE|VIEW|EXTERNAL|DYNAMIC)$/.test(tokens.word(i)) && tokens.isName(i + 1)) i++
  if (tokens.word(i) !== 'STAGE') readSource(r, i, end)
}

/** ClickHouse: a view TO a table only fills it. */
const readDestination = (
  r: ParserContext,
  from: number,
  end: number,
  view: Table,
): { table: Table; columns: string[] | undefined } | undefined => {
  const { tokens, found } = r
  const at = tokens.find(from, end, (i) => tokens.word(i) === 'TO' && tokens.isName(i + 1))
  if (at < 0 || r.dialect.name !== 'clickhouse') return undefined
  found.targets.delete(view)
  const target = readTarget(r, at + 1, end)
  if (!target) return undefined
  return {
    table: target.table,
    columns: tokens.op(target.next) === '(' ? readDefinition(r, target.next, end) : target.table.columns?.slice(),
  }
}
