import type { Walk } from './walk.ts'

/** `x -> …` and `(x, y) -> …`: the parameters are neither columns nor visible outside. Returns whether there was one. */
export const bindLambda = (walk: Walk): boolean => {
  const { tokens } = walk.r
  const isBody = (i: number): boolean => tokens.kind(i) !== 'string' && tokens.kind(i) !== 'number'
  if (tokens.op(walk.i + 1) === '->' && isBody(walk.i + 2)) {
    walk.bind(tokens.text(walk.i))
    return walk.skip(2)
  }
  const { top } = walk
  if (!top || tokens.op(top.close + 1) !== '->' || tokens.op(walk.i - 1) !== '(' || !isBody(top.close + 2)) return false
  for (let at = walk.i; at < top.close; at++) if (tokens.isName(at)) walk.bind(tokens.text(at), walk.frames.at(-2))
  return walk.skip(top.close - walk.i)
}

/** DuckDB: `lambda x, y: …`. */
export const bindPythonLambda = (walk: Walk): boolean => {
  const { tokens } = walk.r
  let last = walk.i + 1
  while (tokens.isName(last) && tokens.op(last + 1) === ',') last += 2
  if (!tokens.isName(last) || tokens.op(last + 1) !== ':') return false
  for (let at = walk.i + 1; at <= last; at += 2) walk.bind(tokens.text(at))
  return walk.skip(last + 2 - walk.i)
}
