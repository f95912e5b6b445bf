import type { Context } from '../../platform/context/context.ts'
import { type Activity, type Change, recordActivities } from '../../platform/history/record.ts'
import type { MonitorRow, MonitorWithTarget, TargetRow } from '../monitor-model/monitor-rows.ts'
import type { IncidentRow } from './incident-rows.ts'

/**
 * Activities of monitors and incidents. They are recorded for the target, so that its subscribers are notified; the monitor and the incident
 * are related resources. An activity contains everything a notification needs, so that followers do not have to query this module.
 */
const toTargetFields = ({ id, entity_type, title, icon, integration }: TargetRow) => ({
  resource_id: id,
  resource_type: entity_type,
  resource_title: title,
  resource_icon: icon,
  integration_id: integration,
})

const toChanges = (fields: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(fields).map(([field, to]) => ({ field, from: null, to: to ?? null }))

export const recordMonitorChange = (
  ctx: Context,
  verb: 'created' | 'updated' | 'deleted',
  of: TargetRow,
  row: MonitorRow,
  changes: readonly Change[],
) =>
  recordActivities(ctx, [
    {
      activity_type: `monitor_${verb}`,
      ...toTargetFields(of),
      related_resource_ids: [row.id],
      related_resource_type: 'monitor',
      // The name is included even if it did not change, because an entry must be readable without its monitor.
      changes: changes.some(({ field }) => field === 'name') ? changes : [...changes, { field: 'monitor', from: row.name, to: row.name }],
    },
  ])

export type IncidentVerb =
  | 'opened'
  | 'reopened'
  | 'resolved'
  | 'acknowledged'
  | 'commented'
  | 'assigned'
  | 'marked_normal'
  | 'marked_incident'

export const toIncidentActivity = (
  verb: IncidentVerb,
  monitor: MonitorWithTarget,
  incident: IncidentRow,
  more: Readonly<Record<string, unknown>> = {},
): Activity => ({
  activity_type: `incident_${verb}`,
  ...toTargetFields(monitor.of),
  related_resource_ids: [incident.id, monitor.id],
  related_resource_type: 'incident',
  changes: toChanges({
    incident: incident.id,
    monitor: monitor.id,
    name: incident.name,
    metric_type: monitor.metric_type,
    frequency: monitor.frequency,
    value: incident.value,
    lower_threshold: incident.lower_threshold,
    upper_threshold: incident.upper_threshold,
    summary: incident.summary,
    first_seen_at: incident.first_seen_at,
    notify_slack_channel: monitor.notify_slack_channel,
    upstream_incident: incident.upstream_incident,
    ...more,
  }),
})
