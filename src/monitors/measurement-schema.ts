import { type Static, Type } from 'typebox'
import { PageQuery } from '../lists/page.ts'
import { Id, IdIn, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../wire.ts'
import { INCIDENT_STATUSES } from './incident-schema.ts'
import { METRIC_TYPES } from './metric-types.ts'

/** What travels on the wire: measurements. */
const MARKS = ['normal', 'incident'] as const

export const Measurement = Type.Object(
  {
    id: Id(),
    created_at: Type.Unsafe<string>({ ...Timestamp, description: 'When it was measured.' }),
    updated_at: Timestamp,
    monitor: Id(),
    value: Type.Number(),
    row_count: Nullable(Type.Integer({ description: 'The rows behind a percentage.' })),
    lower_threshold: Nullable(
      Type.Number({ description: 'Null while the usual range is still being learned, or where there is no limit.' }),
    ),
    upper_threshold: Nullable(Type.Number()),
    explanation: NullableString('Why the limits are what they are.'),
    thresholds_version: Nullable(
      Type.Integer({
        description: 'Which version of the automatic thresholds named the limits. Null where they are set by hand or still being learned.',
      }),
    ),
    outside: Type.Boolean(),
    origin: OneOf(['run', 'pushed', 'history']),
    marked: Nullable(OneOf(MARKS, 'What people said of it.')),
    incident: NullableId(),
    incident_metadata: Nullable(Type.Object({ name: Type.String(), status: OneOf(INCIDENT_STATUSES) })),
  },
  { title: 'Measurement' },
)
export type Measurement = Static<typeof Measurement>

const someId = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
export const MeasurementQuery = Type.Object({
  ...PageQuery.properties,
  monitor: someId('Of this monitor.'),
  incident_id: someId('Of this incident. One of the two is required.'),
})
export type MeasurementQuery = Static<typeof MeasurementQuery>

export const MeasurementEdit = Type.Object(
  {
    marked: Nullable(
      OneOf(MARKS, '`normal`: to be expected, learn from it, and its incident is over. `incident`: not to be learned from.'),
    ),
  },
  { title: 'MeasurementEdit', examples: [{ marked: 'normal' }] },
)
export type MeasurementEdit = Static<typeof MeasurementEdit>

export const MeasurementPush = Type.Object(
  {
    measurements: Type.Array(
      Type.Object({
        monitor: Type.Optional(IdIn),
        key: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The key of the monitor, instead of its ID.' })),
        value: Type.Number(),
        measured_at: Type.Optional(Type.String({ format: 'date-time', description: 'Now when absent.' })),
        row_count: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
      }),
      { minItems: 1, maxItems: 1000 },
    ),
  },
  {
    title: 'MeasurementPush',
    examples: [{ measurements: [{ monitor: '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60', value: 1042 }] }],
  },
)
export type MeasurementPush = Static<typeof MeasurementPush>

export const Pushed = Type.Object({ results: Type.Array(Measurement) }, { title: 'MeasurementsPushed' })

const setting = {
  condition_auto_sensitivity: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10 }))),
  condition_manual_min: Type.Optional(Nullable(Type.Number())),
  condition_manual_max: Type.Optional(Nullable(Type.Number())),
}

export const ReplayRequest = Type.Object(
  {
    monitor: Type.Optional(Nullable(IdIn)),
    metric_type: Type.Optional(Nullable(OneOf(METRIC_TYPES))),
    frequency: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 168, description: 'Hours between runs.' }))),
    measurements: Type.Optional(
      Nullable(
        Type.Array(Type.Object({ measured_at: Type.String({ format: 'date-time' }), value: Type.Number() }), {
          maxItems: 5000,
          description: 'Instead of a monitor: values of your own.',
        }),
      ),
    ),
    ...setting,
  },
  {
    title: 'ReplayRequest',
    examples: [{ monitor: '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60', condition_auto_sensitivity: 8 }],
  },
)
export type ReplayRequest = Static<typeof ReplayRequest>

export const Replay = Type.Object(
  {
    measurements: Type.Integer({ description: 'How many were looked at.' }),
    learning: Type.Integer({ description: 'How many of them came before there were limits.' }),
    outside: Type.Integer(),
    incidents: Type.Array(
      Type.Object({
        first_seen_at: Timestamp,
        last_seen_at: Timestamp,
        resolved_at: Nullable(Timestamp),
        value: Type.Number({ description: 'The first one outside.' }),
        runs_outside: Type.Integer(),
      }),
      { description: 'The incidents there would have been.' },
    ),
    results: Type.Array(
      Type.Object({
        created_at: Timestamp,
        value: Type.Number(),
        lower_threshold: Nullable(Type.Number()),
        upper_threshold: Nullable(Type.Number()),
        outside: Type.Boolean(),
      }),
      { description: 'The newest 2,000, the oldest first.' },
    ),
  },
  { title: 'Replay' },
)
export type Replay = Static<typeof Replay>

export const MonitorPreview = Type.Object(
  {
    name: Type.String({ description: 'What it would be called.' }),
    metric_type: OneOf(METRIC_TYPES),
    frequency: Type.Integer(),
    value: Nullable(Type.Number({ description: 'What it measures now.' })),
    row_count: Nullable(Type.Integer({ description: 'The rows behind a percentage.' })),
    problem: NullableString('Why it cannot be measured.'),
    past: Type.Array(Type.Object({ measured_at: Timestamp, value: Type.Number() }), {
      description:
        'What it would have measured, the oldest first, where the table says when its rows were written. Ready for `/monitor/replay`.',
    }),
    past_problem: NullableString('Why nobody can say what it would have measured.'),
  },
  { title: 'MonitorPreview' },
)
export type MonitorPreview = Static<typeof MonitorPreview>
