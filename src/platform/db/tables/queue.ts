import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface QueueTables {
  background_jobs: BackgroundJobsTable
  background_migrations: BackgroundMigrationsTable
  idempotency_responses: IdempotencyResponsesTable
  rate_windows: RateWindowsTable
  worker_heartbeats: WorkerHeartbeatsTable
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
  cancel_requested: Generated<boolean>
}

export interface BackgroundMigrationsTable {
  name: string
  batch_function: string | null
  index_definition: string | null
  source_table: string
  position: string | null
  rows_done: Generated<number>
  /** An estimate; null until it has started. */
  rows_total: number | null
  error: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  finished_at: TimestampOrNull
}

export interface IdempotencyResponsesTable {
  user_id: string
  key: string
  request_hash: Buffer
  /** Null while the request is running. */
  status: number | null
  body: string | null
  created_at: Timestamp
  claim: string | null
  claimed_until: TimestampOrNull
}

export interface RateWindowsTable {
  token_id: string
  minute: number
  requests: number
}

export interface WorkerHeartbeatsTable {
  worker_id: string
  at: Timestamp
}
