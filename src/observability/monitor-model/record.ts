import type { Context } from '../../platform/context/context.ts'
import { can } from '../../platform/permissions/permissions.ts'
import { type MonitorWithTarget, toTargetBrief } from './monitor-rows.ts'
import type { Schedule } from './schedule.ts'
import type { MetricConfig, Monitor } from './schema.ts'

/** SQL and source errors may reveal names the reader cannot see, so only users who may configure monitors get them. */
export const toMonitor = (ctx: Context, row: MonitorWithTarget): Monitor => ({
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  integration: row.of.integration,
  target: row.target,
  workspace: ctx.workspace_id,
  key: row.key,
  metric_type: row.metric_type as Monitor['metric_type'],
  metric_config: can(ctx.actor, 'monitors.config') ? (row.metric_config as MetricConfig) : {},
  schedule: row.schedule as Schedule,
  frequency: row.frequency,
  name: row.name,
  is_enabled: row.is_enabled,
  severity: row.severity as Monitor['severity'],
  notify_slack_channel: row.notify_slack_channel,
  condition_auto_sensitivity: row.condition_auto_sensitivity,
  condition_manual_min: row.condition_manual_min,
  condition_manual_max: row.condition_manual_max,
  status: row.status as Monitor['status'],
  last_attempted_at: row.last_attempted_at,
  last_success_at: row.last_success_at,
  last_error_at: row.last_error_at,
  last_error_message:
    row.last_error_message !== null && !can(ctx.actor, 'monitors.config') ? 'The metric could not be measured.' : row.last_error_message,
  last_measurement: row.last_measurement,
  last_measurement_value: row.last_measurement_value,
  last_incident: row.last_incident,
  next_run_at: row.next_run_at,
  display_metadata: { target: toTargetBrief(row.of) },
})
