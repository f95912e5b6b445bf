import { type Static, type TSchema, Type } from 'typebox'
import { ID_PATTERN } from './id.ts'

/** Schema types shared by the schemas of all modules. */

/** One schema with two types instead of a union: the error is "must be string,null", and OpenAPI shows one line. */
export const Nullable = <T extends TSchema>(type: T) => {
  const { type: name, enum: values, ...rest } = type as T & { type?: string; enum?: unknown[] }
  if (!name) return Type.Unsafe<Static<T> | null>({ anyOf: [type, { type: 'null' }] })
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [name, 'null'], ...(values ? { enum: [...values, null] } : {}) })
}
export const NullableString = (description?: string) => Nullable(Type.String(described(description)))
export const Id = (description?: string) => Type.String({ format: 'uuid', ...described(description) })
export const NullableId = (description?: string) => Nullable(Id(description))
export const Ids = (description?: string) => Type.Array(Id(), described(description))
export const Timestamp = Type.String({ format: 'date-time' })
export const NullableTimestamp = Nullable(Timestamp)
export const OneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...described(description) })

/** An ID in a request: with or without dashes, in any case. */
export const IdInput = Type.String({ pattern: ID_PATTERN, description: 'A UUID, with or without dashes.' })
export const MAX_IDS = 1000
export const IdsInput = Type.Array(IdInput, { maxItems: MAX_IDS })

const described = (description: string | undefined) => (description === undefined ? {} : { description })
