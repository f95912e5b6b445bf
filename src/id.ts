import { v7 } from 'uuid'

/** A new ID. Version 7 grows with time, so rows written together lie together in every index. */
export const newId = (): string => v7()

const ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** An ID comes in with or without dashes, in any case; it goes on with dashes, in lower case. Anything else is no ID. */
export const readId = (text: string): string | undefined => {
  if (!ID.test(text)) return undefined
  const hex = text.replaceAll('-', '').toLowerCase()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** For JSON Schema. */
export const ID_PATTERN = '^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$'
