import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface NotifyTables {
  deliveries: DeliveriesTable
  follower_positions: FollowerPositionsTable
  message_templates: MessageTemplatesTable
  notification_alerts: NotificationAlertsTable
  notification_channels: NotificationChannelsTable
  notification_rules: NotificationRulesTable
  notification_settings: NotificationSettingsTable
  notification_windows: NotificationWindowsTable
  notifications: NotificationsTable
  webhooks: WebhooksTable
}

export interface DeliveriesTable {
  id: string
  channel: string
  user_id: string | null
  address: string | null
  webhook_id: string | null
  status: string
  attempts: Generated<number>
  due_at: Timestamp
  claim: string | null
  leased_until: TimestampOrNull
  submitted_at: TimestampOrNull
  uncertain_since: TimestampOrNull
  sent_at: TimestampOrNull
  error: string | null
  resources: Generated<unknown>
  resources_count: Generated<number>
  alert: unknown
  thread: string | null
  receipt: string | null
  activity_id: string | null
  event: string | null
  response_status: number | null
  response_body: string | null
  response_ms: number | null
  created_at: Timestamp
  updated_at: Timestamp
  channel_id: string | null
  held_until: TimestampOrNull
}

export interface FollowerPositionsTable {
  follower: string
  seen: string
  target: string | null
  at_xid: string | null
  at_id: string | null
  since: Timestamp
}

export interface NotificationAlertsTable {
  activity_id: string
  subject_id: string
  phase: string
  resource_id: string
  table_id: string
  upstream_incident: string | null
  opened_at: Timestamp
  due_at: Timestamp
  thread: string | null
  sent_at: TimestampOrNull
  routed: unknown
}

export interface MessageTemplatesTable {
  channel: string
  event: string
  title: string
  body: string
  created_at: Timestamp
  updated_at: Timestamp
}

export interface NotificationChannelsTable {
  id: string
  name: string
  type: string
  address: string
  secret: Buffer | null
  secret_key: string | null
  enabled: Generated<boolean>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface NotificationRulesTable {
  id: string
  position: number
  name: string
  enabled: Generated<boolean>
  events: string[]
  min_severity: string | null
  tags: Generated<string[]>
  teams: Generated<string[]>
  owners: Generated<string[]>
  below: Generated<string[]>
  include_restricted: Generated<boolean>
  channels: Generated<string[]>
  continues: Generated<boolean>
  created_at: Timestamp
  updated_at: Timestamp
  recipients: Generated<string[]>
}

export interface NotificationSettingsTable {
  user_id: string
  email: Generated<boolean>
  slack: Generated<boolean>
  slack_id: string | null
  updated_at: Timestamp
  quiet_hours: unknown
}

export interface NotificationWindowsTable {
  user_id: string
  channel: string
  resource_id: string
  activity_ids: string[] | null
  changes_count: Generated<number>
  due_at: TimestampOrNull
  last_sent_at: TimestampOrNull
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

export interface WebhooksTable {
  id: string
  name: string
  url: string
  events: string[]
  entity_types: string[] | null
  integrations: string[] | null
  enabled: Generated<boolean>
  since: Timestamp
  secret: Buffer
  secret_key: string
  old_secret: Buffer | null
  old_secret_until: TimestampOrNull
  last_delivered_at: TimestampOrNull
  failing_since: TimestampOrNull
  disabled_reason: string | null
  created_at: Timestamp
  updated_at: Timestamp
  since_snapshot: string | null
}
