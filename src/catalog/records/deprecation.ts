import { type Static, Type } from 'typebox'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { IdInput, Nullable, NullableId, NullableString, Timestamp } from '../../platform/core/schema-types.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'

/** Says that people should stop using a resource, why, since when and what to use instead. */
export const Deprecation = Type.Object(
  {
    reason: NullableString('Why it should no longer be used.'),
    replacement_id: NullableId('The resource to use instead.'),
    since: Timestamp,
  },
  { title: 'Deprecation', description: 'Set if the resource should no longer be used.' },
)
export type Deprecation = Static<typeof Deprecation>

export const MAX_REASON_LENGTH = 2000

export const DeprecationInput = Type.Object(
  {
    reason: Type.Optional(Nullable(Type.String({ maxLength: MAX_REASON_LENGTH, description: 'Why it should no longer be used.' }))),
    replacement_id: Type.Optional(Nullable(IdInput)),
    since: Type.Optional(
      Nullable(Type.String({ maxLength: 40, description: 'ISO 8601. Default: the previous value, else the current time.' })),
    ),
  },
  { title: 'DeprecationInput', description: 'Marks the resource as no longer to be used. Null removes the mark.' },
)
type DeprecationInput = Static<typeof DeprecationInput>

/** A checked deprecation, possibly without a date. */
export type DeprecationChange = Omit<Deprecation, 'since'> & { readonly since: string | null }

export const parseDeprecation = ({ reason, replacement_id, since }: DeprecationInput): DeprecationChange => {
  const at = since == null ? null : parseTimestamp(since)
  if (at === undefined) throw invalid({ 'deprecation.since': ['must be an ISO 8601 timestamp.'] })
  return { reason: reason?.trim() || null, replacement_id: replacement_id == null ? null : parseId(replacement_id)!, since: at }
}

/** The deprecation after an edit. Without a date, the mark dates from when it was first set. */
export const dateDeprecation = (change: DeprecationChange | null, before: Deprecation | null, now: string): Deprecation | null =>
  change && { reason: change.reason, replacement_id: change.replacement_id, since: change.since ?? before?.since ?? now }
