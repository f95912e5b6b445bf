import { type Static, Type } from 'typebox'
import { DeprecationWarning } from '../../catalog/listing/deprecations.ts'
import { Id, NullableId, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'

export const CHECKS = ['incidents', 'errors', 'stale'] as const
export type Check = (typeof CHECKS)[number]

/** HTTP statuses a failing gate may return: `curl -f` fails at 400 and above. */
export const FAIL_STATUSES = [200, 409, 412, 424] as const

export const GateQuery = Type.Object({
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'ID of the resource the pipeline is about to use.' })),
  path: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Full title of the resource instead of its ID, e.g. `shop.public.orders`.' }),
  ),
  upstream: Type.Optional(Type.Boolean({ default: false, description: 'Also check everything upstream.' })),
  checks: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Comma-separated list of checks: `incidents`, `errors`, `stale`. Default: all.',
    }),
  ),
  ignore_acknowledged: Type.Optional(Type.Boolean({ default: false, description: 'Ignore acknowledged incidents.' })),
  fail_status: Type.Optional(
    Type.Unsafe<(typeof FAIL_STATUSES)[number]>(
      Type.Integer({
        enum: [...FAIL_STATUSES],
        default: 200,
        description: 'HTTP status of the response when the result is `fail`. Use e.g. 424 to make `curl -f` fail.',
      }),
    ),
  ),
})
export type GateQuery = Static<typeof GateQuery>

export const GateReason = Type.Object(
  {
    code: OneOf(['incident', 'error', 'stale']),
    text: Type.String({ description: 'Readable description.' }),
    text_translatable: Translatable,
    resource_id: Id(),
    resource: Type.String({ description: 'Full title of the resource.' }),
    upstream: Type.Boolean(),
    monitor: Id(),
    incident: NullableId(),
    since: NullableTimestamp,
  },
  { title: 'GateReason' },
)
export type GateReason = Static<typeof GateReason>

export const Gate = Type.Object(
  {
    status: OneOf(['pass', 'fail', 'unknown'], '`unknown`: there are no measurements.'),
    resource_id: Id(),
    resource: Type.String({ description: 'Full title of the resource.' }),
    reasons: Type.Array(GateReason, { description: 'Why the gate fails: nearest resource first, at most 100.' }),
    reasons_count: Type.Integer({ description: 'Total number of reasons.' }),
    warnings: Type.Array(DeprecationWarning, {
      description: 'Deprecated resources among those checked. They do not make the gate fail.',
    }),
    monitors_checked: Type.Integer(),
    resources_checked: Type.Integer(),
    truncated: Type.Boolean({ description: 'True if there are more upstream resources than were checked.' }),
    checked_at: Timestamp,
    summary: Type.String({ description: 'The result as one sentence.' }),
  },
  { title: 'Gate' },
)
export type Gate = Static<typeof Gate>
