import { type Static, type TSchema, Type } from 'typebox'
import {
  Id,
  IdInput,
  Ids,
  IdsInput,
  Nullable,
  NullableId,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../../platform/core/schema-types.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { Deprecation, DeprecationInput } from './deprecation.ts'
import { HEALTH_STATUSES } from './health.ts'

export const Resource = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer({ description: 'Increases by one with every recorded change. The ETag is derived from it.' }),
    entity_type: OneOf(ENTITY_TYPES, 'The type of the resource.'),
    native_type: NullableString('The type as named by the source.'),
    icon: Type.String(),
    title: Type.String(),
    title_full: Type.String({ description: 'The titles from the database down to the resource, joined with dots.' }),
    title_cased: Type.String({ description: 'The title formatted for display.' }),
    description: NullableString(),
    definition: NullableString('Markdown documentation.'),
    definition_version: Type.Integer(),
    multiplayers: Type.Array(Type.Unknown()),
    multiplayer_last_modified_by: NullableId('ID of the user who last changed the documentation.'),
    multiplayer_last_modified: NullableTimestamp,
    owners: Ids('User IDs.'),
    owners_groups: Ids('Group IDs.'),
    collections: Ids('Collection IDs.'),
    tags: Ids('Tag IDs.'),
    terms: Ids('Glossary term IDs. Those of a glossary term are its related terms.'),
    workspace_id: Id(),
    total_usage: Type.Integer({ description: 'The sum of `external_usage` and `internal_usage`.' }),
    published: Type.Boolean({ description: 'Visible to viewers.' }),
    archived: Type.Boolean(),
    archived_at: NullableTimestamp,
    pii: Type.Boolean({ description: 'Contains personally identifiable information.' }),
    verified: Type.Boolean(),
    deprecation: Nullable(Deprecation),
    url: NullableString(),
    parent: NullableId(),
    parent_id: NullableId('The same as `parent`.'),
    base_entity_id: NullableId(),
    children_count: Type.Integer({ description: 'Number of direct children visible to the caller.' }),
    bookmarked_by: Ids('Contains the caller’s user ID if they bookmarked the resource. Bookmarks of other users are not included.'),
    integration: NullableId(),
    external_updated_at: NullableTimestamp,
    internal_usage: Type.Integer({ description: 'Page views in Tablinum in the last 90 days. Each user is counted once per day.' }),
    external_usage: Type.Integer({ description: 'Number of queries in the source in the 24 hours before the last sync.' }),
    internal_users: Ids('The users who viewed it most recently, at most 20. Updated once an hour.'),
    external_users: Type.Array(Type.String()),
    databuilder_id: NullableString('The key that identifies the resource in its integration.'),
    search_metadata: Type.Object({
      cluster: NullableString(),
      database: NullableString(),
      schema: NullableString(),
      type: Type.String(),
    }),
    sources: Type.Array(Type.String()),
    subscribers: Ids('IDs of users who are notified about changes.'),
    teams: Ids('Team IDs.'),
    stale: Type.Boolean({ description: 'Whether the resource is no longer found in its source.' }),
    stale_at: NullableTimestamp,
    forced_unstale_by_user: Type.Boolean(),
    current_user_permissions: Type.Object({ read: Type.Boolean(), write: Type.Boolean(), execute: Type.Boolean() }),
    row_count: Nullable(Type.Integer()),
    byte_size: Nullable(Type.Integer()),
    display_metadata: Type.Record(Type.String(), Type.Unknown()),
    question_status: NullableString(),
    question_priority: NullableString(),
    question_answered_by: NullableId(),
    question_assigned_to: NullableId(),
    health: Type.Optional(OneOf(HEALTH_STATUSES, 'With `include=health`, and in search results.')),
  },
  { title: 'Resource' },
)
export type Resource = Static<typeof Resource>

// Longer titles do not fit into an index entry.
const Title = Type.String({ minLength: 1, maxLength: 500 })
const optional = <T extends TSchema>(type: T) => Type.Optional(Nullable(type))

const writableFields = {
  description: optional(Type.String()),
  definition: optional(Type.String({ description: 'Markdown documentation.' })),
  native_type: optional(Type.String({ maxLength: 500 })),
  icon: optional(Type.String({ maxLength: 100 })),
  url: optional(Type.String({ maxLength: 4000 })),
  integration: optional(IdInput),
  parent: optional(IdInput),
  pii: optional(Type.Boolean()),
  verified: optional(Type.Boolean()),
  deprecation: optional(DeprecationInput),
  published: optional(Type.Boolean()),
  archived: optional(Type.Boolean()),
  teams: optional(IdsInput),
  owners: optional(IdsInput),
  owners_groups: optional(IdsInput),
  collections: optional(IdsInput),
  tags: optional(IdsInput),
  terms: optional(IdsInput),
  subscribers: optional(IdsInput),
}

export const ResourceCreate = Type.Object(
  { title: optional(Title), entity_type: optional(OneOf(ENTITY_TYPES)), ...writableFields },
  { title: 'ResourceCreate', examples: [{ title: 'orders', entity_type: 'table', description: 'One row for each order.' }] },
)
export type ResourceCreate = Static<typeof ResourceCreate>

/** Absent = unchanged, null = cleared, an array replaces the array. */
export const ResourceEdit = Type.Object(
  { title: Type.Optional(Title), ...writableFields },
  { title: 'ResourceEdit', examples: [{ description: 'One row for each order.', verified: true }] },
)
export type ResourceEdit = Static<typeof ResourceEdit>

/** IDs to add to lists of a resource, or to remove from them. */
const ListChange = Type.Object(
  {
    teams: Type.Optional(IdsInput),
    owners: Type.Optional(IdsInput),
    owners_groups: Type.Optional(IdsInput),
    collections: Type.Optional(IdsInput),
    tags: Type.Optional(IdsInput),
    terms: Type.Optional(IdsInput),
    subscribers: Type.Optional(IdsInput),
  },
  { title: 'ListChange' },
)
export type ListChange = Static<typeof ListChange>

export const MAX_BULK_RESOURCES = 100
export const BulkUpdate = Type.Array(
  Type.Object({
    id: IdInput,
    add: Type.Optional({ ...ListChange, description: 'IDs to add to lists, after `data` and `remove` were applied.' }),
    remove: Type.Optional({ ...ListChange, description: 'IDs to remove from lists.' }),
    data: Type.Object({ title: Type.Optional(Title), entity_type: Type.Optional(OneOf(ENTITY_TYPES)), ...writableFields }),
  }),
  {
    title: 'BulkUpdate',
    description: `At most ${MAX_BULK_RESOURCES} resources.`,
    examples: [
      [{ id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f', data: { verified: true }, add: { tags: ['018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5e'] } }],
    ],
  },
)
export type BulkUpdate = Static<typeof BulkUpdate>

export type ResourceChange = BulkUpdate[number]['data']
