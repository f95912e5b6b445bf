import { callFrame } from './calls.ts'
import { readExpression } from './expression.ts'
import type { Walk } from './walk.ts'

const AFTER_NAME = /^(?:PARTITION|ORDER|ROWS|RANGE|GROUPS)$/

/** OVER (…), OVER w, OVER (w ORDER BY x). */
export const readOver = (walk: Walk): void => {
  const { tokens } = walk.r
  const bracketed = tokens.op(walk.i + 1) === '('
  const at = bracketed ? walk.i + 2 : walk.i + 1
  const name = tokens.isName(at) ? tokens.text(at).toLowerCase() : ''
  const built = !bracketed || tokens.op(at + 1) === ')' || AFTER_NAME.test(tokens.word(at + 1))
  if (walk.scope.windows?.has(name) && built) {
    addWindow(walk, name, new Set())
    if (bracketed) walk.push(callFrame(walk.top, tokens.close(walk.i + 1, walk.end)))
    walk.i = at + 1
    walk.operand = !bracketed
    return
  }
  if (bracketed) walk.skip(1)
  else walk.value(name === '' ? 1 : 2)
}

/** What a named window uses. It may build on another one. */
const addWindow = (walk: Walk, name: string, seen: Set<string>): void => {
  const range = walk.scope.windows?.get(name)
  if (!range || seen.has(name)) return
  seen.add(name)
  const { tokens } = walk.r
  const [from, end] = range
  const base = tokens.isName(from) ? tokens.text(from).toLowerCase() : ''
  const built = walk.scope.windows?.has(base) === true && tokens.word(from + 1) !== 'BY'
  if (built) addWindow(walk, base, seen)
  walk.add(readExpression(walk.r, built ? from + 1 : from, end, walk.scope, walk.around).flow, 'expression')
}
