import type { Generated, GeneratedAlways } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface CatalogTables {
  activities: ActivitiesTable
  attachments: AttachmentsTable
  change_suggestions: ChangeSuggestionsTable
  column_counts: ColumnCountsTable
  comment_reactions: CommentReactionsTable
  comments: CommentsTable
  custom_properties: CustomPropertiesTable
  history_texts: HistoryTextsTable
  property_changes: PropertyChangesTable
  property_values: PropertyValuesTable
  resource_change_horizons: ResourceChangeHorizonsTable
  parent_changes: ParentChangesTable
  resource_changes: ResourceChangesTable
  resource_counts: ResourceCountsTable
  resource_links: ResourceLinksTable
  resource_refs: ResourceRefsTable
  resource_views: ResourceViewsTable
  resources: ResourcesTable
  tags: TagsTable
  trash: TrashTable
  trash_rows: TrashRowsTable
}

export interface AttachmentsTable {
  id: string
  resource_id: string
  name: string
  media_type: string
  byte_size: number
  sha256: string
  content: Buffer
  created_at: Timestamp
  created_by: string | null
  referenced: Generated<boolean>
}

export interface ActivitiesTable {
  id: string
  xid: Generated<string>
  parent_id: string | null
  activity_type: string
  performer_id: string | null
  performer_type: string
  resource_id: string | null
  resource_type: string | null
  resource_title: string | null
  resource_icon: string | null
  integration_id: string | null
  related_resource_ids: string[] | null
  related_resource_type: string | null
  version: number | null
  changes: unknown
  logged_at: Timestamp
  parent_left: string | null
  snapshot: unknown
  /** Users it is addressed to, besides the owners and subscribers of its resource. */
  recipients: string[] | null
  /** What happened, if it is a domain event. */
  payload: unknown
  /** The span in which it was recorded. */
  traceparent: string | null
}

export interface CustomPropertiesTable {
  id: string
  name: string
  value_type: string
  entity_types: string[] | null
  options: string[] | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface HistoryTextsTable {
  resource_id: string
  hash: string
  text: string
}

export interface PropertyChangesTable {
  xid: Generated<string>
  property_id: string
}

export interface PropertyValuesTable {
  resource_id: string
  property_id: string
  updated_at: Timestamp
  value: string
  number: string | null
  items: string[] | null
}

export interface ResourceChangeHorizonsTable {
  at: Timestamp
  oldest_xid: string
}

export interface ParentChangesTable {
  xid: Generated<string>
  parent: string
  added: Generated<number>
  location: string | null
  published: boolean | null
  restart: Generated<boolean>
}

export interface ResourceChangesTable {
  seq: GeneratedAlways<number>
  xid: Generated<string>
  resource_id: string | null
  old: unknown
}

export interface ResourceLinksTable {
  target: string
  resource_id: string
}

export interface ResourceRefsTable {
  target: string
  field: string
  resource_id: string
}

export interface ResourceViewsTable {
  resource_id: string
  day: string
  user_id: string
  views: number
  last_at: Timestamp
}

export interface ResourcesTable {
  id: string
  created_at: Timestamp
  updated_at: Timestamp
  version: number
  external_usage: Generated<number>
  internal_usage: Generated<number>
  children_count: Generated<number>
  definition_version: Generated<number>
  published: Generated<boolean>
  archived: Generated<boolean>
  pii: Generated<boolean>
  verified: Generated<boolean>
  stale: Generated<boolean>
  forced_unstale_by_user: Generated<boolean>
  parent: string | null
  integration: string | null
  entity_type: string
  native_type: string | null
  icon: string | null
  title: string
  title_cased: string
  title_full: string
  cluster: string | null
  database: string | null
  schema: string | null
  description: string | null
  definition: string | null
  url: string | null
  databuilder_id: string | null
  archived_at: TimestampOrNull
  stale_at: TimestampOrNull
  external_updated_at: TimestampOrNull
  multiplayer_last_modified: TimestampOrNull
  multiplayer_last_modified_by: string | null
  base_entity_id: string | null
  row_count: number | null
  byte_size: number | null
  question_status: string | null
  question_priority: string | null
  question_answered_by: string | null
  question_assigned_to: string | null
  owners: string[] | null
  owners_groups: string[] | null
  collections: string[] | null
  tags: string[] | null
  teams: string[] | null
  subscribers: string[] | null
  bookmarked_by: string[] | null
  internal_users: string[] | null
  external_users: string[] | null
  sources: string[] | null
  display_metadata: unknown
  details: unknown
  deprecation: unknown
  terms: string[] | null
}

export interface CommentReactionsTable {
  comment_id: string
  user_id: string
  kind: string
  /** That of the comment. */
  resource_id: string
  created_at: Timestamp
}

export interface CommentsTable {
  id: string
  resource_id: string
  /** The first comment of the thread. */
  thread: string
  thread_at: Timestamp
  /** Null if it was deleted. */
  text: string | null
  created_by: string | null
  resolved_by: string | null
  resolved_at: TimestampOrNull
  edited_at: TimestampOrNull
  created_at: Timestamp
  updated_at: Timestamp
}

export interface ChangeSuggestionsTable {
  id: string
  resource_id: string | null
  field: string
  value: string
  detail: string | null
  reason: string | null
  status: string
  created_by: string | null
  decided_by: string | null
  decided_at: TimestampOrNull
  created_at: Timestamp
  updated_at: Timestamp
  by: string
  grounds: Generated<unknown>
  based_on: Generated<string[]>
}

/** Of each table. The rows of one are added up; `update_derived_rows` and `count_written_columns` insert them. */
export interface ColumnCountsTable {
  parent: string | null
  integration: string | null
  published: boolean
  teams: string[] | null
  columns: number
  columns_described: number
  columns_with_terms: number
  columns_pii: number
}

export interface ResourceCountsTable {
  entity_type: string
  integration: string | null
  published: boolean
  archived: boolean
  pii: boolean
  verified: boolean
  teams: string[] | null
  n: number
}

export interface TagsTable {
  id: string
  name: string
  description: string | null
  color: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface TrashTable {
  id: string
  resource_id: string
  deleted_at: Timestamp
  deleted_by: string | null
  resources_below: number
  record: unknown
  columns: unknown
  removed_at: TimestampOrNull
}

export interface TrashRowsTable {
  trash: string
  table_name: string
  number: GeneratedAlways<number>
  row: unknown
}
