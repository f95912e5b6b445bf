import type { Selectable } from 'kysely'
import type { ResourcesTable } from '../../platform/db/tables/catalog.ts'
import { type Actor, getRecordPermissions } from '../../platform/permissions/permissions.ts'
import { getEntityTypeConfig } from '../entity-types/entity-types.ts'
import type { Deprecation } from './deprecation.ts'
import type { Resource } from './schema.ts'
import { getDisplayedTypeFields } from './type-fields.ts'

export type ResourceRow = Omit<Selectable<ResourcesTable>, 'deprecation'> & { deprecation: Deprecation | null }

/** The part of a record that is the same for every caller. `toResource` adds `children_count`, the caller's bookmark and permissions. */
export type SharedRecord = Omit<Resource, 'bookmarked_by' | 'children_count' | 'current_user_permissions'>

export const toSharedRecord = (row: ResourceRow, workspace_id: string): SharedRecord => ({
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  version: row.version,
  entity_type: row.entity_type,
  native_type: row.native_type,
  icon: row.icon ?? getEntityTypeConfig(row.entity_type).icon,
  title: row.title,
  title_full: row.title_full,
  title_cased: row.title_cased,
  description: row.description,
  definition: row.definition,
  definition_version: row.definition_version,
  multiplayers: [],
  multiplayer_last_modified_by: row.multiplayer_last_modified_by,
  multiplayer_last_modified: row.multiplayer_last_modified,
  owners: row.owners ?? [],
  owners_groups: row.owners_groups ?? [],
  collections: row.collections ?? [],
  tags: row.tags ?? [],
  terms: row.terms ?? [],
  workspace_id,
  total_usage: row.internal_usage + row.external_usage,
  published: row.published,
  archived: row.archived,
  archived_at: row.archived_at,
  pii: row.pii,
  verified: row.verified,
  deprecation: row.deprecation && toDeprecation(row.deprecation),
  url: row.url,
  parent: row.parent,
  parent_id: row.parent,
  base_entity_id: row.base_entity_id,
  integration: row.integration,
  external_updated_at: row.external_updated_at,
  internal_usage: row.internal_usage,
  external_usage: row.external_usage,
  internal_users: row.internal_users ?? [],
  external_users: row.external_users ?? [],
  databuilder_id: row.databuilder_id,
  search_metadata: { cluster: row.cluster, database: row.database, schema: row.schema, type: row.entity_type },
  sources: row.sources ?? [],
  subscribers: row.subscribers ?? [],
  teams: row.teams ?? [],
  stale: row.stale,
  stale_at: row.stale_at,
  forced_unstale_by_user: row.forced_unstale_by_user,
  row_count: row.row_count,
  byte_size: row.byte_size,
  display_metadata: (row.display_metadata ?? {}) as Record<string, unknown>,
  question_status: row.question_status,
  question_priority: row.question_priority,
  question_answered_by: row.question_answered_by,
  question_assigned_to: row.question_assigned_to,
  ...getDisplayedTypeFields(row),
})

/** Postgres does not keep the order of the members. */
const toDeprecation = ({ reason, replacement_id, since }: Deprecation): Deprecation => ({ reason, replacement_id, since })

/** Bookmarks are private: callers only see their own. */
export const hideOtherBookmarks = ({ user_id }: Actor, bookmarked_by: readonly string[] | null): string[] =>
  user_id !== null && bookmarked_by?.includes(user_id) ? [user_id] : []

export const toResource = (actor: Actor, row: ResourceRow, workspace_id: string, children_count: number): Resource => ({
  ...toSharedRecord(row, workspace_id),
  bookmarked_by: hideOtherBookmarks(actor, row.bookmarked_by),
  children_count,
  current_user_permissions: getRecordPermissions(actor),
})
