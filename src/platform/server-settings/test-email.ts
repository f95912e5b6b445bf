import { DeliveryError } from '../channels/channel.ts'
import { createEmailChannel, type EmailOptions } from '../channels/email.ts'
import { newId } from '../core/id.ts'
import { type Translatable, translatable } from '../core/translatable.ts'

/** Sends a test mail. Returns why it could not be sent. */
export const findEmailProblem = async (options: EmailOptions, to: string): Promise<Translatable | undefined> => {
  const section = { title: 'Test message from Tablinum', lines: ['If you can read this, the mail server works.'] }
  const message = { id: newId(), to, subject: 'Test message from Tablinum', sections: [section] }
  try {
    await createEmailChannel(options).send(message, async () => {})
    return undefined
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    return describeProblem(error.message.slice(0, MAX_ANSWER))
  }
}

const MAX_ANSWER = 500

const describeProblem = (answer: string): Translatable => {
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout|greeting/i.test(answer))
    return translatable('Could not connect to the mail server. Check host, port and encryption. {answer}', { answer })
  if (/login|auth|credential/i.test(answer))
    return translatable('The mail server rejected the user name or the password. {answer}', { answer })
  if (/tls|ssl|certificate/i.test(answer)) return translatable('The connection could not be encrypted. {answer}', { answer })
  return translatable('The mail server did not accept the message. {answer}', { answer })
}
