import type { Context } from '../context.ts'

/**
 * The time now, in work that goes on after the request or task that `ctx.now` is the beginning of. It counts on from there, so it follows the
 * clock that `ctx.now` was read from and never jumps.
 */
export const clockFrom = ({ now }: Pick<Context, 'now'>): (() => Date) => {
  const began = performance.now()
  return () => new Date(now.getTime() + performance.now() - began)
}
