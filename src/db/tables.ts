import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The database as the migrations leave it; a test holds this page against it. A timestamp goes in as a Date and comes out as text. */
export interface Tables {
  access_version: AccessVersionTable
  activities: ActivitiesTable
  background_jobs: BackgroundJobsTable
  custom_properties: CustomPropertiesTable
  group_members: GroupMembersTable
  groups: GroupsTable
  idempotent_answers: IdempotentAnswersTable
  import_lines: ImportLinesTable
  integration_syncs: IntegrationSyncsTable
  integrations: IntegrationsTable
  lineage_edges: LineageEdgesTable
  lineage_queries: LineageQueriesTable
  lineage_tallies: LineageTalliesTable
  notification_deliveries: NotificationDeliveriesTable
  notification_position: NotificationPositionTable
  notification_settings: NotificationSettingsTable
  notification_windows: NotificationWindowsTable
  notifications: NotificationsTable
  property_changes: PropertyChangesTable
  property_values: PropertyValuesTable
  rate_windows: RateWindowsTable
  resource_change_horizons: ResourceChangeHorizonsTable
  resource_changes: ResourceChangesTable
  resource_origins: ResourceOriginsTable
  resource_refs: ResourceRefsTable
  resource_search: ResourceSearchTable
  resource_views: ResourceViewsTable
  resources: ResourcesTable
  search_vocabulary: SearchVocabularyTable
  sync_items: SyncItemsTable
  tags: TagsTable
  team_members: TeamMembersTable
  teams: TeamsTable
  tokens: TokensTable
  users: UsersTable
  worker_beats: WorkerBeatsTable
  workspaces: WorkspacesTable
}

type Timestamp = ColumnType<string, Date, Date>
type TimestampOrNull = ColumnType<string | null, Date | null, Date | null>

export interface AccessVersionTable {
  version: number
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
}

export interface BackgroundJobsTable {
  id: string
  kind: string
  title: string
  user_id: string | null
  status: string
  progress: Generated<number>
  failed: Generated<boolean>
  has_artifact: Generated<boolean>
  logs: Generated<string>
  started: TimestampOrNull
  completed: TimestampOrNull
  created_at: Timestamp
  updated_at: Timestamp
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

export interface GroupMembersTable {
  group_id: string
  user_id: string
}

export interface GroupsTable {
  id: string
  name: string
  description: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface IdempotentAnswersTable {
  user_id: string
  key: string
  request_hash: Buffer
  status: number
  body: string
  created_at: Timestamp
}

export interface ImportLinesTable {
  import_id: string
  line: number
  new_id: string | null
  key: string | null
  id: string | null
  parent_key: string | null
  parent_id: string | null
  from_key: string | null
  to_key: string | null
  data: unknown
}

export interface IntegrationSyncsTable {
  id: string
  integration: string
  status: string
  created_at: Timestamp
  started_at: TimestampOrNull
  finished_at: TimestampOrNull
  error: string | null
  report: unknown
  undone_at: TimestampOrNull
}

export interface IntegrationsTable {
  id: string
  name: string
  type: string
  created_at: Timestamp
  updated_at: Timestamp
  teams: string[] | null
  connection: unknown
  secrets: Buffer | null
  secrets_key: string | null
  secret_fields: string[] | null
  schedule: unknown
  last_synced_at: TimestampOrNull
  last_sync_status: string | null
  last_sync_error: string | null
  next_sync_at: TimestampOrNull
  removal_job: string | null
}

export interface LineageEdgesTable {
  id: string
  mirror_id: string | null
  upstream: string
  downstream: string
  query: number | null
  kind: string | null
  statement: number | null
  span_start: number | null
  span_end: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface LineageQueriesTable {
  id: GeneratedAlways<number>
  hash: Buffer
  sql: string
  dialect: string
  engine_version: string
  statements: unknown
  created_at: Timestamp
}

export interface LineageTalliesTable {
  xid: Generated<string>
  n: number
}

export interface NotificationDeliveriesTable {
  id: string
  user_id: string
  channel: string
  resources: unknown
  resources_count: number
  status: string
  attempts: Generated<number>
  due_at: Timestamp
  claim: string | null
  leased_until: TimestampOrNull
  handed_over_at: TimestampOrNull
  sent_at: TimestampOrNull
  error: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface NotificationPositionTable {
  one: Generated<boolean>
  seen: string
  target: string | null
  at_xid: string | null
  at_id: string | null
  since: Timestamp
}

export interface NotificationSettingsTable {
  user_id: string
  email: Generated<boolean>
  slack: Generated<boolean>
  slack_id: string | null
  updated_at: Timestamp
}

export interface NotificationWindowsTable {
  user_id: string
  channel: string
  resource_id: string
  activity_ids: string[] | null
  changes_count: Generated<number>
  due_at: TimestampOrNull
  told_at: TimestampOrNull
}

export interface NotificationsTable {
  id: string
  user_id: string
  resource_id: string
  resource_type: string
  resource_title: string
  gone: Generated<boolean>
  published: Generated<boolean>
  teams: string[] | null
  activity_ids: string[]
  changes_count: number
  last_change_at: Timestamp
  read_at: TimestampOrNull
  created_at: Timestamp
  updated_at: Timestamp
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

export interface RateWindowsTable {
  token_id: string
  minute: number
  requests: number
}

export interface ResourceChangeHorizonsTable {
  at: Timestamp
  oldest_xid: string
}

export interface ResourceChangesTable {
  seq: GeneratedAlways<number>
  xid: Generated<string>
  resource_id: string | null
  old: unknown
}

export interface ResourceOriginsTable {
  resource_id: string
  integration: string
  key: string
  stable_id: string | null
  said: unknown
  fingerprint: string
  lineage: string | null
  gone_at: TimestampOrNull
}

export interface ResourceRefsTable {
  target: string
  field: string
  resource_id: string
}

export interface ResourceSearchTable {
  resource_id: string
  used: boolean
  title_words: string
  words: string
  docs: string | null
}

export interface ResourceViewsTable {
  resource_id: string
  day: string
  user_id: string
  views: number
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
}

export interface SearchVocabularyTable {
  word: string
}

export interface SyncItemsTable {
  sync_id: string
  number: number
  entity_type: string
  key: string
  stable_id: string | null
  fingerprint: string
  lineage: string | null
  item: unknown
}

export interface TagsTable {
  id: string
  name: string
  description: string | null
  color: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface TeamMembersTable {
  team_id: string
  user_id: string
}

export interface TeamsTable {
  id: string
  name: string
  description: string | null
  icon: string | null
  closed: Generated<boolean>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface TokensTable {
  id: string
  user_id: string
  name: string
  hint: string
  hash: Buffer
  scope: string
  expires_at: TimestampOrNull
  revoked_at: TimestampOrNull
  last_used_at: TimestampOrNull
  created_at: Timestamp
  updated_at: Timestamp
}

export interface UsersTable {
  id: string
  email: string
  first_name: string | null
  last_name: string | null
  role: string
  disabled_at: TimestampOrNull
  invited_by: string | null
  last_seen_at: TimestampOrNull
  created_at: Timestamp
  updated_at: Timestamp
}

export interface WorkerBeatsTable {
  worker_id: string
  at: Timestamp
}

export interface WorkspacesTable {
  id: string
  name: string
  created_at: Timestamp
  updated_at: Timestamp
}
