import type { Generated } from 'kysely'
import type { Timestamp, TimestampOrNull } from './timestamp.ts'

export interface MonitorsTables {
  changed_health: ChangedHealthTable
  incident_actions: IncidentActionsTable
  deprecation_paths: DeprecationPathsTable
  incident_paths: IncidentPathsTable
  insight_snapshots: InsightSnapshotsTable
  monitor_incidents: MonitorIncidentsTable
  failing_rows: FailingRowsTable
  monitor_measurements: MonitorMeasurementsTable
  monitor_runs: MonitorRunsTable
  monitors: MonitorsTable
  resource_health: ResourceHealthTable
}

export interface IncidentActionsTable {
  id: string
  incident: string
  type: string
  user_id: string | null
  comment: string | null
  created_at: Timestamp
  /** For a sent notification: number of recipients and Slack channel. */
  people: number | null
  channel: string | null
}

export interface InsightSnapshotsTable {
  day: string
  visibility: string
  scope: string
  scope_id: string
  numbers: unknown
}

/** Health that may have changed since it was stored; written by triggers. */
export interface ChangedHealthTable {
  resource_id: string
}

/** As somebody who sees everything sees it; only what is not unknown. */
export interface ResourceHealthTable {
  resource_id: string
  severity: number
  own_severity: number
  valid_until: TimestampOrNull
}

/** A step of the lineage downstream of an open incident. */
export interface DeprecationPathsTable {
  resource_id: string
  upstream_id: string
  depth: number
}

export interface IncidentPathsTable {
  resource_id: string
  upstream_id: string
}

export interface MonitorIncidentsTable {
  id: string
  created_at: Timestamp
  updated_at: Timestamp
  monitor: string
  target: string
  name: string
  summary: string
  status: string
  value: number
  lower_threshold: number | null
  upper_threshold: number | null
  explanation: string | null
  first_seen_at: Timestamp
  last_seen_at: Timestamp
  last_notified_at: TimestampOrNull
  acknowledged_at: TimestampOrNull
  resolved_at: TimestampOrNull
  assignee: string | null
  runs_outside: Generated<number>
  runs_inside: Generated<number>
  upstream_incident: string | null
  /** The table of the target; set by a trigger. */
  table_id: string | null
  severity: Generated<string>
  /** Until then no one is notified of it. */
  snoozed_until: TimestampOrNull
  snoozed_by: string | null
}

export interface MonitorMeasurementsTable {
  id: string
  monitor: string
  measured_at: Timestamp
  updated_at: Timestamp
  value: number
  row_count: number | null
  lower_threshold: number | null
  upper_threshold: number | null
  explanation: string | null
  outside: boolean
  origin: string
  marked: string | null
  incident: string | null
  /** Of the automatic thresholds that set the limits. */
  thresholds_version: number | null
}

export interface MonitorRunsTable {
  id: string
  monitor: string
  due_at: Timestamp
  job: string | null
  partition: string
  relation: string
}

export interface MonitorsTable {
  id: string
  created_at: Timestamp
  updated_at: Timestamp
  created_by: string | null
  target: string
  key: string | null
  name: string
  metric_type: string
  metric_config: unknown
  schedule: unknown
  frequency: number
  is_enabled: boolean
  condition_auto_sensitivity: number | null
  condition_manual_min: number | null
  condition_manual_max: number | null
  notify_slack_channel: string | null
  status: string
  last_attempted_at: TimestampOrNull
  last_success_at: TimestampOrNull
  last_error_at: TimestampOrNull
  last_error_message: string | null
  last_measurement: string | null
  last_measurement_value: number | null
  last_measured_at: TimestampOrNull
  last_incident: string | null
  next_run_at: TimestampOrNull
  model_generation: Generated<number>
  target_gone_at: TimestampOrNull
  statement_by: string | null
  /** The configuration file it is defined in. */
  file: string | null
  /** The table of the target; set by a trigger. */
  table_id: string | null
  severity: Generated<string>
}

export interface FailingRowsTable {
  measurement: string
  table_id: string
  column_ids: string[]
  rows: unknown
  counts: unknown
  truncated: boolean
  captured_at: Timestamp
}
