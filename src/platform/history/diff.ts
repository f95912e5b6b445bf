import { isDeepStrictEqual } from 'node:util'
import type { Change } from './record.ts'

/** The differences between two states of a record, in these fields. An absent array equals an empty one. */
export const diffFields = (before: object, after: object, fields: readonly string[]): Change[] => {
  const changes: Change[] = []
  for (const field of fields) {
    const from = toWireValue((before as Record<string, unknown>)[field])
    const to = toWireValue((after as Record<string, unknown>)[field])
    if (!isSameValue(from, to)) changes.push({ field, from, to })
  }
  return changes
}

const toWireValue = (value: unknown): unknown => (value === undefined || (Array.isArray(value) && value.length === 0) ? null : value)

const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b))
