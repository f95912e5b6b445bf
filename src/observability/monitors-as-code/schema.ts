import { type Static, Type } from 'typebox'
import { NullableId, OneOf } from '../../platform/core/schema-types.ts'
import { SEVERITIES } from '../../platform/core/severity.ts'
import { METRIC_TYPES } from '../monitor-model/metric-types.ts'
import { CADENCES } from '../monitor-model/schedule.ts'
import { MetricConfig } from '../monitor-model/schema.ts'

const closed = { additionalProperties: false }
const number = Type.Union([Type.Number(), Type.Null()])

export const Item = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    target: Type.String({ minLength: 1, maxLength: 2000, description: 'Full title of a table or column, e.g. `shop.public.orders`.' }),
    integration: Type.Optional(
      Type.String({ maxLength: 500, description: 'Name of the integration. Required if several integrations have this path.' }),
    ),
    metric_type: OneOf(METRIC_TYPES),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Unique key used to push measurements to this monitor.' })),
    metric_config: Type.Optional(Type.Object(MetricConfig.properties, closed)),
    schedule: Type.Optional(
      Type.Object(
        {
          cadence: Type.Optional(OneOf(CADENCES)),
          hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
          day: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
          frequency: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
          timezone: Type.Optional(Type.String({ maxLength: 100 })),
        },
        closed,
      ),
    ),
    condition_auto_sensitivity: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 10 }), Type.Null()])),
    condition_manual_min: Type.Optional(number),
    condition_manual_max: Type.Optional(number),
    severity: Type.Optional(OneOf(SEVERITIES)),
    notify_slack_channel: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
    is_enabled: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type Item = Static<typeof Item>

const FILE_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'
export const DEFAULT_FILE = 'monitors'

export const ConfigFile = Type.Object(
  {
    version: Type.Literal(1),
    file: Type.Optional(Type.String({ pattern: FILE_PATTERN })),
    monitors: Type.Array(Type.Unknown(), { maxItems: 2000 }),
  },
  closed,
)

export const ConfigQuery = Type.Object({
  file: Type.Optional(
    Type.String({ pattern: FILE_PATTERN, description: 'Only monitors that belong to this file. Default: all monitors.' }),
  ),
})

export const ConfigPut = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Return the changes without applying them.' })),
  prune: Type.Optional(Type.Boolean({ default: true, description: 'Delete monitors that belong to this file but are no longer in it.' })),
})
export type ConfigPut = Static<typeof ConfigPut>

const ConfigChange = Type.Object({
  action: OneOf(['create', 'update', 'delete']),
  name: Type.String(),
  target: Type.String(),
  monitor: NullableId('Null in a dry run for a monitor that would be created.'),
  line: Type.Union([Type.Integer({ description: 'Line in the file.' }), Type.Null()]),
  changes: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
})
export type ConfigChange = Static<typeof ConfigChange>

export const ConfigResult = Type.Object(
  {
    dry_run: Type.Boolean(),
    file: Type.String(),
    created: Type.Integer(),
    updated: Type.Integer(),
    deleted: Type.Integer(),
    unchanged: Type.Integer(),
    changes: Type.Array(ConfigChange, { description: 'In the order of the file, deletions last.' }),
  },
  { title: 'MonitorConfigResult' },
)
export type ConfigResult = Static<typeof ConfigResult>
