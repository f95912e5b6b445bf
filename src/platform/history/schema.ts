import { type Static, type TSchema, Type } from 'typebox'
import { Id, Ids, NullableId, NullableString, OneOf, Timestamp } from '../core/schema-types.ts'
import { Translatable } from '../core/translatable.ts'
import { PageMeta, PageQuery, PageSchema } from '../lists/page.ts'

/** Schemas of the activity log. */
const PERFORMER_TYPES = ['USER', 'API', 'SYSTEM', 'INTEGRATION'] as const

const ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const USER_ID = '018f3d1c-0000-7000-8000-00000000ada0'
const AT = '2026-01-15T08:30:00.000Z'

const PerformerMetadata = Type.Object({
  id: NullableId(),
  email: NullableString(),
  first_name: NullableString(),
  last_name: NullableString(),
  name: Type.String({ description: 'Display name.' }),
})
const ADA = { id: USER_ID, email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', name: 'Ada Lovelace' }

const BLOCK_TYPES = ['performer', 'text', 'resource'] as const
export const EventBlock = Type.Object({
  type: OneOf(BLOCK_TYPES, 'What this part of the sentence names.'),
  style: OneOf(['normal']),
  value: Type.String(),
})
export type EventBlock = Static<typeof EventBlock>
const BLOCKS: EventBlock[] = [
  { type: 'performer', style: 'normal', value: 'Ada Lovelace' },
  { type: 'text', style: 'normal', value: 'verified' },
  { type: 'resource', style: 'normal', value: 'orders' },
]

const SENTENCE = { template: '{performer} verified {resource}', values: { performer: 'Ada Lovelace', resource: 'orders' } }

export const LogEntry = Type.Object(
  {
    id: Id(),
    parent_id: NullableId('The activity that caused this one.'),
    activity_type: Type.String({ description: '`<noun>_<verb>`, e.g. `resource_updated`.' }),
    performer_id: NullableId(),
    performer_type: OneOf(PERFORMER_TYPES),
    performer_metadata: PerformerMetadata,
    resource_id: NullableId(),
    resource_type: NullableString(),
    resource_metadata: Type.Object({
      id: NullableId(),
      title: NullableString('Its title after the change.'),
      name: NullableString('The same as `title`.'),
      icon: NullableString(),
      type: NullableString(),
      integration_id: NullableId(),
    }),
    related_resource_ids: Ids(),
    related_resource_type: NullableString(),
    event_blocks: Type.Array(EventBlock, { description: 'A sentence that describes the activity; join the values with spaces.' }),
    translatable: Translatable,
    logged_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
    is_legacy: Type.Boolean(),
    version_history_id: NullableId('Set if the activity created a version.'),
    secoda_entity_type: NullableString('The same as `resource_type`.'),
  },
  {
    title: 'LogEntry',
    examples: [
      {
        id: ID,
        parent_id: null,
        activity_type: 'resource_updated',
        performer_id: USER_ID,
        performer_type: 'USER',
        performer_metadata: ADA,
        resource_id: ID,
        resource_type: 'table',
        resource_metadata: { id: ID, title: 'orders', name: 'orders', icon: null, type: 'table', integration_id: null },
        related_resource_ids: [],
        related_resource_type: null,
        event_blocks: BLOCKS,
        translatable: SENTENCE,
        logged_at: AT,
        created_at: AT,
        updated_at: AT,
        is_legacy: false,
        version_history_id: ID,
        secoda_entity_type: 'table',
      },
    ],
  },
)
export type LogEntry = Static<typeof LogEntry>

export const FieldChange = Type.Object(
  {
    field: Type.String(),
    from: Type.Unknown(),
    to: Type.Unknown(),
    shortened: Type.Optional(
      Type.Boolean({
        description:
          'The texts are shortened, because the page holds more than 4 MB of them. Read or compare the versions for the full texts.',
      }),
    ),
  },
  { title: 'FieldChange' },
)

export const VersionHistory = Type.Object(
  {
    id: Id(),
    resource_id: Id(),
    version: Type.Integer(),
    activity_type: Type.String(),
    parent_id: NullableId('The activity that caused this one.'),
    created_at: Timestamp,
    performer_id: NullableId(),
    performer_type: OneOf(PERFORMER_TYPES),
    performer_metadata: PerformerMetadata,
    changes: Type.Array(FieldChange),
    event_blocks: Type.Array(EventBlock),
    translatable: Translatable,
  },
  {
    title: 'VersionHistory',
    examples: [
      {
        id: ID,
        resource_id: ID,
        version: 2,
        activity_type: 'resource_updated',
        parent_id: null,
        created_at: AT,
        performer_id: USER_ID,
        performer_type: 'USER',
        performer_metadata: ADA,
        changes: [{ field: 'verified', from: false, to: true }],
        event_blocks: BLOCKS,
        translatable: SENTENCE,
      },
    ],
  },
)
export type VersionHistory = Static<typeof VersionHistory>

const LOG_CURSOR = `Returns entries in commit order, oldest first, so that a follower misses none, not even of a transaction that started early and commits late. An empty value starts with the first entry, \`now\` with what is committed from now on. Continue with \`meta.next_cursor\`, or poll later with \`meta.follow_cursor\`.`

/** The query parameters of every activity list. */
export const HistoryQuery = Type.Object({
  ...PageQuery.properties,
  cursor: Type.Optional(Type.String({ maxLength: 100_000, description: LOG_CURSOR })),
})

const HistoryMeta = Type.Object({
  ...PageMeta.properties,
  follow_cursor: Type.Optional(
    Type.String({ description: 'With `cursor`: the cursor to continue with later. Never null, even at the end of the log.' }),
  ),
})

export const VersionHistoryPage = PageSchema(VersionHistory, 'VersionHistoryPage', HistoryMeta)

/** The envelope of logs: counts are next to the records and also in `meta`. */
const LogPageOf = <T extends Record<string, TSchema>>(records: T, title: string) =>
  Type.Object(
    {
      ...records,
      count: Type.Integer({ description: 'Exact number of entries.' }),
      total_pages: Type.Integer(),
      meta: Type.Object({ ...HistoryMeta.properties, count: Type.Integer(), total_pages: Type.Integer() }),
    },
    { title },
  )

export const AuditLogPage = LogPageOf({ results: Type.Array(LogEntry) }, 'AuditLogPage')
export type AuditLogPage = Static<typeof AuditLogPage>

export const ResourceLogPage = LogPageOf(
  {
    non_versioned_logs: Type.Array(LogEntry, { description: 'The entries of this page that created no version.' }),
    version_histories: Type.Array(VersionHistory, { description: 'The entries of this page that created a version.' }),
  },
  'ResourceLogPage',
)
export type ResourceLogPage = Static<typeof ResourceLogPage>

export const AuditLogQuery = Type.Object({
  ...HistoryQuery.properties,
  filter: Type.Optional(
    Type.String({ description: 'A filter as JSON.', examples: ['{"operator":"exact","field":"performer_type","value":"API"}'] }),
  ),
  sort: Type.Optional(
    Type.String({ description: 'A sort as JSON. Not with `cursor`.', examples: ['{"field":"logged_at","order":"desc"}'] }),
  ),
})
export type AuditLogQuery = Static<typeof AuditLogQuery>
