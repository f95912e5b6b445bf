import type { Context } from '../context/context.ts'

/**
 * The current time for work that outlasts its request or task. It advances from `ctx.now`, so it follows the clock that `ctx.now` was read
 * from and never jumps.
 */
export const createClock = ({ now }: Pick<Context, 'now'>): (() => Date) => {
  const began = performance.now()
  return () => new Date(now.getTime() + performance.now() - began)
}
