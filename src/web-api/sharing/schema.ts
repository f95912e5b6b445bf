import { type Static, Type } from 'typebox'
import { HEALTH_STATUSES } from '../../catalog/records/health.ts'
import { Id, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'

/** Wire types. */
const Origin = Type.String({ minLength: 8, maxLength: 300 })

const settings = {
  embed_origins: Type.Array(Origin, {
    maxItems: 50,
    description: 'Origins whose pages may show cards of tables in a frame, e.g. `https://wiki.example.com`. Empty: there are no cards.',
  }),
  public_links: Type.Boolean({ description: 'Whether public links work. Off: none can be created, and existing ones are not found.' }),
}
const linkPreviews = Type.Boolean({
  description:
    'Whether chats and other programs without a session are shown the title, type, health and description of published resources outside of closed teams, when somebody sends a link to one. Off: every link has the same preview.',
})

export const SharingSettings = Type.Object({ ...settings, link_previews: linkPreviews }, { title: 'SharingSettings' })
export type SharingSettings = Static<typeof SharingSettings>

export const SharingSettingsEdit = Type.Object(
  { ...settings, link_previews: Type.Optional(linkPreviews) },
  {
    title: 'SharingSettingsEdit',
    additionalProperties: false,
    examples: [{ embed_origins: ['https://wiki.example.com'], public_links: false, link_previews: false }],
  },
)
export type SharingSettingsEdit = Static<typeof SharingSettingsEdit>

export const EmbedLink = Type.Object(
  {
    url: Type.String({ description: 'Address of the card. It needs no token.' }),
    html: Type.String({ description: 'A frame for the page of another site.' }),
  },
  { title: 'EmbedLink' },
)

export const CARD_LANGUAGES = ['en', 'de', 'es', 'fr'] as const
export type CardLanguage = (typeof CARD_LANGUAGES)[number]

export const CardQuery = Type.Object({
  by: Type.String({ maxLength: 100, description: 'The user who created the link.' }),
  card_signature: Type.String({ maxLength: 200 }),
  lang: Type.Optional(OneOf(CARD_LANGUAGES, 'Language of the labels. Default: `en`.')),
})
export type CardQuery = Static<typeof CardQuery>

export const PreviewPictureQuery = Type.Object({
  path: Type.String({ maxLength: 200, description: 'The path of the page, e.g. `/r/018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f`.' }),
  v: Type.Optional(
    Type.String({ maxLength: 50, description: 'Changes with the picture, for programs that keep pictures by their address.' }),
  ),
})

export const PublicFileQuery = Type.Object({ file_signature: Type.String({ maxLength: 200 }) })

const MAX_DAYS = 365

export const PublicLinkCreate = Type.Object(
  { expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: 30 })) },
  { title: 'PublicLinkCreate', additionalProperties: false, examples: [{ expires_in_days: 30 }] },
)

const publicLink = {
  id: Id(),
  resource_id: Id(),
  hint: Type.String({ description: 'The last characters of the link.' }),
  created_by_name: NullableString(),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: NullableTimestamp,
}
export const PublicLink = Type.Object(publicLink, { title: 'PublicLink' })
export type PublicLink = Static<typeof PublicLink>

export const NewPublicLink = Type.Object(
  {
    ...publicLink,
    url: Type.Optional(
      Type.String({
        description: 'The link. It is returned once and not stored: a replay with the same `Idempotency-Key` does not contain it.',
      }),
    ),
  },
  { title: 'NewPublicLink' },
)
export type NewPublicLink = Static<typeof NewPublicLink>

export const PublicLinks = Type.Object(
  {
    results: Type.Array(PublicLink, { description: 'Newest first, at most 100.' }),
    enabled: Type.Boolean({ description: 'As in the settings.' }),
  },
  { title: 'PublicLinks' },
)
export type PublicLinks = Static<typeof PublicLinks>

export const PublicLinkOpen = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 200, description: 'The part of the link after `#`.' }) },
  { title: 'PublicLinkOpen', additionalProperties: false, examples: [{ code: '…' }] },
)

export const PublicPage = Type.Object(
  {
    title: Type.String(),
    entity_type: OneOf(['document', 'glossary']),
    description: NullableString(),
    definition: NullableString(
      'Its text, Markdown. Links to other pages of the catalog are left out with their names. Images and files of the page have addresses that work as long as the link does.',
    ),
    health: OneOf(HEALTH_STATUSES, 'As its creator sees it.'),
    deprecated: Type.Boolean(),
    updated_at: Timestamp,
  },
  { title: 'PublicPage' },
)
export type PublicPage = Static<typeof PublicPage>
