import { type Static, Type } from 'typebox'
import { OneOf } from '../wire.ts'

/** What travels on the wire. */
export const Provenance = Type.Object(
  {
    field: Type.String(),
    by: OneOf(['source', 'person'], 'Whose word it is. What a person wrote stays, whatever the source says.'),
    value: Type.Unknown({ description: 'What the resource says.' }),
    source: Type.String({ description: 'The type of the source that speaks of it. There can be several: a warehouse, and dbt.' }),
    source_value: Type.Unknown({ description: 'What its source said last.' }),
  },
  { title: 'Provenance' },
)
export type Provenance = Static<typeof Provenance>

export const TakeBack = Type.Object(
  {
    field: Type.String({ minLength: 1, maxLength: 100 }),
    source: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Which source, by its type; without a word the one it belongs to.' }),
    ),
  },
  { title: 'TakeBack', examples: [{ field: 'description' }] },
)
