import { isDeepStrictEqual } from 'node:util'
import type { Change } from './record.ts'

/** The differences between two states of a record, in these fields. An absent array equals an empty one. */
export const diffFields = (before: object, after: object, fields: readonly string[]): Change[] =>
  fields.flatMap((field) => {
    const from = toWireValue((before as Record<string, unknown>)[field])
    const to = toWireValue((after as Record<string, unknown>)[field])
    return isSameValue(from, to) ? [] : [{ field, from, to }]
  })

const toWireValue = (value: unknown): unknown => (value === undefined || (Array.isArray(value) && value.length === 0) ? null : value)

const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b))
