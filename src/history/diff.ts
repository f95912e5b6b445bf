import type { Change } from './record.ts'

/** The differences between two states of a record, in these fields. An absent array equals an empty one. */
export const diff = (before: object, after: object, fields: readonly string[]): Change[] =>
  fields.flatMap((field) => {
    const from = wire((before as Record<string, unknown>)[field])
    const to = wire((after as Record<string, unknown>)[field])
    return same(from, to) ? [] : [{ field, from, to }]
  })

const wire = (value: unknown): unknown => (value === undefined || (Array.isArray(value) && value.length === 0) ? null : value)

const same = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => each === b[i]))
