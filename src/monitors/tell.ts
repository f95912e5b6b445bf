import type { Context } from '../context.ts'
import { type Activity, type Change, recordActivities } from '../history/record.ts'
import type { IncidentRow } from './incident-store.ts'
import type { MonitorRow, SeenMonitor, TargetRow } from './store.ts'

/**
 * What happens to monitors and incidents, as history. It is told of the target, so that those who follow the target hear of it; which
 * monitor and which incident it was is said beside it. What a message needs travels along: followers do not look into this room.
 */
const ofTarget = ({ id, entity_type, title, icon, integration }: TargetRow) => ({
  resource_id: id,
  resource_type: entity_type,
  resource_title: title,
  resource_icon: icon,
  integration_id: integration,
})

const facts = (fields: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(fields).map(([field, to]) => ({ field, from: null, to: to ?? null }))

export const tellMonitor = (
  ctx: Context,
  verb: 'created' | 'updated' | 'deleted',
  of: TargetRow,
  row: MonitorRow,
  changes: readonly Change[],
) =>
  recordActivities(ctx, [
    {
      activity_type: `monitor_${verb}`,
      ...ofTarget(of),
      related_resource_ids: [row.id],
      related_resource_type: 'monitor',
      // Of one that stays as it was called, the name is said as well: an entry is read without its monitor.
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

/** What there is to say of an incident to somebody who hears of it. */
export const incidentActivity = (
  verb: IncidentVerb,
  monitor: SeenMonitor,
  incident: IncidentRow,
  more: Readonly<Record<string, unknown>> = {},
): Activity => ({
  activity_type: `incident_${verb}`,
  ...ofTarget(monitor.of),
  related_resource_ids: [incident.id, monitor.id],
  related_resource_type: 'incident',
  changes: facts({
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
