import { createEmailChannel } from '../../platform/channels/email.ts'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { readServices, type ServerConfig } from '../../platform/server-settings/services.ts'
import type { InvitationDelivery } from './invite.ts'

/**
 * Sends a one-time link, if a mail server is set. It is not queued, because the queue would store it in the database, which must hold only
 * its hash. The admin who created it sees it as well.
 */
export const createInvitationMailer =
  (ctx: () => Context, config: ServerConfig, onError: (error: unknown) => void) => async (): Promise<InvitationDelivery['mail']> => {
    const { email } = await readServices(ctx(), config)
    if (!email) return undefined
    const channel = createEmailChannel(email)
    return async (to, link, expires_at) => {
      try {
        const lines = [
          'Open the link to set your password and sign in.',
          `The link can be used once and expires on ${expires_at.slice(0, 16).replace('T', ' ')} UTC.`,
        ]
        await channel.send(
          { id: newId(), to, subject: 'Your invitation to Tablinum', sections: [{ title: 'Set your password', link, lines }] },
          async () => {},
        )
        return true
      } catch (error) {
        onError(error)
        return false
      }
    }
  }
