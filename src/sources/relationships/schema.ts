import { type Static, Type } from 'typebox'
import { HEALTH_STATUSES } from '../../catalog/records/health.ts'
import { Id, Nullable, NullableId, NullableString, OneOf } from '../../platform/core/schema-types.ts'

const RelatedTable = Type.Object(
  {
    id: Id(),
    title: Type.String(),
    title_full: Type.String(),
    health: OneOf(HEALTH_STATUSES),
    deprecated: Type.Boolean(),
    verified: Type.Boolean(),
    columns: Type.Array(Type.Object({ id: Id(), title: Type.String(), type: NullableString(), is_pk: Type.Boolean() }), {
      description: 'Primary keys and the columns of its relationships.',
    }),
  },
  { title: 'RelatedTable' },
)
export type RelatedTable = Static<typeof RelatedTable>

const End = (description: string) =>
  Type.Object({ id: NullableId('Null if the column is not in the catalog.'), title: Type.String() }, { description })

const Relationship = Type.Object(
  {
    kind: OneOf(['foreign_key', 'join'], 'A foreign key that the source reported, or a join seen in queries.'),
    name: NullableString('The name of the foreign key.'),
    from: Id('The table with the foreign key; for a join, either table.'),
    to: Id(),
    columns: Type.Array(Type.Object({ from: End('Column of `from`.'), to: End('Column of `to`.') })),
    queries: Nullable(Type.Integer({ description: 'For a join: the number of queries with it.' })),
  },
  { title: 'Relationship' },
)
export type Relationship = Static<typeof Relationship>

export const Relationships = Type.Object(
  {
    tables: Type.Array(RelatedTable, { description: 'Those with the most relationships first, at most 200.' }),
    relationships: Type.Array(Relationship),
    truncated: Type.Boolean({ description: 'Whether tables were left out.' }),
  },
  { title: 'Relationships' },
)
export type Relationships = Static<typeof Relationships>
