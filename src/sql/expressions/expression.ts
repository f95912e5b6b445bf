import { foldIdentifierCase } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import type { Flow, StructFields } from '../relations/relation.ts'
import type { AliasUse, Scope } from '../relations/scope.ts'
import { readOperand } from './operands.ts'
import { readAfterOperand, readOperator } from './operators.ts'
import { Walk } from './walk.ts'

export interface Expression {
  readonly flow: Flow
  /** Consists only of a column name. */
  readonly plain: boolean
  /** Its fields, when it is a struct column. */
  readonly fields: StructFields | undefined
  /** Its name without an alias: the name of the column, if only a cast was added. */
  readonly name: string | null
  /** The token of its alias, or of the parenthesis that opens a list of aliases; -1 without an alias. */
  readonly alias: number
  /** Where the expression ends and the alias begins. */
  readonly end: number
}

/**
 * Reads the columns an expression uses. There is no grammar of expressions here, only one fact that holds in every dialect:
 * two operands are never adjacent. So after an operand a word is an operator, a clause or an alias, and elsewhere it is a column
 * or a function, whatever else the word may mean. That is why `first`, `filter`, `level` and `offset` need no keyword list.
 */
export const readExpression = (
  r: ParserContext,
  from: number,
  end: number,
  scope: Scope,
  around: QueryContext,
  aliases: AliasUse = 'never',
  item = false,
): Expression => {
  const walk = new Walk(r, from, end, scope, around, aliases, item)
  const { flow } = walk
  while (walk.i < walk.stop) {
    const at = walk.i
    r.budget.spend(1)
    readToken(walk)
    if (walk.i <= at) walk.i = at + 1
  }
  const named = walk.plain && walk.columns === 1
  const plain = named && !walk.cast
  if (!plain) for (const [source, travel] of flow) if (travel === 'identity') flow.set(source, 'expression')
  const field = walk.field === walk.stop - 1 && walk.field > 0 ? foldIdentifierCase(r.dialect, r.tokens.at(walk.field)) : null
  return { flow, plain, fields: plain ? walk.fields : undefined, name: named ? walk.name : field, alias: walk.alias, end: walk.stop }
}

const readToken = (walk: Walk): void => {
  const { kind, word, op } = walk.r.tokens.at(walk.i)
  switch (kind) {
    case 'op':
      readOperator(walk, op)
      break
    case 'word':
    case 'quoted':
      if (walk.operand) readAfterOperand(walk, word)
      else readOperand(walk, word)
      break
    case 'string':
      if (walk.operand && walk.item && walk.i === walk.end - 1 && walk.frames.length === 0 && walk.r.dialect.stringAliases)
        walk.takeAlias(walk.i, walk.i)
      else walk.value(1)
      break
    default:
      walk.value(1)
  }
}

/** Reads a condition: its columns decide which rows are included, not their values. */
export const readFilter = (
  r: ParserContext,
  from: number,
  end: number,
  scope: Scope,
  around: QueryContext,
  aliases: AliasUse = 'never',
): void => {
  if (from >= end) return
  const { flow } = readExpression(r, from, end, scope, around, aliases)
  r.found.filter(flow, r.tokens.span(from, end - 1))
}
