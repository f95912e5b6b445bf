import { readExpression } from '../expressions/expression.ts'
import { readItem } from '../expressions/items.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { type Column, DerivedRelation, findUnexpandedStars, type Relation } from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'

/** MATCH_RECOGNIZE (…): the columns of the table, and the measures of each match. */
export const readMatchRecognize = (
  r: ParserContext,
  open: number,
  source: Relation,
  alias: string,
  outer: Scope,
  around: QueryContext,
): Relation => {
  const { tokens } = r
  const close = tokens.close(open, tokens.length)
  const scope = new Scope(outer.parent)
  scope.add(source, alias)
  const define = tokens.findWord(open + 1, close, 'DEFINE')
  // In `last(up.price)` the pattern variable `up` refers to the rows it matched.
  if (define > 0)
    for (const [from] of tokens.split(define + 1, close)) if (tokens.isName(from)) scope.addVariable(tokens.text(from), source)
  const measures = tokens.findWord(open + 1, close, 'MEASURES')
  const columns: Column[] = []
  if (measures > 0) {
    const stop = tokens.find(measures + 1, close, (i) => /^(?:ONE|ALL|AFTER|PATTERN|SUBSET|DEFINE)$/.test(tokens.word(i)))
    for (const [from, end] of tokens.split(measures + 1, stop < 0 ? close : stop))
      columns.push(readItem(r, skipMode(r, from), end, scope, around, 'never'))
  }
  const first = measures > 0 ? measures : define
  if (first > 0) r.found.filter(readExpression(r, open + 1, first, scope, around).flow, tokens.at(open))
  return new DerivedRelation([...source.columns(), ...columns], findUnexpandedStars(source))
}

/** FINAL last(x), RUNNING sum(x). */
const skipMode = (r: ParserContext, i: number): number => (/^(?:FINAL|RUNNING)$/.test(r.tokens.word(i)) ? i + 1 : i)
