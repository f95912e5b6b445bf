import { findMentionedUsers } from '../../accounts/shared/mentions.ts'
import { findUserNames } from '../../accounts/shared/people.ts'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import type { Severity } from '../../platform/core/severity.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type DomainEvent, recordEvents } from '../../platform/history/events.ts'
import { resetHistory, setFeedback } from '../measurements/measurement-rows.ts'
import type { MonitorWithTarget } from '../monitor-model/monitor-rows.ts'
import { queueIncidentPaths } from './incident-paths.ts'
import {
  addIncidentActions,
  findOpenIncidents,
  type IncidentRow,
  isSnoozed,
  type NewIncidentAction,
  NOT_SNOOZED,
  REOPENED,
  saveIncidents,
} from './incident-rows.ts'
import type { ActionType, Incident } from './incident-schema.ts'
import { type IncidentDetails, type IncidentKind, toIncidentEvent } from './monitor-events.ts'
import { getIncidentSummary } from './summary.ts'

/** Collects the changes a user makes to an incident, then saves them with their timeline entries and events. */
export class IncidentEditor {
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
    this.#events.push(toIncidentEvent(this.#ctx, kind, this.#monitor, this.#row, details, recipients))
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

  /** No one is notified until then; null ends it. */
  snooze(until: string | null): void {
    if (until === null) {
      if (!isSnoozed(this.#row, this.#ctx.now)) return
      this.#row = { ...this.#row, ...NOT_SNOOZED }
      this.#addAction('unsnoozed')
      this.#addEvent('incident_unsnoozed', {})
      return
    }
    if (this.#row.status === 'resolved') throw conflict(translatable('This incident is resolved, so it cannot be snoozed.'))
    if (until === this.#row.snoozed_until) return
    this.#row = { ...this.#row, snoozed_until: until, snoozed_by: this.#ctx.actor.user_id }
    this.#addAction('snoozed', until)
    this.#addEvent('incident_snoozed', {})
  }

  /** The time of the snooze has come. The assignee and whoever snoozed it are notified besides owners and subscribers. */
  endDueSnooze(): void {
    const { assignee, snoozed_by } = this.#row
    const recipients = [...new Set([assignee, snoozed_by])].filter((id) => id !== null)
    this.#row = { ...this.#row, ...NOT_SNOOZED, last_notified_at: this.#ctx.now.toISOString() }
    this.#addAction('snooze_ended')
    this.#addEvent('incident_snooze_ended', {}, recipients.length > 0 ? recipients : undefined)
    this.#addAction('notification_initial')
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
    const open = { ...this.#row, ...REOPENED, ...NOT_SNOOZED }
    this.#row = { ...open, last_notified_at: this.#ctx.now.toISOString(), summary: getIncidentSummary(this.#monitor, open) }
    this.#addAction('reopened')
    this.#addEvent('incident_reopened', {}, assignee ? [assignee] : undefined)
    this.#addAction('notification_initial')
  }

  /** Ends a snooze, so that those who were notified of the incident are notified of its end. */
  #resolve(reason: 'by_hand' | 'marked_normal'): void {
    const resolved_at = this.#ctx.now.toISOString()
    const over: IncidentRow = { ...this.#row, ...NOT_SNOOZED, status: 'resolved', resolved_at, last_notified_at: resolved_at }
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
