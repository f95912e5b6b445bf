import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface ProfilesTables {
  column_profiles: ColumnProfilesTable
  pii_failed_scans: PiiFailedScansTable
  pii_rules: PiiRulesTable
  pii_suggestions: PiiSuggestionsTable
  query_reads: QueryReadsTable
  query_uses: QueryUsesTable
  profile_history: ProfileHistoryTable
  profile_schedules: ProfileSchedulesTable
  usage_history: UsageHistoryTable
}

export interface ColumnProfilesTable {
  resource_id: string
  table_id: string
  profiled_at: Timestamp
  job: string | null
  sampled: string
  rows_read: number
  nulls: number
  distinct_values: number | null
  distinct_approximate: boolean
  withheld: string | null
  min: string | null
  max: string | null
  mean: number | null
  histogram: unknown
  top_values: unknown
  source: string | null
  reported_by: string | null
  quantiles: unknown
}

export interface ProfileHistoryTable {
  resource_id: string
  day: string
  table_id: string
  profiled_at: Timestamp
  sampled: string
  rows_read: number
  row_count: number | null
  nulls: number | null
  distinct_values: number | null
  distinct_approximate: boolean | null
  source: string | null
  reported_by: string | null
  rows_written: number | null
  bytes_written: number | null
}

export interface ProfileSchedulesTable {
  target: string
  target_type: string
  schedule: unknown
  sample_rows: number
  next_run_at: Timestamp
  last_run_at: TimestampOrNull
  job: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface UsageHistoryTable {
  resource_id: string
  day: string
  uses: number
}

export interface PiiRulesTable {
  integration: string
  accept_from: number | null
  scan_after_sync: boolean
  scanned_at: TimestampOrNull
  updated_at: Timestamp
  scan_job: string | null
  scan_failures: Generated<number>
  scan_retry_at: TimestampOrNull
}

export interface PiiFailedScansTable {
  resource_id: string
  integration: string
  failures: number
  retry_at: Timestamp
  error: string
}

export interface PiiSuggestionsTable {
  id: string
  resource_id: string
  integration: string
  class: string
  confidence: number
  evidence: unknown
  status: string
  decided_at: TimestampOrNull
  decided_by: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface QueryReadsTable {
  query_id: string
  resource_id: string
}

export interface QueryUsesTable {
  query_id: string
  counted_at: Timestamp
  integration: string
  calls: number
  since: TimestampOrNull
  hours: number | null
  users: string[] | null
}
