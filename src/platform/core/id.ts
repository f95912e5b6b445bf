import { v7 } from 'uuid'

const RANDOM_BYTES = 16 // of one ID
const random = new Uint8Array(256 * RANDOM_BYTES)
let used = random.length
let msecs = 0
let seq = 0

/** A new UUIDv7. It grows with time, so rows written together are adjacent in every index; IDs of the same millisecond grow too. */
export const newId = (): string => {
  // The operating system is asked once for 256 IDs: two calls for each line were a tenth of what an import takes in Node.
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  const bytes = random.subarray(used, used + RANDOM_BYTES)
  used += RANDOM_BYTES
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    seq = (bytes[6]! << 23) | (bytes[7]! << 16) | (bytes[8]! << 8) | bytes[9]! // 31 bits: there is room for the IDs of this millisecond
  } else {
    seq = (seq + 1) | 0
    if (seq === 0) msecs += 1
  }
  return v7({ random: bytes, msecs, seq })
}

const CANONICAL_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** Accepts a UUID with or without dashes, in any case; returns it with dashes, in lower case. Anything else is rejected. */
export const parseId = (text: string): string | undefined => {
  if (CANONICAL_ID.test(text)) return text // already in canonical form
  if (!ID.test(text)) return undefined
  const hex = text.replaceAll('-', '').toLowerCase()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** For JSON Schema. */
export const ID_PATTERN = '^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$'
