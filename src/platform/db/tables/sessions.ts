import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface SessionsTables {
  identities: IdentitiesTable
  invitations: InvitationsTable
  known_devices: KnownDevicesTable
  passwords: PasswordsTable
  saved_view_matches: SavedViewMatchesTable
  saved_views: SavedViewsTable
  sessions: SessionsTable
  sign_in_tries: SignInTriesTable
}

export interface IdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  created_at: Timestamp
}

export interface InvitationsTable {
  user_id: string
  hash: Buffer
  created_by: string | null
  created_at: Timestamp
  expires_at: Timestamp
}

export interface KnownDevicesTable {
  hash: Buffer
  user_id: string
  created_at: Timestamp
  last_used_at: Timestamp
}

export interface PasswordsTable {
  user_id: string
  hash: string
  created_at: Timestamp
  updated_at: Timestamp
}

export interface SavedViewsTable {
  id: string
  user_id: string
  name: string
  query: string
  page_name: string
  shared: Generated<boolean>
  created_at: Timestamp
  updated_at: Timestamp
  notify: Generated<boolean>
  checked_at: TimestampOrNull
}

export interface SavedViewMatchesTable {
  view_id: string
  resource_id: string
}

export interface SessionsTable {
  id: string
  user_id: string
  hash: Buffer
  token_id: string | null
  scope: string
  method: string
  address: string | null
  user_agent: string | null
  idle_seconds: number
  created_at: Timestamp
  last_used_at: Timestamp
  expires_at: Timestamp
}

export interface SignInTriesTable {
  key: string
  tries: number
  since: Timestamp
}
