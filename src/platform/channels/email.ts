import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { type Channel, DeliveryError, type Message } from './channel.ts'
import { renderHtml, renderText } from './mail-text.ts'

export interface EmailOptions {
  /** `smtp://user:password@host:587`, or `smtps://…`. */
  readonly url: string
  /** `Tablinum <tablinum@example.com>` */
  readonly from: string
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 40_000 }

/**
 * E-mail by SMTP, with one connection per message. Mail systems ignore a message whose Message-ID they already have, so a message whose
 * result is unknown is sent again with the same ID.
 */
export const createEmailChannel = ({ url, from }: EmailOptions): Channel => {
  const { auth, ...options } = parseConnectionUrl(url) as SMTPConnectionOptions & { auth?: { user: string; pass: string } }
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'

  return {
    name: 'email',
    send: async (message, beforeSubmit) => {
      const mail = new MailComposer(buildMail(message, from, domain)).compile()
      const { from: sender, to } = mail.getEnvelope()
      const bytes = await mail.build()
      const connection = new SMTPConnection({ ...options, ...TIMEOUTS })
      let submitted = false
      try {
        const { response } = await new Promise<{ response?: string }>((resolve, reject) => {
          const fail = (error: unknown) => reject(error)
          connection.on('error', fail) // stays registered after the first error, because an unhandled one would end the process
          connection.once('end', () => fail(new Error('The mail server closed the connection.')))
          const submit = () =>
            connection.send(
              { from: sender, to },
              Readable.from(endAfterCallback(bytes, () => beforeSubmit().then(() => (submitted = true)))),
              (error, info) => (error ? fail(error) : resolve(info ?? {})),
            )
          connection.connect((error) => {
            if (error) fail(error)
            else if (auth && connection.allowsAuth) connection.login({ credentials: auth }, (error) => (error ? fail(error) : submit()))
            else submit()
          })
        })
        return { response: { body: response } }
      } catch (error) {
        throw toDeliveryError(error as SmtpError, submitted)
      } finally {
        connection.close()
      }
    },
  }
}

/** The server accepts a message when it receives the final dot, which is sent only after the stream has ended, so after the callback. */
async function* endAfterCallback(bytes: Buffer, callback: () => Promise<unknown>) {
  yield bytes
  await callback()
}

const buildMail = ({ id, to, subject, settings_link, thread, ...body }: Message, from: string, domain: string) => ({
  from,
  to: { name: '', address: to },
  subject,
  messageId: `<${id}@${domain}>`,
  ...(thread ? { inReplyTo: `<${thread.id}@${domain}>`, references: [`<${thread.id}@${domain}>`] } : {}),
  text: renderText({ ...body, settings_link }),
  html: renderHtml({ ...body, settings_link }),
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(settings_link ? { 'List-Unsubscribe': `<${settings_link}>` } : {}),
  },
})

interface SmtpError extends Error {
  readonly code?: string
  /** What the server said. */
  readonly response?: string
  readonly responseCode?: number
}

/** A response of the server is definite. A rejected login is a configuration problem, not one of the recipient, so it is retried. */
const toDeliveryError = (error: SmtpError, submitted: boolean): DeliveryError => {
  if (error instanceof DeliveryError) return error
  const { responseCode = 0, code } = error
  const message = describeError(error)
  if (responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS') return new DeliveryError('never', message)
  return new DeliveryError(submitted && responseCode === 0 ? 'unknown' : 'again', message)
}

/** An admin chooses the host, which may be any service of the internal network: only what a mail server says is repeated. */
const describeError = ({ response, message }: SmtpError): string =>
  response && !/^\d{3}(?:[ -]|$)/.test(response) ? 'The server does not answer as a mail server.' : message
