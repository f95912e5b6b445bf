import { v7 } from 'uuid'

/** A new UUIDv7. It grows with time, so rows written together are adjacent in every index; IDs of the same millisecond grow too. */
export const newId = (): string => v7()

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
