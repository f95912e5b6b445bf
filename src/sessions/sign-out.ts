import type { Context } from '../context.ts'
import { endSession } from './sessions.ts'

/** Ends the session this secret opens. One that is over already was left, and that is all that was wanted. */
export const signOut = async (ctx: Context, secret: string | undefined): Promise<void> => {
  if (secret === undefined) return
  const actor = await ctx.runtime.caches.sessionCallers.find(secret, () => ctx.now)
  if (actor?.session_id) await endSession({ ...ctx, actor }, actor.session_id)
}
