import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

export const SUGGESTED_FIELDS = ['description', 'tag', 'owner', 'term'] as const
export type SuggestedField = (typeof SUGGESTED_FIELDS)[number]
const AUTHORS = ['user', 'agent', 'ai'] as const
export type SuggestionAuthor = (typeof AUTHORS)[number]
const STATUSES = ['open', 'accepted', 'rejected'] as const

const FIELD_DESCRIPTION =
  '`description`: replaces the description. `tag`: adds a tag, which is created if it does not exist. `owner`: adds an owner. `term`: adds a glossary term, which is created if it does not exist.'

const GROUND_TYPES = ['lineage', 'name', 'sql', 'neighbour', 'profile', 'model'] as const
const Ground = Type.Object(
  {
    type: OneOf(
      GROUND_TYPES,
      '`lineage`: a column with the same values upstream. `name`: its own name. `sql`: the code that fills it. `neighbour`: a resource beside it. `profile`: its statistics. `model`: the language model that wrote it.',
    ),
    text: Type.String({ description: 'E.g. the path of the resource, or the name of the model.' }),
    resource_id: Nullable(Id()),
  },
  { title: 'SuggestionGround' },
)
export type SuggestionGround = Static<typeof Ground>

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
    by: OneOf(AUTHORS, '`agent`: on behalf of the user. `ai`: a draft that Tablinum made when the user asked for drafts.'),
    grounds: Type.Array(Ground, { description: 'What a draft is based on.' }),
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

export const ChangeSuggestionEdit = Type.Object(
  {
    value: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S' })),
    detail: Type.Optional(Nullable(Type.String({ maxLength: 20_000 }))),
  },
  { title: 'ChangeSuggestionEdit', examples: [{ value: 'One row for each order, including cancelled ones.' }] },
)
export type ChangeSuggestionEdit = Static<typeof ChangeSuggestionEdit>

export const ChangeSuggestionQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(STATUSES)),
  by: Type.Optional(OneOf(AUTHORS)),
  resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only suggestions for this resource or its columns.' })),
})
export type ChangeSuggestionQuery = Static<typeof ChangeSuggestionQuery>
