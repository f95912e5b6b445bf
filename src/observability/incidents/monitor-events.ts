import type { Context } from '../../platform/context/context.ts'
import {
  type DomainEvent,
  type EventPayloads,
  type EventResource,
  type IncidentPayload,
  recordEvent,
} from '../../platform/history/events.ts'
import type { Change } from '../../platform/history/record.ts'
import type { MonitorRow, MonitorWithTarget, TargetRow } from '../monitor-model/monitor-rows.ts'
import { type IncidentRow, isSnoozed } from './incident-rows.ts'
import { describeIncidentOf } from './summary.ts'

/**
 * Events of monitors and incidents. They are recorded for the target, so that its subscribers are notified; the monitor and the incident
 * are related resources.
 */
const toEventResource = ({ id, entity_type, title, icon, integration }: TargetRow): EventResource => ({
  id,
  type: entity_type,
  title,
  icon,
  integration_id: integration,
})

export const recordMonitorChange = (
  ctx: Context,
  verb: 'created' | 'updated' | 'deleted',
  of: TargetRow,
  row: MonitorRow,
  changes: readonly Change[],
): Promise<void> =>
  recordEvent(ctx, {
    kind: `monitor_${verb}`,
    resource: toEventResource(of),
    related: { type: 'monitor', ids: [row.id] },
    changes,
    // The name is included even if it did not change, because an entry must be readable without its monitor.
    payload: changes.some(({ field }) => field === 'name') ? {} : { monitor: row.name },
  })

export type IncidentKind = Extract<keyof EventPayloads, `incident_${string}`>

/** What the payload of this kind has besides the incident itself. */
export type IncidentDetails<K extends IncidentKind> = Omit<EventPayloads[K], keyof IncidentPayload>

export const toIncidentEvent = <K extends IncidentKind>(
  { now }: Pick<Context, 'now'>,
  kind: K,
  monitor: MonitorWithTarget,
  incident: IncidentRow,
  details: IncidentDetails<K>,
  recipients?: readonly string[],
): DomainEvent =>
  ({
    kind,
    resource: toEventResource(monitor.of),
    related: { type: 'incident', ids: [incident.id, monitor.id] },
    recipients,
    payload: {
      incident: incident.id,
      monitor: monitor.id,
      name: incident.name,
      metric_type: monitor.metric_type,
      frequency: monitor.frequency,
      severity: incident.severity,
      value: incident.value,
      lower_threshold: incident.lower_threshold,
      upper_threshold: incident.upper_threshold,
      summary: incident.summary,
      summary_translatable: describeIncidentOf(monitor, incident),
      first_seen_at: incident.first_seen_at,
      notify_slack_channel: monitor.notify_slack_channel,
      upstream_incident: incident.upstream_incident,
      ...(isSnoozed(incident, now) ? { snoozed_until: incident.snoozed_until! } : {}),
      ...details,
    } satisfies IncidentPayload,
  }) as DomainEvent
