import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

export const SUGGESTED_FIELDS = ['description', 'tag', 'owner', 'term'] as const
export type SuggestedField = (typeof SUGGESTED_FIELDS)[number]
const STATUSES = ['open', 'accepted', 'rejected'] as const

const FIELD_DESCRIPTION =
  '`description`: replaces the description. `tag`: adds a tag, which is created if it does not exist. `owner`: adds an owner. `term`: adds a glossary term, which is created if it does not exist.'

export const ChangeSuggestion = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    resource_id: NullableId('The resource to change. Null for a glossary term that is about no resource.'),
    resource_title: NullableString(),
    resource_title_full: NullableString(),
    field: OneOf(SUGGESTED_FIELDS, FIELD_DESCRIPTION),
    value: Type.String({
      description: 'The description, the name of the tag, the ID or e-mail address of the owner, or the title of the term.',
    }),
    detail: NullableString('The definition of the term.'),
    reason: NullableString('Why, as stated by who suggested it.'),
    status: OneOf(STATUSES),
    created_by: NullableId(),
    created_by_name: NullableString(),
    by_agent: Type.Boolean({ description: 'Whether an agent suggested it on behalf of the user.' }),
    decided_by: NullableId(),
    decided_at: NullableTimestamp,
  },
  { title: 'ChangeSuggestion' },
)
export type ChangeSuggestion = Static<typeof ChangeSuggestion>

export const ChangeSuggestionCreate = Type.Object(
  {
    resource_id: Type.Optional(Nullable(IdInput)),
    field: OneOf(SUGGESTED_FIELDS, FIELD_DESCRIPTION),
    value: Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S' }),
    detail: Type.Optional(Nullable(Type.String({ maxLength: 20_000, description: 'The definition of a term.' }))),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 2_000 }))),
  },
  {
    title: 'ChangeSuggestionCreate',
    examples: [{ resource_id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f', field: 'description', value: 'One row for each order.' }],
  },
)
export type ChangeSuggestionCreate = Static<typeof ChangeSuggestionCreate>

export const ChangeSuggestionQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(STATUSES)),
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only suggestions for this resource or its columns.' })),
})
export type ChangeSuggestionQuery = Static<typeof ChangeSuggestionQuery>
