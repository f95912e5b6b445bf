import { findMentionedUsers } from '../../accounts/shared/mentions.ts'
import { findUserNames } from '../../accounts/shared/people.ts'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import type { Severity } from '../../platform/core/severity.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type DomainEvent, recordEvents } from '../../platform/history/events.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { resetHistory, setFeedback } from '../measurements/measurement-rows.ts'
import { lockMonitor, type MonitorWithTarget, toTargetBrief } from '../monitor-model/monitor-rows.ts'
import { queueIncidentPaths } from './incident-paths.ts'
import {
  addIncidentActions,
  findIncidentActions,
  findOpenIncidents,
  getIncidentRow,
  type IncidentActionRow,
  type IncidentRow,
  type IncidentWithMonitor,
  listIncidentRows,
  type NewIncidentAction,
  REOPENED,
  saveIncidents,
} from './incident-rows.ts'
import type { ActionType, Incident, IncidentEdit, IncidentQuery } from './incident-schema.ts'
import { type IncidentDetails, type IncidentKind, toIncidentEvent } from './monitor-events.ts'
import { describeIncident, getIncidentSummary } from './summary.ts'
import { findDownstreamImpact } from './upstream.ts'

export const listIncidents = async (ctx: Context, query: IncidentQuery, page: PageRequest) => {
  requirePermission(ctx.actor, 'monitors.read')
  const incidents = await listIncidentRows(ctx, query, page)
  const actions = await findIncidentActions(
    ctx,
    incidents.results.map(({ id }) => id),
  )
  return mapPage(incidents, (row) => toIncident(row, actions.get(row.id)))
}

export const getIncident = async (ctx: Context, id: string): Promise<Incident> => {
  requirePermission(ctx.actor, 'monitors.read')
  const row = await getIncidentRow(ctx, id)
  const [actions, downstream] = await Promise.all([findIncidentActions(ctx, [id]), findDownstreamImpact(ctx, row.of)])
  return { ...toIncident(row, actions.get(id)), downstream }
}

const toIncident = (
  { of, monitor_name, metric_type, runs_inside: _, status, severity, ...row }: IncidentWithMonitor,
  actions: readonly IncidentActionRow[] = [],
): Incident => ({
  ...row,
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
  display_metadata: { monitor: { label: monitor_name }, target: toTargetBrief(of) },
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
    const { assignee, comment, severity, marked, status } = edit
    if (assignee !== undefined) await editor.assign(assignee === null ? null : parseId(assignee)!)
    if (severity) editor.setSeverity(severity)
    if (comment) await editor.comment(comment)
    if (marked) await editor.setFeedback(marked)
    if (status) await editor.setStatus(status)
    await editor.save()
    return getIncident(ctx, id)
  })

/** Resolves the incident because one of its measurements was marked as expected. The caller has locked the monitor. */
export const resolveAsExpected = async (ctx: Context, monitor: MonitorWithTarget, id: string): Promise<void> => {
  const { of: _, monitor_name: __, still_outside: ___, ...before } = await getIncidentRow(ctx, id)
  const editor = new IncidentEditor(ctx, monitor, before)
  editor.resolveAsExpected()
  await editor.save()
}

/** Collects the changes a user makes to an incident, then saves them with their timeline entries and events. */
class IncidentEditor {
  readonly #ctx: Context
  readonly #monitor: MonitorWithTarget
  readonly #before: IncidentRow
  #row: IncidentRow
  readonly #actions: NewIncidentAction[] = []
  readonly #events: DomainEvent[] = []

  constructor(ctx: Context, monitor: MonitorWithTarget, row: IncidentRow) {
    this.#ctx = ctx
    this.#monitor = monitor
    this.#before = row
    this.#row = row
  }

  #addAction(type: ActionType, comment: string | null = null): void {
    this.#actions.push({ incident: this.#row.id, type, user_id: this.#ctx.actor.user_id, comment, at: this.#ctx.now })
  }

  #addEvent<K extends IncidentKind>(kind: K, details: IncidentDetails<K>, recipients?: readonly string[]): void {
    this.#events.push(toIncidentEvent(kind, this.#monitor, this.#row, details, recipients))
  }

  async assign(assignee: string | null): Promise<void> {
    if (assignee === this.#row.assignee) return
    this.#row = { ...this.#row, assignee }
    const assignee_name = assignee && ((await findUserNames(this.#ctx.db, [assignee])).get(assignee) ?? null)
    this.#addAction('assigned', assignee_name)
    this.#addEvent('incident_assigned', { assignee, assignee_name }, assignee ? [assignee] : undefined)
  }

  setSeverity(severity: Severity): void {
    const { severity: from } = this.#row
    if (severity === from) return
    this.#row = { ...this.#row, severity }
    this.#addAction('severity_changed', severity)
    this.#addEvent('incident_severity_changed', { from })
  }

  /** A comment also acknowledges an active incident. */
  async comment(comment: string): Promise<void> {
    const mentioned = await findMentionedUsers(this.#ctx.db, comment)
    const recipients = mentioned.length > 0 ? mentioned.map(({ id }) => id) : undefined
    this.#addAction('comment', comment)
    this.#addEvent('incident_commented', { comment }, recipients)
    if (this.#row.status === 'active') this.#acknowledge()
  }

  async setStatus(status: Incident['status']): Promise<void> {
    if (status === this.#row.status) return
    if (this.#row.status === 'resolved') {
      if (status === 'active') return this.#reopen()
      throw conflict('This incident is resolved. Set its status to "active" to reopen it first.')
    }
    if (status === 'active') throw conflict('An acknowledged incident cannot be set back to active.')
    if (status === 'acknowledged') this.#acknowledge()
    else this.#resolve('by_hand')
  }

  async setFeedback(marked: 'normal' | 'incident'): Promise<void> {
    await setFeedback(this.#ctx, { incident: this.#row.id }, marked)
    await resetHistory(this.#ctx, this.#monitor.id)
    if (marked === 'normal') return this.resolveAsExpected()
    this.#addAction('marked_incident')
    this.#addEvent('incident_marked_incident', {})
  }

  resolveAsExpected(): void {
    this.#addAction('marked_normal')
    this.#addEvent('incident_marked_normal', {})
    if (this.#row.status !== 'resolved') this.#resolve('marked_normal')
  }

  #acknowledge(): void {
    this.#row = { ...this.#row, status: 'acknowledged', acknowledged_at: this.#ctx.now.toISOString() }
    this.#addAction('acknowledged')
    this.#addEvent('incident_acknowledged', {})
  }

  /** A monitor has at most one open incident. */
  async #reopen(): Promise<void> {
    if ((await findOpenIncidents(this.#ctx, [this.#monitor.id])).size > 0)
      throw conflict(translatable('This incident cannot be reopened because its monitor already has another open incident.'))
    const { assignee } = this.#row
    const open = { ...this.#row, ...REOPENED }
    this.#row = { ...open, last_notified_at: this.#ctx.now.toISOString(), summary: getIncidentSummary(this.#monitor, open) }
    this.#addAction('reopened')
    this.#addEvent('incident_reopened', {}, assignee ? [assignee] : undefined)
    this.#addAction('notification_initial')
  }

  #resolve(reason: 'by_hand' | 'marked_normal'): void {
    const resolved_at = this.#ctx.now.toISOString()
    const over: IncidentRow = { ...this.#row, status: 'resolved', resolved_at, last_notified_at: resolved_at }
    this.#row = { ...over, summary: getIncidentSummary(this.#monitor, over) }
    this.#addAction('resolved')
    this.#addEvent('incident_resolved', { resolved_at, reason })
    this.#addAction('notification_resolved')
  }

  async save(): Promise<void> {
    if (this.#actions.length === 0) return
    const updated_at = new Date(Math.max(this.#ctx.now.getTime(), Date.parse(this.#before.updated_at) + 1)).toISOString()
    await saveIncidents(this.#ctx, [{ ...this.#row, updated_at }])
    await this.#updateMonitor()
    await addIncidentActions(this.#ctx, this.#actions)
    await recordEvents(this.#ctx, this.#events)
    await queueIncidentPaths(this.#ctx, this.#events)
  }

  /** A monitor's status follows its latest value: resolving an incident while that value is still outside the limits does not make it normal. */
  async #updateMonitor(): Promise<void> {
    const { id, status, runs_inside } = this.#row
    const monitors = this.#ctx.db.updateTable('monitors').where('id', '=', this.#monitor.id)
    const isBackInside = async () =>
      runs_inside > 0 ||
      this.#actions.some(({ type }) => type === 'marked_normal') ||
      !(await isLastValueOutside(this.#ctx, this.#monitor.id))
    if (status === 'resolved' && this.#monitor.status === 'incident' && this.#monitor.last_incident === id && (await isBackInside()))
      await monitors.set({ status: 'normal' }).execute()
    if (status !== 'resolved' && this.#before.status === 'resolved') await monitors.set({ status: 'incident', last_incident: id }).execute()
  }
}

const isLastValueOutside = async (ctx: Context, monitor: string): Promise<boolean> => {
  const last = await ctx.db
    .selectFrom('monitor_measurements')
    .select('outside')
    .where('monitor', '=', monitor)
    .orderBy('measured_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.outside ?? false
}
