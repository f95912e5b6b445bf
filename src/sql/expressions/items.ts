import { foldIdentifierCase, readNameList } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import type { Column } from '../relations/relation.ts'
import type { AliasUse, Scope } from '../relations/scope.ts'
import { readExpression } from './expression.ts'
import { structFields } from './structs.ts'

export interface Item extends Column {
  /** Has an explicit alias, which later items and clauses may use. */
  readonly explicit: boolean
  /** Several names for one expression: `explode(m) AS (key, value)`. */
  readonly names?: readonly string[]
  /** Consists only of a column. */
  readonly plain: boolean
}

/** One entry of a select list: an expression and its name. */
export const readItem = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext, aliases: AliasUse): Item => {
  const { tokens, dialect } = r
  if (dialect.equalsAliases && tokens.op(from + 1) === '=' && from + 2 < end && (tokens.isName(from) || tokens.kind(from) === 'param')) {
    const { flow, plain } = readExpression(r, from + 2, end, scope, around, aliases)
    return { name: foldIdentifierCase(dialect, tokens.at(from)), flow, plain, explicit: true, ...tokens.span(from + 2, end - 1) }
  }
  const { flow, plain, fields, name, alias, end: stop } = readExpression(r, from, end, scope, around, aliases, true)
  const item = { flow, plain, fields: fields ?? structFields(r, from, stop, scope, around), ...tokens.span(from, Math.max(from, stop - 1)) }
  if (alias < 0) return { ...item, name: name ?? impliedName(r, from, end), explicit: false }
  if (tokens.op(alias) === '(') return { ...item, name: null, explicit: true, names: readNameList(r, alias + 1, tokens.close(alias, end)) }
  const token = tokens.at(alias)
  return {
    ...item,
    name: token.kind === 'param' ? token.text.replace(/^:/, '') : foldIdentifierCase(dialect, token),
    explicit: token.kind !== 'end',
  }
}

/** Postgres names `max(x)` max and `cast(x as int)` x, and outer queries rely on it. */
const impliedName = (r: ParserContext, from: number, end: number): string | null => {
  const { tokens, dialect } = r
  if (!dialect.namesCalls || !tokens.isName(from)) return null
  if (tokens.word(from) === 'CASE' && tokens.word(end - 1) === 'END') return 'case'
  if (tokens.op(from + 1) !== '(' || tokens.next(from + 1) !== end) return null
  if (tokens.word(from) === 'CAST' && tokens.isName(from + 2) && tokens.word(from + 3) === 'AS')
    return foldIdentifierCase(dialect, tokens.at(from + 2))
  return foldIdentifierCase(dialect, tokens.at(from))
}
