import { readQuery } from '../queries/query.ts'
import type { Walk } from './walk.ts'

/** A query inside an expression. Its columns count as used, except in EXISTS, which only checks for rows. */
export const readSubquery = (walk: Walk, open: number): void => {
  const { tokens, budget } = walk.r
  const close = tokens.close(open, walk.end)
  const relation = budget.deeper(() => readQuery(walk.r, open + 1, close, { commons: walk.around.commons, parent: walk.scope }))
  if (tokens.word(open - 1) !== 'EXISTS') for (const column of relation.columns()) walk.add(column.flow, 'expression')
  walk.value(close + 1 - walk.i)
}
