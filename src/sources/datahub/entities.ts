import { isObject } from '../../platform/core/json-value.ts'
import type { Aspect } from './change.ts'

/** An entity with everything that is known about it. Pure. */
export interface Entity {
  readonly urn: string
  readonly type: string
  readonly aspects: ReadonlyMap<string, Aspect>
  /** When each aspect got its present value. */
  readonly changedAt?: ReadonlyMap<string, string>
}

export type Entities = ReadonlyMap<string, Entity>

export const getAspect = (entity: Entity | undefined, name: string): Record<string, Aspect> => {
  const value = entity?.aspects.get(name)
  return isObject(value) ? value : {}
}

/** Marked as deleted by DataHub, e.g. because the last run did not find it. */
export const isRemoved = (entity: Entity): boolean => getAspect(entity, 'status').removed === true

export const toText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

export const toStrings = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((each) => readUrn(each) ?? []) : [])

/** Lists of URNs hold texts, `{"string": urn}` or edges with `destinationUrn`. */
const readUrn = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : isObject(value)
      ? (toText(value.string) ?? toText(value.destinationUrn) ?? toText(value.urn))
      : undefined

/** `time: 0` stands for an unknown time. */
export const toTime = (milliseconds: unknown): string | undefined =>
  typeof milliseconds === 'number' && milliseconds > 0 && milliseconds < 8.64e15 ? new Date(milliseconds).toISOString() : undefined
