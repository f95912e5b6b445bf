import { createHmac, randomBytes } from 'node:crypto'

/** Signatures as specified by Standard Webhooks (https://www.standardwebhooks.com), so that receivers can verify them with its libraries. */
const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const createWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export interface SignedPayload {
  /** The same for every attempt. */
  readonly id: string
  readonly at: Date
  readonly body: string
}

/** During a rotation there are several secrets; a receiver accepts any of the signatures. */
export const buildSignatureHeaders = ({ id, at, body }: SignedPayload, secrets: readonly string[]): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => computeSignature(`${id}.${timestamp}.${body}`, secret)).join(' '),
  }
}

const computeSignature = (text: string, secret: string): string => `v1,${createHmac('sha256', toKey(secret)).update(text).digest('base64')}`

/** Secrets that we create are encoded; those that an admin chose are taken as they are. */
const toKey = (secret: string): Buffer =>
  secret.startsWith(SECRET_PREFIX) ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64') : Buffer.from(secret)
