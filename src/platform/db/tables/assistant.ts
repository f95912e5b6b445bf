import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface AssistantTables {
  assistant_answers: AssistantAnswersTable
  assistant_conversations: AssistantConversationsTable
  assistant_settings: AssistantSettingsTable
  assistant_usage: AssistantUsageTable
}

export interface AssistantAnswersTable {
  id: string
  conversation_id: string
  question: string
  status: string
  text: Generated<string>
  error: string | null
  steps: Generated<unknown>
  sources: Generated<unknown>
  provider: string
  model: string
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  cost: number | null
  cancel_requested: Generated<boolean>
  heartbeat_at: Timestamp
  created_at: Timestamp
  updated_at: Timestamp
  completed_at: TimestampOrNull
}

export interface AssistantConversationsTable {
  id: string
  user_id: string
  resource_id: string | null
  title: string
  created_at: Timestamp
  updated_at: Timestamp
}

export interface AssistantSettingsTable {
  id: string
  only_row: Generated<boolean>
  enabled: boolean
  provider: string
  url: string
  model: string
  secret: Buffer | null
  secret_key: string | null
  share_values: boolean
  tokens_per_day: number
  cost_per_day: number | null
  input_price: number | null
  output_price: number | null
  timeout_seconds: number
  retention_days: number
  created_at: Timestamp
  updated_at: Timestamp
}

export interface AssistantUsageTable {
  user_id: string
  day: string
  input_tokens: number
  output_tokens: number
  cost: number
}
