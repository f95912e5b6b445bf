import { type Static, Type } from 'typebox'
import { ResourceBrief } from '../../catalog/listing/brief.ts'
import { Id, IdInput, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'

/** The sections of the list, the most urgent first. */
export const NEED_KINDS = [
  'incidents',
  'questions',
  'discussions',
  'suggestions',
  'pii',
  'syncs',
  'backups',
  'undocumented',
  'unowned',
] as const
export type NeedKind = (typeof NEED_KINDS)[number]

const KIND_DESCRIPTION =
  '`incidents`: open, on what you own or assigned to you. `questions`: open, about what you own or assigned to you. `discussions`: open discussions of what you own in which somebody else wrote last. `suggestions`: suggested changes of what you own. `pii`: possible personal data in what you own. `syncs`: sources whose last sync failed (for admins). `backups`: the last scheduled backup failed (for admins). `undocumented`: used tables that you own without a description. `unowned`: resources of your teams without an owner.'

const NeedResource = Type.Unsafe<ResourceBrief | null>({
  ...Nullable(ResourceBrief),
  description:
    'What it is about: of a question, the resource it was asked about; null if it is about none, or about one that you cannot see. The question itself is `id`.',
})

const NeedItem = Type.Object(
  {
    id: Id('Of the incident, question, thread, suggestion, integration, backup or resource.'),
    kind: OneOf(NEED_KINDS),
    text: NullableString('What it says, if it is a text of a user.'),
    since: Timestamp,
    resource: NeedResource,
    integration: NullableId('The integration whose sync failed.'),
  },
  { title: 'NeedItem' },
)
export type NeedItem = Static<typeof NeedItem>

export const NeedsYou = Type.Object(
  {
    total: Type.Integer({ description: 'The sum of the counts.' }),
    sections: Type.Array(
      Type.Object({
        kind: OneOf(NEED_KINDS, KIND_DESCRIPTION),
        count: Type.Integer({ description: 'At most 1,000.' }),
        items: Type.Array(NeedItem),
      }),
      { description: 'Only sections with entries.' },
    ),
  },
  { title: 'NeedsYou' },
)
export type NeedsYou = Static<typeof NeedsYou>

export const NeedsYouQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Entries per section.' })),
  kind: Type.Optional(OneOf(NEED_KINDS, 'Only this section.')),
})
export type NeedsYouQuery = Static<typeof NeedsYouQuery>

export const NeedHide = Type.Object(
  {
    kind: OneOf(NEED_KINDS),
    id: IdInput,
    until: Type.Optional(Nullable({ ...Timestamp, description: 'When it appears again. Null or absent: never.' })),
  },
  {
    title: 'NeedHide',
    examples: [{ kind: 'undocumented', id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f', until: '2030-01-01T00:00:00Z' }],
  },
)
export type NeedHide = Static<typeof NeedHide>
