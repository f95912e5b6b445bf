import { type Static, Type } from 'typebox'
import { Id, NullableId, NullableString, OneOf } from '../../platform/core/schema-types.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { ResourceBrief } from '../listing/brief.ts'

export const TermUsage = Type.Object(
  {
    count: Type.Integer({ description: 'Number of resources with this term that are visible to the caller.' }),
    by_type: Type.Array(Type.Object({ entity_type: OneOf(ENTITY_TYPES), count: Type.Integer() }), {
      description: 'The same by entity type, the most frequent first.',
    }),
  },
  { title: 'TermUsage' },
)
export type TermUsage = Static<typeof TermUsage>

const truncated = Type.Boolean({ description: 'Whether there may be more.' })

export const NamedLikeTerm = Type.Object(
  { truncated, results: Type.Array(ResourceBrief, { description: 'The most used first.' }) },
  { title: 'NamedLikeTerm' },
)
export type NamedLikeTerm = Static<typeof NamedLikeTerm>

const TermReason = Type.Object(
  {
    type: OneOf(
      ['name', 'lineage'] as const,
      '`name`: the words of its name are those of the term or a synonym. `lineage`: it has the values of a column with the term, or the rows of a table with it.',
    ),
    resource_id: NullableId('What has the term, for `lineage`.'),
    resource_title: NullableString('Its full title.'),
  },
  { title: 'TermSuggestionReason' },
)
export type TermReason = Static<typeof TermReason>

const TermSuggestion = Type.Object({
  resource_id: Id('The resource itself or one of its columns.'),
  resource_title: Type.String(),
  term_id: Id(),
  term_title: Type.String(),
  term_description: NullableString(),
  reasons: Type.Array(TermReason, { description: 'At most five.' }),
})
export type TermSuggestion = Static<typeof TermSuggestion>

export const TermSuggestions = Type.Object({ truncated, results: Type.Array(TermSuggestion) }, { title: 'TermSuggestions' })
export type TermSuggestions = Static<typeof TermSuggestions>
