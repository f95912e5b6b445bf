import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableString, OneOf } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'
import { METRIC_TYPES } from '../monitor-model/metric-types.ts'
import { Monitor } from '../monitor-model/schema.ts'

export const SuggestionQuery = Type.Object({ resource_id: Type.String({ maxLength: 100, description: 'ID of a table.' }) })

export const Suggestion = Type.Object(
  {
    key: Type.String({ description: 'Key for accepting this suggestion.' }),
    target: Id(),
    target_title: Type.String(),
    metric_type: OneOf(METRIC_TYPES),
    name: Type.String(),
    reason: Type.String({ description: 'Why this monitor is useful.' }),
    reason_translatable: Translatable,
    metric_config: Type.Object({ timestamp_column: Type.Optional(Type.String()) }),
    condition_auto_sensitivity: Type.Union([Type.Integer(), Type.Null()]),
    condition_manual_min: Type.Union([Type.Number(), Type.Null()]),
    condition_manual_max: Type.Union([Type.Number(), Type.Null()]),
  },
  { title: 'MonitorSuggestion' },
)
export type Suggestion = Static<typeof Suggestion>

export const Suggestions = Type.Object(
  {
    resource_id: Id(),
    suggestions: Type.Array(Suggestion, { description: 'Most useful first, without monitors that already exist.' }),
    based_on: NullableString('What the suggestions are based on: names and types of the columns, or their profiles.'),
    based_on_translatable: Nullable(Translatable),
  },
  { title: 'MonitorSuggestions' },
)
export type Suggestions = Static<typeof Suggestions>

export const SuggestionAccept = Type.Object(
  {
    resource_id: IdInput,
    accept: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description: 'Keys of the suggestions to accept. Default: all.' }),
    ),
    notify_slack_channel: Type.Optional(Type.String({ maxLength: 200 })),
  },
  {
    title: 'SuggestionAccept',
    examples: [{ resource_id: '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60', accept: ['row_count:0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60'] }],
  },
)
export type SuggestionAccept = Static<typeof SuggestionAccept>

export const Accepted = Type.Object({ monitors: Type.Array(Monitor) }, { title: 'AcceptedSuggestions' })
export type Accepted = Static<typeof Accepted>
