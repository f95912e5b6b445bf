import { type Static, Type } from 'typebox'
import { Id, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../wire.ts'

/** What travels on the wire about the gate. */
export const CHECKS = ['incidents', 'errors', 'stale'] as const
export type Check = (typeof CHECKS)[number]

/** What a failing gate may answer: `curl -f` stops at 400 and above. */
export const FAIL_STATUSES = [200, 409, 412, 424] as const

export const GateQuery = Type.Object({
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'The resource that a pipeline is about to read.' })),
  path: Type.Optional(Type.String({ maxLength: 2000, description: 'Or its full title: `shop.public.orders`.' })),
  upstream: Type.Optional(Type.Boolean({ default: false, description: 'Look at everything it is made from as well.' })),
  checks: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Which of `incidents`, `errors` and `stale` count, with commas between. All of them by default.',
    }),
  ),
  ignore_acknowledged: Type.Optional(Type.Boolean({ default: false, description: 'Incidents that somebody looks after do not count.' })),
  fail_status: Type.Optional(
    Type.Unsafe<(typeof FAIL_STATUSES)[number]>(
      Type.Integer({
        enum: [...FAIL_STATUSES],
        default: 200,
        description: 'The status of the answer when it says `fail`. `curl -f` stops at 424.',
      }),
    ),
  ),
})
export type GateQuery = Static<typeof GateQuery>

export const GateReason = Type.Object(
  {
    code: OneOf(['incident', 'error', 'stale']),
    text: Type.String({ description: 'For people.' }),
    resource_id: NullableId('Null: it is something upstream that you may not see.'),
    resource: NullableString('Its full title.'),
    upstream: Type.Boolean(),
    monitor: NullableId(),
    incident: NullableId(),
    since: NullableTimestamp,
    count: Type.Integer({ description: 'How many monitors this speaks of: one, or all that you may not see.' }),
  },
  { title: 'GateReason' },
)
export type GateReason = Static<typeof GateReason>

export const Gate = Type.Object(
  {
    status: OneOf(['pass', 'fail', 'unknown'], '`unknown`: nothing speaks against it, and nothing was measured.'),
    resource_id: Id(),
    resource: Type.String({ description: 'Its full title.' }),
    reasons: Type.Array(GateReason, { description: 'Why it fails, the nearest first, at most 100.' }),
    reasons_count: Type.Integer({ description: 'All of them.' }),
    monitors_checked: Type.Integer(),
    resources_checked: Type.Integer(),
    truncated: Type.Boolean({ description: 'There is more upstream than was looked at.' }),
    checked_at: Timestamp,
    summary: Type.String({ description: 'In one sentence.' }),
  },
  { title: 'Gate' },
)
export type Gate = Static<typeof Gate>
