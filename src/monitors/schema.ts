import { type Static, type TSchema, Type } from 'typebox'
import { PageQuery } from '../lists/page.ts'
import { Id, IdIn, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../wire.ts'
import { METRIC_TYPES } from './metric-types.ts'
import { CADENCES } from './schedule.ts'

/** What travels on the wire: monitors. */
const MONITOR_STATUSES = ['pending', 'normal', 'incident', 'error'] as const
const optional = <T extends TSchema>(type: T) => Type.Optional(Nullable(type))
const NullableNumber = (description?: string) => Nullable(Type.Number(description === undefined ? {} : { description }))

export const TargetBrief = Type.Object({
  icon: NullableString(),
  label: Type.String({ description: 'Its full title.' }),
  entity_type: Type.String(),
  integration: NullableId(),
  integration_type: NullableString(),
})

const Schedule = Type.Object({
  cadence: OneOf(CADENCES),
  hour: Type.Integer(),
  day: Nullable(Type.Integer()),
  frequency: Type.Integer({ description: 'Hours from one run to the next.' }),
})

const LONGEST_SQL = 100_000
const Config = {
  query_select: Type.String({
    maxLength: LONGEST_SQL,
    description: 'Of `custom_sql`: one SELECT that gives one row with one number. Other metrics do not ask it.',
  }),
  where: Type.String({ maxLength: LONGEST_SQL, description: 'Only rows of which this is true are measured.' }),
  timestamp_column: Type.String({ maxLength: 500, description: 'When a row was written: of `freshness`, and to learn from the past.' }),
}
export interface MetricConfig {
  readonly query_select?: string
  readonly where?: string
  readonly timestamp_column?: string
}

export const Monitor = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    integration: NullableId('Whose target it is.'),
    target: Id('The monitored table or column.'),
    workspace: Id(),
    key: NullableString('What it is known by to whoever pushes its values.'),
    metric_type: OneOf(METRIC_TYPES),
    metric_config: Type.Object({
      query_select: Type.Optional(Type.String()),
      where: Type.Optional(Type.String()),
      timestamp_column: Type.Optional(Type.String()),
    }),
    schedule: Schedule,
    frequency: Type.Integer({ description: 'Hours from one run to the next.' }),
    name: Type.String(),
    is_enabled: Type.Boolean(),
    notify_slack_channel: NullableString(),
    condition_auto_sensitivity: Nullable(Type.Integer({ description: '1..10, higher is tighter; null where the limits are set by hand.' })),
    condition_manual_min: NullableNumber(),
    condition_manual_max: NullableNumber(),
    status: OneOf(MONITOR_STATUSES),
    last_attempted_at: NullableTimestamp,
    last_success_at: NullableTimestamp,
    last_error_at: NullableTimestamp,
    last_error_message: NullableString(),
    last_measurement: NullableId(),
    last_measurement_value: NullableNumber(),
    last_incident: NullableId(),
    next_run_at: NullableTimestamp,
    display_metadata: Type.Object({ target: TargetBrief }),
    recent: Type.Optional(
      Type.Array(Type.Object({ created_at: Timestamp, value: Type.Number(), outside: Type.Boolean() }), {
        description: 'Its last measurements, the oldest first; in lists that ask for them with `recent`.',
      }),
    ),
  },
  { title: 'Monitor' },
)
export type Monitor = Static<typeof Monitor>

const settings = {
  is_enabled: optional(Type.Boolean()),
  name: optional(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })),
  key: optional(Type.String({ minLength: 1, maxLength: 500, description: 'Yours to choose; no two monitors have the same.' })),
  metric_config: optional(
    Type.Object({
      query_select: optional(Config.query_select),
      where: optional(Config.where),
      timestamp_column: optional(Config.timestamp_column),
    }),
  ),
  schedule: optional(
    Type.Object(
      {
        cadence: optional(OneOf(CADENCES)),
        hour: optional(Type.Integer({ minimum: 0, maximum: 23, description: 'UTC.' })),
        day: optional(Type.Integer({ minimum: 0, maximum: 6, description: 'Sunday is 0; of weekly ones.' })),
        frequency: optional(
          Type.Integer({ minimum: 1, maximum: 10_000, description: 'Hours between runs: 1, 3, 6 or 12, of hourly ones.' }),
        ),
      },
      { description: 'Daily at 00:00 UTC when absent.' },
    ),
  ),
  condition_auto_sensitivity: optional(
    Type.Integer({ minimum: 1, maximum: 10, description: '5 for automatic thresholds, null with manual ones. Higher is tighter.' }),
  ),
  condition_manual_min: optional(Type.Number()),
  condition_manual_max: optional(Type.Number()),
  notify_slack_channel: optional(Type.String({ maxLength: 200, description: 'The channel that hears of incidents.' })),
}

export const MonitorCreate = Type.Object(
  {
    target: optional(IdIn),
    metric_type: optional(OneOf(METRIC_TYPES, '`row_count` of tables, `null_percentage` of columns when absent.')),
    ...settings,
    subscribe: optional(
      Type.Boolean({ default: true, description: 'Subscribe whoever creates it to its target, so that its incidents reach somebody.' }),
    ),
    back_fill: optional(
      Type.Boolean({ description: 'Learn from the rows of the past at once, where the table says when they were written.' }),
    ),
  },
  {
    title: 'MonitorCreate',
    examples: [
      {
        target: '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60',
        metric_type: 'null_percentage',
        is_enabled: true,
        condition_auto_sensitivity: 5,
        schedule: { cadence: 'daily', hour: 3 },
      },
    ],
  },
)
export type MonitorCreate = Static<typeof MonitorCreate>

export const MonitorEdit = Type.Object(
  { target: optional(IdIn), metric_type: optional(OneOf(METRIC_TYPES)), ...settings },
  { title: 'MonitorEdit', examples: [{ condition_auto_sensitivity: 7, schedule: { cadence: 'hourly', frequency: 6 } }] },
)
export type MonitorEdit = Static<typeof MonitorEdit>

const someId = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
export const MonitorQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(MONITOR_STATUSES)),
  monitor: someId('A monitor.'),
  target: someId('The monitored resource.'),
  resource_id: someId('The monitored resource, or the table whose columns are monitored.'),
  integration_id: someId('Whose resources are monitored.'),
  metric_type: Type.Optional(OneOf(METRIC_TYPES)),
  is_enabled: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String({ maxLength: 1000, description: 'Part of the name.' })),
  recent: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'How many of its last measurements come with each monitor: for small charts.' }),
  ),
})
export type MonitorQuery = Static<typeof MonitorQuery>

export const RunRequest = Type.Object(
  { monitors: Type.Array(IdIn, { minItems: 1, maxItems: 10_000 }) },
  { title: 'RunMonitors', examples: [{ monitors: ['0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60'] }] },
)
export type RunRequest = Static<typeof RunRequest>
