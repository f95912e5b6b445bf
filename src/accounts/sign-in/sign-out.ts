import type { Context } from '../../platform/context/context.ts'
import { endSession } from './sessions.ts'

/** Ends the session of this secret, if it is still active. */
export const signOut = async (ctx: Context, secret: string | undefined): Promise<void> => {
  if (secret === undefined) return
  const actor = await ctx.runtime.caches.sessionCallers.find(secret, () => ctx.now)
  if (actor?.session_id) await endSession({ ...ctx, actor }, actor.session_id)
}
