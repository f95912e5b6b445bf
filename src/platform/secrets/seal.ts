import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Secrets at rest: AES-256-GCM. The owner is part of the authenticated data, so a sealed secret can only be opened in its own row:
 * copied to another integration it cannot be decrypted.
 */
const CIPHER = 'aes-256-gcm'
const FORMAT = 1 // the first byte, so that the format can change later
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES

export interface Key {
  /** Identifies the key without revealing it. */
  readonly id: string
  readonly bytes: Buffer
}

export const deriveKey = (bytes: Buffer): Key => ({
  id: createHash('sha256').update('tablinum key id ').update(bytes).digest('hex').slice(0, 16),
  bytes,
})

export const seal = ({ bytes }: Key, owner: string, text: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, bytes, nonce)
  cipher.setAAD(Buffer.from(owner))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), encrypted])
}

/** Undefined when the data was not sealed for this owner with this key. */
export const unseal = ({ bytes }: Key, owner: string, sealed: Buffer): string | undefined => {
  if (sealed.length < HEADER_BYTES || sealed[0] !== FORMAT) return undefined
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
