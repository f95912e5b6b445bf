import type { Config } from '../config.ts'
import { newId } from '../id.ts'
import { emailChannel } from '../notify/channels/email.ts'
import type { Sending } from './invite.ts'

/** Sends a one-time link. It is not queued: it would then lie in the database, where only its hash belongs. Whoever asked for it sees it too. */
export const mailInvitations = (
  { smtpUrl, smtpFrom }: Partial<Pick<Config, 'smtpUrl' | 'smtpFrom'>>,
  onError: (error: unknown) => void,
): Sending['mail'] => {
  if (!smtpUrl) return undefined
  const channel = emailChannel({ url: smtpUrl, from: smtpFrom ?? 'Tablinum <tablinum@localhost>' })
  return async (to, link, expires_at) => {
    try {
      const lines = ['Follow the link to choose your password.', `It works once, until ${expires_at.slice(0, 16).replace('T', ' ')} UTC.`]
      await channel.send(
        { id: newId(), to, subject: 'You are invited to Tablinum', sections: [{ title: 'Come in', link, lines }] },
        async () => {},
      )
      return true
    } catch (error) {
      onError(error)
      return false
    }
  }
}
