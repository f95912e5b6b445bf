import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'
import { INCIDENT_STATUSES } from '../monitor-model/incident-statuses.ts'
import { METRIC_TYPES } from '../monitor-model/metric-types.ts'

const FEEDBACK_VALUES = ['normal', 'incident'] as const

export const Measurement = Type.Object(
  {
    id: Id(),
    created_at: Type.Unsafe<string>({ ...Timestamp, description: 'Time of the measurement.' }),
    updated_at: Timestamp,
    monitor: Id(),
    value: Type.Number(),
    row_count: Nullable(Type.Integer({ description: 'Number of rows a percentage was computed from.' })),
    lower_threshold: Nullable(
      Type.Number({ description: 'Null while the expected range is still being learned, or if there is no lower limit.' }),
    ),
    upper_threshold: Nullable(Type.Number()),
    explanation: NullableString('How the limits were determined.'),
    thresholds_version: Nullable(
      Type.Integer({
        description:
          'Version of the automatic thresholds that computed the limits. Null for manual limits and while the expected range is still being learned.',
      }),
    ),
    outside: Type.Boolean(),
    origin: OneOf(['run', 'pushed', 'history']),
    marked: Nullable(OneOf(FEEDBACK_VALUES, 'Feedback from a user.')),
    incident: NullableId(),
    incident_metadata: Nullable(Type.Object({ name: Type.String(), status: OneOf(INCIDENT_STATUSES) })),
  },
  { title: 'Measurement' },
)
export type Measurement = Static<typeof Measurement>

const idFilter = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
export const MeasurementQuery = Type.Object({
  ...PageQuery.properties,
  monitor: idFilter('Measurements of this monitor.'),
  incident_id: idFilter('Measurements of this incident. Either `monitor` or `incident_id` is required.'),
})
export type MeasurementQuery = Static<typeof MeasurementQuery>

export const MeasurementEdit = Type.Object(
  {
    marked: Nullable(
      OneOf(
        FEEDBACK_VALUES,
        '`normal`: the value was expected; the thresholds learn from it and its incident is resolved. `incident`: the thresholds do not learn from it.',
      ),
    ),
  },
  { title: 'MeasurementEdit', examples: [{ marked: 'normal' }] },
)
export type MeasurementEdit = Static<typeof MeasurementEdit>

export const MeasurementPush = Type.Object(
  {
    measurements: Type.Array(
      Type.Object({
        monitor: Type.Optional(IdInput),
        key: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Key of the monitor, instead of its ID.' })),
        value: Type.Number(),
        measured_at: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now.' })),
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

export const MeasurementsPushed = Type.Object({ results: Type.Array(Measurement) }, { title: 'MeasurementsPushed' })

const conditionFields = {
  condition_auto_sensitivity: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10 }))),
  condition_manual_min: Type.Optional(Nullable(Type.Number())),
  condition_manual_max: Type.Optional(Nullable(Type.Number())),
}

export const ReplayRequest = Type.Object(
  {
    monitor: Type.Optional(Nullable(IdInput)),
    metric_type: Type.Optional(Nullable(OneOf(METRIC_TYPES))),
    frequency: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 168, description: 'Hours between runs.' }))),
    measurements: Type.Optional(
      Nullable(
        Type.Array(Type.Object({ measured_at: Type.String({ format: 'date-time' }), value: Type.Number() }), {
          maxItems: 5000,
          description: 'Your own values, instead of those of a monitor.',
        }),
      ),
    ),
    ...conditionFields,
  },
  {
    title: 'ReplayRequest',
    examples: [{ monitor: '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60', condition_auto_sensitivity: 8 }],
  },
)
export type ReplayRequest = Static<typeof ReplayRequest>

export const Replay = Type.Object(
  {
    measurements: Type.Integer({ description: 'Number of measurements checked.' }),
    learning: Type.Integer({ description: 'Number of measurements before the first limits were available.' }),
    outside: Type.Integer(),
    incidents: Type.Array(
      Type.Object({
        first_seen_at: Timestamp,
        last_seen_at: Timestamp,
        resolved_at: Nullable(Timestamp),
        value: Type.Number({ description: 'First value outside the limits.' }),
        runs_outside: Type.Integer(),
      }),
      { description: 'Incidents these settings would have opened.' },
    ),
    results: Type.Array(
      Type.Object({
        created_at: Timestamp,
        value: Type.Number(),
        lower_threshold: Nullable(Type.Number()),
        upper_threshold: Nullable(Type.Number()),
        outside: Type.Boolean(),
      }),
      { description: 'The latest 2,000 measurements, oldest first.' },
    ),
  },
  { title: 'Replay' },
)
export type Replay = Static<typeof Replay>

export const MonitorPreview = Type.Object(
  {
    name: Type.String({ description: 'Name the monitor would get.' }),
    metric_type: OneOf(METRIC_TYPES),
    frequency: Type.Integer(),
    value: Nullable(Type.Number({ description: 'Current value.' })),
    row_count: Nullable(Type.Integer({ description: 'Number of rows a percentage was computed from.' })),
    problem: NullableString('Why the metric could not be measured.'),
    past: Type.Array(Type.Object({ measured_at: Timestamp, value: Type.Number() }), {
      description: 'Backfilled values, oldest first, if the table has a timestamp column. Can be passed to `/monitor/replay`.',
    }),
    past_problem: NullableString('Why no values could be backfilled.'),
  },
  { title: 'MonitorPreview' },
)
export type MonitorPreview = Static<typeof MonitorPreview>
