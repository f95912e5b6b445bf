import { type Static, Type } from 'typebox'
import { Id, NullableString, OneOf } from '../../platform/core/schema-types.ts'
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

export const TermSuggestions = Type.Object(
  {
    truncated,
    results: Type.Array(
      Type.Object({
        resource_id: Id('The resource itself or one of its columns.'),
        resource_title: Type.String(),
        term_id: Id(),
        term_title: Type.String(),
        term_description: NullableString(),
      }),
    ),
  },
  { title: 'TermSuggestions' },
)
export type TermSuggestions = Static<typeof TermSuggestions>
