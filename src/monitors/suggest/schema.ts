import { type Static, Type } from 'typebox'
import { Id, IdIn, NullableString, OneOf } from '../../wire.ts'
import { METRIC_TYPES } from '../metric-types.ts'
import { Monitor } from '../schema.ts'

/** What travels on the wire about suggestions. */
export const SuggestionQuery = Type.Object({ resource_id: Type.String({ maxLength: 100, description: 'A table.' }) })

export const Suggestion = Type.Object(
  {
    key: Type.String({ description: 'What to accept it by.' }),
    target: Id(),
    target_title: Type.String(),
    metric_type: OneOf(METRIC_TYPES),
    name: Type.String(),
    reason: Type.String({ description: 'Why it would be worth having.' }),
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
    suggestions: Type.Array(Suggestion, { description: 'The most useful first; what is there already is left out.' }),
    based_on: NullableString('What they were found by: the columns alone, or their profiles as well.'),
  },
  { title: 'MonitorSuggestions' },
)
export type Suggestions = Static<typeof Suggestions>

export const SuggestionAccept = Type.Object(
  {
    resource_id: IdIn,
    accept: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description: 'Keys of suggestions; all when absent.' }),
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
