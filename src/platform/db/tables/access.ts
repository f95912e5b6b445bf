import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface AccessTables {
  access_version: AccessVersionTable
  backup_schedule: BackupScheduleTable
  backups: BackupsTable
  group_members: GroupMembersTable
  groups: GroupsTable
  needs_you_hidden: NeedsYouHiddenTable
  oauth_codes: OauthCodesTable
  pinned_views: PinnedViewsTable
  public_links: PublicLinksTable
  server_settings: ServerSettingsTable
  sharing_settings: SharingSettingsTable
  team_members: TeamMembersTable
  teams: TeamsTable
  tokens: TokensTable
  users: UsersTable
  workspaces: WorkspacesTable
}

export interface AccessVersionTable {
  version: number
}

export interface BackupsTable {
  id: string
  method: string
  created_by: string | null
  started_at: Timestamp
  finished_at: TimestampOrNull
  row_count: number | null
  byte_size: number | null
  error: string | null
  file: string | null
  removed_at: TimestampOrNull
}

export interface BackupScheduleTable {
  id: Generated<boolean>
  schedule: unknown
  keep: number
  next_run_at: Timestamp
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

/** Entries of a person's list that they hid; for good if `until` is null. */
export interface NeedsYouHiddenTable {
  user_id: string
  kind: string
  item_id: string
  until: TimestampOrNull
  created_at: Timestamp
}

export interface OauthCodesTable {
  hash: Buffer
  user_id: string
  client: string
  client_name: string
  redirect_uri: string
  code_challenge: string
  scope: string
  audience: string
  created_by_token: string | null
  token_id: string | null
  created_at: Timestamp
  expires_at: Timestamp
}

export interface PinnedViewsTable {
  user_id: string
  view_id: string
  created_at: Timestamp
}

/** Mail server, Slack app and identity provider that admins set; `config` has what is no secret. */
export interface ServerSettingsTable {
  id: string
  service: string
  config: unknown
  secret: Buffer | null
  secret_key: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** What may be shared with others: one row, none until an admin allows something. */
export interface SharingSettingsTable {
  id: Generated<boolean>
  embed_origins: Generated<string[]>
  public_links: Generated<boolean>
  updated_at: Timestamp
  link_previews: Generated<boolean>
}

export interface PublicLinksTable {
  id: string
  resource_id: string
  hash: Buffer
  hint: string
  created_by: string
  created_at: Timestamp
  expires_at: Timestamp
  revoked_at: TimestampOrNull
  preview_key: string | null
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
  created_by_token: string | null
  from_environment: Generated<boolean>
  client: string | null
  audience: string | null
  access_expires_at: TimestampOrNull
  refresh_hash: Buffer | null
  used_refresh_hash: Buffer | null
  client_id: string | null
  refresh_family: Buffer | null
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
  deleted_at: TimestampOrNull
  toured_at: TimestampOrNull
}

export interface WorkspacesTable {
  id: string
  name: string
  created_at: Timestamp
  updated_at: Timestamp
  search_weights: unknown
}
