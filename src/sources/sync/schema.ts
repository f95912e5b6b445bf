import { type Static, Type } from 'typebox'
import { OneOf } from '../../platform/core/schema-types.ts'

/** Wire types. */
export const Provenance = Type.Object(
  {
    field: Type.String(),
    by: OneOf(['source', 'person'], 'Whether the value comes from a source or was edited by a user. Edits by users are never overwritten.'),
    value: Type.Unknown({ description: 'The current value.' }),
    source: Type.String({ description: 'The type of the source that reports the field. There can be several, e.g. a warehouse and dbt.' }),
    source_value: Type.Unknown({ description: 'The value the source last reported.' }),
  },
  { title: 'Provenance' },
)
export type Provenance = Static<typeof Provenance>

export const TakeBack = Type.Object(
  {
    field: Type.String({ minLength: 1, maxLength: 100 }),
    source: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The type of the source. Default: the source the resource belongs to.' }),
    ),
  },
  { title: 'TakeBack', examples: [{ field: 'description' }] },
)
