import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The database as the migrations leave it; a test holds this page against it. A timestamp goes in as a Date and comes out as text. */
export interface Tables {
  activities: ActivitiesTable
  background_jobs: BackgroundJobsTable
  group_members: GroupMembersTable
  groups: GroupsTable
  idempotent_answers: IdempotentAnswersTable
  integrations: IntegrationsTable
  rate_windows: RateWindowsTable
  resource_change_horizons: ResourceChangeHorizonsTable
  resource_changes: ResourceChangesTable
  resource_search: ResourceSearchTable
  resource_views: ResourceViewsTable
  resources: ResourcesTable
  search_vocabulary: SearchVocabularyTable
  team_members: TeamMembersTable
  teams: TeamsTable
  tokens: TokensTable
  users: UsersTable
  worker_beats: WorkerBeatsTable
  workspaces: WorkspacesTable
}

type Timestamp = ColumnType<string, Date, Date>
type TimestampOrNull = ColumnType<string | null, Date | null, Date | null>

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

export interface IntegrationsTable {
  id: string
  name: string
  type: string
  created_at: Timestamp
  updated_at: Timestamp
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
