import { findMentioned } from '../access/mentions.ts'
import { namesOfUsers } from '../access/people.ts'
import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { conflict } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { type Activity, recordActivities } from '../history/record.ts'
import { readId } from '../id.ts'
import type { PageRequest } from '../lists/page.ts'
import { mapPage } from '../lists/read-page.ts'
import type { ActionType, Incident, IncidentEdit, IncidentQuery } from './incident-schema.ts'
import {
  type ActionRow,
  addActions,
  findActions,
  findOpen,
  getIncident,
  type IncidentRow,
  listIncidentRows,
  type NewAction,
  type SeenIncident,
  saveIncidents,
} from './incident-store.ts'
import { beginAnew, setMarks } from './measurement-store.ts'
import { briefOf, lockMonitor, type SeenMonitor } from './store.ts'
import { summaryOf } from './summary.ts'
import { type IncidentVerb, incidentActivity } from './tell.ts'
import { downstreamOf } from './upstream.ts'

export const listIncidents = async (ctx: Context, query: IncidentQuery, page: PageRequest) => {
  mustBeAble(ctx.actor, 'monitors.read')
  const incidents = await listIncidentRows(ctx, query, page)
  const actions = await findActions(
    ctx,
    incidents.results.map(({ id }) => id),
  )
  return mapPage(incidents, (row) => toIncident(row, actions.get(row.id)))
}

export const readIncident = async (ctx: Context, id: string): Promise<Incident> => {
  mustBeAble(ctx.actor, 'monitors.read')
  const row = await getIncident(ctx, id)
  const [actions, downstream] = await Promise.all([findActions(ctx, [id]), downstreamOf(ctx, row.of)])
  return { ...toIncident(row, actions.get(id)), downstream }
}

const toIncident = ({ of, monitor_name, runs_inside: _, status, ...row }: SeenIncident, actions: readonly ActionRow[] = []): Incident => ({
  ...row,
  status: status as Incident['status'],
  actions: actions.map(({ type, user_id, user_name, comment, people, channel, created_at }) => ({
    ...{ type, user_id, user_name, comment },
    ...{ people, channel, created_at },
  })),
  display_metadata: { monitor: { label: monitor_name }, target: briefOf(of) },
})

export const editIncident = (ctx: Context, id: string, edit: IncidentEdit): Promise<Incident> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'monitors.write')
    const { monitor: monitor_id } = await getIncident(ctx, id)
    // The lock on the monitor also covers its incidents, so a run cannot change them at the same time.
    const monitor = await lockMonitor(ctx, monitor_id)
    const { of: _, monitor_name: __, still_outside: ___, ...before } = await getIncident(ctx, id)
    mustMatch(ctx, etagOf(before))
    const handling = new Handling(ctx, monitor, before)
    const { assignee, comment, marked, status } = edit
    if (assignee !== undefined) await handling.assign(assignee === null ? null : readId(assignee)!)
    if (comment) await handling.comment(comment)
    if (marked) await handling.mark(marked)
    if (status) await handling.move(status)
    await handling.save()
    return readIncident(ctx, id)
  })

/** Resolves the incident because one of its measurements was marked as expected. The caller has locked the monitor. */
export const callNormal = async (ctx: Context, monitor: SeenMonitor, id: string): Promise<void> => {
  const { of: _, monitor_name: __, still_outside: ___, ...before } = await getIncident(ctx, id)
  const handling = new Handling(ctx, monitor, before)
  handling.callNormal()
  await handling.save()
}

/** Collects the changes a user makes to an incident, then saves them with their timeline entries and activities. */
class Handling {
  readonly #ctx: Context
  readonly #monitor: SeenMonitor
  readonly #before: IncidentRow
  #row: IncidentRow
  readonly #actions: NewAction[] = []
  readonly #activities: Activity[] = []

  constructor(ctx: Context, monitor: SeenMonitor, row: IncidentRow) {
    this.#ctx = ctx
    this.#monitor = monitor
    this.#before = row
    this.#row = row
  }

  #note(
    type: ActionType,
    verb: IncidentVerb | undefined,
    more: Readonly<Record<string, unknown>> = {},
    { comment = null, recipients }: { comment?: string | null; recipients?: readonly string[] } = {},
  ): void {
    this.#actions.push({ incident: this.#row.id, type, user_id: this.#ctx.actor.user_id, comment, at: this.#ctx.now })
    if (verb) this.#activities.push({ ...incidentActivity(verb, this.#monitor, this.#row, more), recipients })
  }

  async assign(assignee: string | null): Promise<void> {
    if (assignee === this.#row.assignee) return
    this.#row = { ...this.#row, assignee }
    const assignee_name = assignee && ((await namesOfUsers(this.#ctx.db, [assignee])).get(assignee) ?? null)
    this.#note(
      'assigned',
      'assigned',
      { assignee, assignee_name },
      { comment: assignee_name, recipients: assignee ? [assignee] : undefined },
    )
  }

  /** A comment also acknowledges an active incident. */
  async comment(comment: string): Promise<void> {
    const mentioned = await findMentioned(this.#ctx.db, comment)
    const recipients = mentioned.length > 0 ? mentioned.map(({ id }) => id) : undefined
    this.#note('comment', 'commented', { comment }, { comment, recipients })
    if (this.#row.status === 'active') this.#acknowledge()
  }

  async move(status: Incident['status']): Promise<void> {
    if (status === this.#row.status) return
    if (this.#row.status === 'resolved') {
      if (status === 'active') return this.#reopen()
      throw conflict('This incident is resolved. Set its status to "active" to reopen it first.')
    }
    if (status === 'active') throw conflict('An acknowledged incident cannot be set back to active.')
    if (status === 'acknowledged') this.#acknowledge()
    else this.#resolve('by_hand')
  }

  async mark(marked: 'normal' | 'incident'): Promise<void> {
    await setMarks(this.#ctx, { incident: this.#row.id }, marked)
    await beginAnew(this.#ctx, this.#monitor.id)
    if (marked === 'normal') this.callNormal()
    else this.#note('marked_incident', 'marked_incident')
  }

  callNormal(): void {
    this.#note('marked_normal', 'marked_normal')
    if (this.#row.status !== 'resolved') this.#resolve('marked_normal')
  }

  #acknowledge(): void {
    this.#row = { ...this.#row, status: 'acknowledged', acknowledged_at: this.#ctx.now.toISOString() }
    this.#note('acknowledged', 'acknowledged')
  }

  /** A monitor has at most one open incident. */
  async #reopen(): Promise<void> {
    if ((await findOpen(this.#ctx, [this.#monitor.id])).size > 0)
      throw conflict('This incident cannot be reopened because its monitor already has another open incident.')
    const { assignee } = this.#row
    const open: IncidentRow = { ...this.#row, status: 'active', resolved_at: null, acknowledged_at: null, runs_inside: 0 }
    this.#row = { ...open, last_notified_at: this.#ctx.now.toISOString(), summary: summaryOf(this.#monitor, open) }
    this.#note('reopened', 'reopened', {}, { recipients: assignee ? [assignee] : undefined })
    this.#note('notification_initial', undefined)
  }

  #resolve(reason: 'by_hand' | 'marked_normal'): void {
    const resolved_at = this.#ctx.now.toISOString()
    const over: IncidentRow = { ...this.#row, status: 'resolved', resolved_at, last_notified_at: resolved_at }
    this.#row = { ...over, summary: summaryOf(this.#monitor, over) }
    this.#note('resolved', 'resolved', { resolved_at, reason })
    this.#note('notification_resolved', undefined)
  }

  async save(): Promise<void> {
    if (this.#actions.length === 0) return
    const updated_at = new Date(Math.max(this.#ctx.now.getTime(), Date.parse(this.#before.updated_at) + 1)).toISOString()
    await saveIncidents(this.#ctx, [{ ...this.#row, updated_at }])
    await this.#updateMonitor()
    await addActions(this.#ctx, this.#actions)
    await recordActivities(this.#ctx, this.#activities)
  }

  /** A monitor's status follows its latest value: resolving an incident while that value is still outside the limits does not make it normal. */
  async #updateMonitor(): Promise<void> {
    const { id, status, runs_inside } = this.#row
    const monitors = this.#ctx.db.updateTable('monitors').where('id', '=', this.#monitor.id)
    const calmed = runs_inside > 0 || this.#actions.some(({ type }) => type === 'marked_normal')
    if (status === 'resolved' && calmed && this.#monitor.status === 'incident' && this.#monitor.last_incident === id)
      await monitors.set({ status: 'normal' }).execute()
    if (status !== 'resolved' && this.#before.status === 'resolved') await monitors.set({ status: 'incident', last_incident: id }).execute()
  }
}
