import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import type { Severity } from '../../platform/core/severity.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { lockMonitor, type MonitorWithTarget, toTargetBrief } from '../monitor-model/monitor-rows.ts'
import { IncidentEditor } from './incident-editor.ts'
import {
  findIncidentActions,
  getIncidentRow,
  type IncidentActionRow,
  type IncidentWithMonitor,
  isSnoozed,
  listIncidentRows,
  NOT_SNOOZED,
} from './incident-rows.ts'
import type { Incident, IncidentEdit, IncidentQuery, IncidentTable } from './incident-schema.ts'
import { listIncidentTableRows } from './incident-tables.ts'
import { describeIncident } from './summary.ts'
import { findDownstreamImpact } from './upstream.ts'

export const listIncidents = async (ctx: Context, query: IncidentQuery, page: PageRequest) => {
  requirePermission(ctx.actor, 'monitors.read')
  const incidents = await listIncidentRows(ctx, query, page)
  const actions = await findIncidentActions(
    ctx,
    incidents.results.map(({ id }) => id),
  )
  return mapPage(incidents, (row) => toIncident(ctx, row, actions.get(row.id)))
}

/** Tables with incidents, those with open ones first, then by severity; each with its newest incidents. */
export const listIncidentTables = async (ctx: Context, query: IncidentQuery, page: PageRequest) => {
  requirePermission(ctx.actor, 'monitors.read')
  const tables = await listIncidentTableRows(ctx, query, page)
  const actions = await findIncidentActions(
    ctx,
    tables.results.flatMap(({ incidents }) => incidents.map(({ id }) => id)),
  )
  return mapPage(
    tables,
    ({ of, incidents, severity, ...row }): IncidentTable => ({
      ...row,
      severity: severity as Severity,
      title: of.title,
      display_metadata: { target: toTargetBrief(of) },
      incidents: incidents.map((incident) => toIncident(ctx, incident, actions.get(incident.id))),
    }),
  )
}

export const getIncident = async (ctx: Context, id: string): Promise<Incident> => {
  requirePermission(ctx.actor, 'monitors.read')
  const row = await getIncidentRow(ctx, id)
  const [actions, downstream] = await Promise.all([findIncidentActions(ctx, [id]), findDownstreamImpact(ctx, row.of)])
  return { ...toIncident(ctx, row, actions.get(id)), downstream }
}

const toIncident = (
  { now }: Context,
  { of, monitor_name, metric_type, runs_inside: _, table_id: __, status, severity, ...row }: IncidentWithMonitor,
  actions: readonly IncidentActionRow[] = [],
): Incident => ({
  ...row,
  ...(isSnoozed(row, now) ? {} : NOT_SNOOZED),
  summary_translatable: describeIncident({
    ...row,
    metric_type,
    name: monitor_name,
    target: of.title_full,
    lower: row.lower_threshold,
    upper: row.upper_threshold,
  }),
  status: status as Incident['status'],
  severity: severity as Severity,
  actions: actions.map(({ type, user_id, user_name, comment, people, channel, created_at }) => ({
    ...{ type, user_id, user_name, comment },
    ...{ people, channel, created_at },
  })),
  display_metadata: { monitor: { label: monitor_name, metric_type }, target: toTargetBrief(of) },
})

export const editIncident = (ctx: Context, id: string, edit: IncidentEdit): Promise<Incident> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.write')
    const { monitor: monitor_id } = await getIncidentRow(ctx, id)
    // The lock on the monitor also covers its incidents, so a run cannot change them at the same time.
    const monitor = await lockMonitor(ctx, monitor_id)
    const { of: _, monitor_name: __, metric_type: ___, still_outside: ____, ...before } = await getIncidentRow(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    const editor = new IncidentEditor(ctx, monitor, before)
    const { assignee, comment, severity, snoozed_until, marked, status } = edit
    if (assignee !== undefined) await editor.assign(assignee === null ? null : parseId(assignee)!)
    if (severity) editor.setSeverity(severity)
    if (comment) await editor.comment(comment)
    const reopensFirst = status === 'active' && snoozed_until // only what is open can be snoozed
    if (reopensFirst) await editor.setStatus(status)
    if (snoozed_until !== undefined) editor.snooze(snoozed_until === null ? null : parseSnoozeEnd(ctx, snoozed_until))
    if (marked) await editor.setFeedback(marked)
    if (status && !reopensFirst) await editor.setStatus(status)
    await editor.save()
    return getIncident(ctx, id)
  })

const MAX_SNOOZE_MS = 366 * 86_400_000

const parseSnoozeEnd = ({ now }: Context, text: string): string => {
  const at = parseTimestamp(text)
  const ms = at === undefined ? Number.NaN : Date.parse(at) - now.getTime()
  if (at === undefined || !(ms > 0 && ms <= MAX_SNOOZE_MS))
    throw invalid({ snoozed_until: ['must be an ISO 8601 timestamp in the future, at most a year away.'] })
  return at
}

/** Resolves the incident because one of its measurements was marked as expected. The caller has locked the monitor. */
export const resolveAsExpected = async (ctx: Context, monitor: MonitorWithTarget, id: string): Promise<void> => {
  const { of: _, monitor_name: __, still_outside: ___, ...before } = await getIncidentRow(ctx, id)
  const editor = new IncidentEditor(ctx, monitor, before)
  editor.resolveAsExpected()
  await editor.save()
}
