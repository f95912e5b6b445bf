import { v7 } from 'uuid'

const BYTES = 16
const random = new Uint8Array(BYTES * 256) // fetched in bulk: fetching random bytes per ID costs more than everything else
let used = random.length
const last = { msecs: 0, seq: 0 }

/** A new UUIDv7. It grows with time, so rows written together are adjacent in every index; IDs of the same millisecond grow too. */
export const newId = (): string => {
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  const mine = random.subarray(used, used + BYTES)
  used += BYTES
  const now = Date.now()
  if (now > last.msecs) {
    last.msecs = now
    last.seq = (mine[0]! << 23) | (mine[1]! << 15) | (mine[2]! << 7) | (mine[3]! & 0x7f) // 31 bits: room to grow
  } else {
    last.seq = (last.seq + 1) | 0
    if (last.seq === 0) last.msecs += 1
  }
  return v7({ random: mine, msecs: last.msecs, seq: last.seq })
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
