import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { SEVERITIES } from '../../platform/core/severity.ts'
import { PageQuery } from '../../platform/lists/page.ts'
import { COLUMN_CHANGE_KINDS } from '../../sources/sync/column-changes.ts'
import { METRIC_TYPES } from './metric-types.ts'
import { CADENCES } from './schedule.ts'

const MONITOR_STATUSES = ['pending', 'normal', 'incident', 'error'] as const
const optional = <T extends TSchema>(type: T) => Type.Optional(Nullable(type))
const NullableNumber = (description?: string) => Nullable(Type.Number(description === undefined ? {} : { description }))

export const TargetBrief = Type.Object({
  icon: NullableString(),
  label: Type.String({ description: 'Full title of the target.' }),
  entity_type: Type.String(),
  integration: NullableId(),
  integration_type: NullableString(),
})

const Schedule = Type.Object({
  cadence: OneOf(CADENCES),
  hour: Type.Integer(),
  day: Nullable(Type.Integer()),
  frequency: Type.Integer({ description: 'Hours between runs.' }),
  timezone: Type.Optional(Type.String({ description: 'IANA time zone of `hour` and `day`; absent: UTC.' })),
})

const MAX_SQL_LENGTH = 100_000
const configFields = {
  query_select: Type.String({
    maxLength: MAX_SQL_LENGTH,
    description: 'For `custom_sql`: one SELECT that returns one row with one number. Ignored for other metrics.',
  }),
  where: Type.String({ maxLength: MAX_SQL_LENGTH, description: 'SQL condition: only rows that match it are measured.' }),
  timestamp_column: Type.String({
    maxLength: 500,
    description:
      'Column that says when a row was written. Used by `freshness` and for the backfill, and as the partition date of `partition_freshness`, `partition_gaps` and `partition_row_count`.',
  }),
  days: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'For `partition_gaps`: how many days before today must have a partition, as far as the table goes back. Default: 30.',
  }),
  values: Type.Array(Type.String({ maxLength: 1_000 }), {
    minItems: 1,
    maxItems: 1_000,
    description: 'For `accepted_values`: the values a row may have. Numbers of numeric columns as text.',
  }),
  pattern: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'For `pattern`: a regular expression of the source that each value must contain a match of. Anchor it with `^` and `$`.',
  }),
  min_value: Type.Number({ description: 'For `range`: the smallest allowed value.' }),
  max_value: Type.Number({ description: 'For `range`: the largest allowed value.' }),
  columns: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    minItems: 1,
    maxItems: 50,
    description: 'For `duplicates`: the columns that identify a row. Default: the primary key.',
  }),
  references: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description:
      'For `referential`: full title of the column of the same integration in which each value must exist, e.g. `shop.public.customers.id`.',
  }),
  allowed: Type.Array(OneOf(COLUMN_CHANGE_KINDS), {
    maxItems: COLUMN_CHANGE_KINDS.length,
    uniqueItems: true,
    description: 'For `schema`: changes that are not counted. Default: `added` and `reordered`.',
  }),
}
export const CONFIG_NAMES = Object.keys(configFields) as (keyof typeof configFields)[]

export const MetricConfig = Type.Object(
  Object.fromEntries(Object.entries(configFields).map(([name, type]) => [name, Type.Optional(type)])) as {
    [K in keyof typeof configFields]: TOptional<(typeof configFields)[K]>
  },
)
export type MetricConfig = Static<typeof MetricConfig>

export const Monitor = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    integration: NullableId('The integration the target belongs to.'),
    target: Id('The monitored table or column.'),
    workspace: Id(),
    key: NullableString('Your key for this monitor, used to push measurements without its ID.'),
    metric_type: OneOf(METRIC_TYPES),
    metric_config: MetricConfig,
    schedule: Schedule,
    frequency: Type.Integer({ description: 'Hours between runs.' }),
    name: Type.String(),
    is_enabled: Type.Boolean(),
    severity: OneOf(SEVERITIES, 'How serious its incidents are.'),
    notify_slack_channel: NullableString(),
    condition_auto_sensitivity: Nullable(
      Type.Integer({ description: '1 to 10; a higher value narrows the expected range. Null for manual limits.' }),
    ),
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
        description: 'Latest measurements, oldest first. Only in lists requested with `recent`.',
      }),
    ),
  },
  { title: 'Monitor' },
)
export type Monitor = Static<typeof Monitor>

const settings = {
  is_enabled: optional(Type.Boolean()),
  name: optional(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })),
  key: optional(Type.String({ minLength: 1, maxLength: 500, description: 'Any unique key of your choice.' })),
  metric_config: optional(
    Type.Object(
      Object.fromEntries(Object.entries(configFields).map(([name, type]) => [name, optional(type)])) as {
        [K in keyof typeof configFields]: ReturnType<typeof optional<(typeof configFields)[K]>>
      },
    ),
  ),
  schedule: optional(
    Type.Object(
      {
        cadence: optional(OneOf(CADENCES)),
        hour: optional(Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the day, in `timezone`.' })),
        day: optional(Type.Integer({ minimum: 0, maximum: 6, description: 'For weekly schedules: day of the week, 0 is Sunday.' })),
        frequency: optional(
          Type.Integer({ minimum: 1, maximum: 10_000, description: 'For hourly schedules: hours between runs (1, 3, 6 or 12).' }),
        ),
        timezone: optional(Type.String({ maxLength: 100, description: 'IANA time zone. Default: UTC.', examples: ['Europe/Berlin'] })),
      },
      { description: 'Default: daily at 00:00 UTC.' },
    ),
  ),
  condition_auto_sensitivity: optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description:
        'Default: 5; null when manual limits are set, and for checks that count what should not be there: their default maximum is 0. A higher value narrows the expected range.',
    }),
  ),
  condition_manual_min: optional(Type.Number()),
  condition_manual_max: optional(Type.Number()),
  severity: optional(OneOf(SEVERITIES, 'How serious its incidents are. Default: `medium`.')),
  notify_slack_channel: optional(Type.String({ maxLength: 200, description: 'Slack channel that is notified of incidents.' })),
}

export const MonitorCreate = Type.Object(
  {
    target: optional(IdInput),
    metric_type: optional(OneOf(METRIC_TYPES, 'Default: `row_count` for tables, `null_percentage` for columns.')),
    ...settings,
    subscribe: optional(
      Type.Boolean({
        default: true,
        description: 'Subscribe the creator to the target, so that at least one person is notified of incidents.',
      }),
    ),
    back_fill: optional(Type.Boolean({ description: 'Compute earlier measurements from existing rows. Requires a timestamp column.' })),
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
  { target: optional(IdInput), metric_type: optional(OneOf(METRIC_TYPES)), ...settings },
  { title: 'MonitorEdit', examples: [{ condition_auto_sensitivity: 7, schedule: { cadence: 'hourly', frequency: 6 } }] },
)
export type MonitorEdit = Static<typeof MonitorEdit>

const idFilter = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
export const MonitorQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(MONITOR_STATUSES)),
  monitor: idFilter('Only the monitor with this ID.'),
  target: idFilter('Only monitors of this resource.'),
  resource_id: idFilter('Only monitors of this resource or, if it is a table, of its columns.'),
  integration_id: idFilter('Only monitors of resources of this integration.'),
  metric_type: Type.Optional(OneOf(METRIC_TYPES)),
  severity: Type.Optional(OneOf(SEVERITIES)),
  is_enabled: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String({ maxLength: 1000, description: 'Text contained in the name.' })),
  recent: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Number of latest measurements to include with each monitor, e.g. for sparklines.',
    }),
  ),
})
export type MonitorQuery = Static<typeof MonitorQuery>

export const RunRequest = Type.Object(
  { monitors: Type.Array(IdInput, { minItems: 1, maxItems: 10_000 }) },
  { title: 'RunMonitors', examples: [{ monitors: ['0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60'] }] },
)
export type RunRequest = Static<typeof RunRequest>
