import type { Config } from '../config.ts'
import { newId } from '../id.ts'
import { emailChannel } from '../notify/channels/email.ts'
import type { Sending } from './invite.ts'

/** Sends a one-time link. It is not queued, because the queue would store it in the database, which must hold only its hash. The admin who created it sees it as well. */
export const mailInvitations = (
  { smtpUrl, smtpFrom }: Partial<Pick<Config, 'smtpUrl' | 'smtpFrom'>>,
  onError: (error: unknown) => void,
): Sending['mail'] => {
  if (!smtpUrl) return undefined
  const channel = emailChannel({ url: smtpUrl, from: smtpFrom ?? 'Tablinum <tablinum@localhost>' })
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
