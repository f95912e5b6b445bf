import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface NotifyTables {
  notification_deliveries: NotificationDeliveriesTable
  notification_position: NotificationPositionTable
  notification_settings: NotificationSettingsTable
  notification_windows: NotificationWindowsTable
  notifications: NotificationsTable
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
