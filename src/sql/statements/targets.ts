import { readNameList, readTableName } from '../relations/names.ts'
import type { ParserContext } from '../relations/parser-context.ts'
import type { Relation } from '../relations/relation.ts'
import type { Table } from '../relations/tables.ts'

export interface Target {
  readonly table: Table
  readonly next: number
}

/** Records the table a statement writes. Undefined when its name is known only at run time. */
export const readTarget = (r: ParserContext, i: number, end: number): Target | undefined => {
  const { tokens, tables, found } = r
  if (i >= end) return undefined
  const token = tokens.at(i)
  const name = token.kind === 'string' ? { parts: [token.text], next: i + 1 } : readTableName(r, i, end)
  if (!name?.parts.length) {
    if (tokens.word(i) === 'IDENTIFIER') found.miss('IDENTIFIER(…)', 'dynamic', token)
    return undefined
  }
  const table = tables.get(name.parts)
  found.write(table, tokens.span(i, name.next - 1))
  return { table, next: name.next }
}

/** The stored table underlying a query of one table, or underlying one of its columns. */
export const findUnderlyingTable = (relation: Relation, column?: string): Table | undefined => {
  const columns =
    column === undefined ? relation.columns() : relation.columns().filter(({ name }) => name?.toLowerCase() === column.toLowerCase())
  for (const { flow } of columns) for (const { table } of flow.keys()) return table
  return relation.opens[0]?.relation.table
}

const NOT_A_COLUMN = new Set([
  'PRIMARY',
  'UNIQUE',
  'CONSTRAINT',
  'FOREIGN',
  'CHECK',
  'INDEX',
  'KEY',
  'LIKE',
  'PERIOD',
  'EXCLUDE',
  'PROJECTION',
  'FULLTEXT',
  'SPATIAL',
  'SOURCE',
  'WATERMARK',
])

/** The columns of a definition: `(a int, b text not null, primary key (a))`. */
export const readDefinition = (r: ParserContext, open: number, end: number): string[] => {
  const { tokens } = r
  return tokens.split(open + 1, tokens.close(open, end)).flatMap(([from, stop]) => {
    const constraint =
      NOT_A_COLUMN.has(tokens.word(from)) &&
      stop - from > 1 &&
      (tokens.op(from + 1) === '(' || tokens.kind(from + 1) === 'word') &&
      !isTyped(tokens.word(from + 1))
    return constraint ? [] : readNameList(r, from, stop)
  })
}

/** `key int`, `index text`: a column whose name is a keyword. */
const isTyped = (word: string): boolean =>
  /^(?:INT|INTEGER|BIGINT|SMALLINT|TEXT|STRING|VARCHAR|CHAR|DATE|TIMESTAMP|NUMERIC|DECIMAL|FLOAT|DOUBLE|BOOLEAN|UINT\d*|INT\d*)$/.test(word)

/** Records the column pairs of a written result, and the stars that could not be expanded. */
export const writeResult = (
  r: ParserContext,
  relation: Relation,
  table: Table | undefined,
  names?: readonly (string | undefined)[],
): void => {
  const fixed = relation.fixed ?? Number.POSITIVE_INFINITY
  r.found.emit(relation.columns(), table, names && fixed < Number.POSITIVE_INFINITY ? names.slice(0, fixed) : names)
  for (const { relation: open } of relation.opens) {
    const name = open.table?.name.join('.') ?? open.label ?? ''
    const span = open.table ? r.found.sources.get(open.table) : open.span
    if (name !== '') r.found.miss(`${name}.*`, 'star_of_unknown_table', span ?? { start: 0, end: 0 })
  }
  if (relation.opens.length > 0) r.found.outputs = undefined
}

/** The columns of a target without a column list: those of the catalog, with dynamic partition columns at the end. */
export const targetColumns = (
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

/** tsql: OUTPUT inserted.id INTO log. */
export const readOutput = (r: ParserContext, from: number, end: number): void => {
  const { tokens } = r
  const at = tokens.find(from, end, (i) => tokens.word(i) === 'OUTPUT' && r.dialect.looseStatements)
  if (at < 0) return
  const into = tokens.find(at, end, (i) => /^(?:INTO|VALUES|SELECT|WHERE|FROM)$/.test(tokens.word(i)))
  if (tokens.word(into) === 'INTO' && tokens.isName(into + 1)) readTarget(r, into + 1, end)
}

const SKIPPED = /^(?:INTO|OVERWRITE|TABLE|IGNORE|LOW_PRIORITY|DELAYED|HIGH_PRIORITY|OR|REPLACE|ROLLBACK|ABORT|FAIL|ONLY|TOP|PERCENT)$/

/** The words between INSERT and the name of the table. */
export const skipInsertWords = (r: ParserContext, from: number, end: number): number => {
  const { tokens } = r
  let i = from
  while (i < end && SKIPPED.test(tokens.word(i)) && tokens.op(i + 1) !== '.')
    i = tokens.op(i + 1) === '(' && /^(?:TOP|TABLE)$/.test(tokens.word(i)) ? tokens.next(i + 1) : i + 1
  return i
}
