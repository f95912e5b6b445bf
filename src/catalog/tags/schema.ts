import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableString, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

export const Tag = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    name: Type.String(),
    description: NullableString(),
    color: NullableString('The color as `#rrggbb`.'),
    resource_count: Type.Integer({ description: 'Number of resources with this tag that are visible to the caller.' }),
  },
  { title: 'Tag' },
)
export type Tag = Static<typeof Tag>

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Unique, case-insensitive.' })
const more = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  color: Type.Optional(Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'The color as `#rrggbb`.' }))),
}

export const TagCreate = Type.Object(
  { name: Name, ...more },
  { title: 'TagCreate', examples: [{ name: 'source of truth', color: '#2f855a' }] },
)
export type TagCreate = Static<typeof TagCreate>

export const TagEdit = Type.Object({ name: Type.Optional(Name), ...more }, { title: 'TagEdit', examples: [{ color: '#c53030' }] })
export type TagEdit = Static<typeof TagEdit>

export const TagQuery = Type.Object({
  ...PageQuery.properties,
  name: Type.Optional(Type.String({ maxLength: 200, description: 'Matches part of the name.' })),
})
export type TagQuery = Static<typeof TagQuery>
