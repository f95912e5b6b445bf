import type { Context } from '../context.ts'
import type { Activity } from '../history/record.ts'
import { newId } from '../id.ts'
import type { IncidentRow, NewAction } from './incident-store.ts'
import { courseOf, judge, type Verdict } from './judge.ts'
import { type Lesson, limitsFor, take } from './learn.ts'
import type { MeasurementRow, MonitorNote } from './measurement-store.ts'
import type { SeenMonitor } from './store.ts'
import { summaryOf } from './summary.ts'
import { incidentActivity } from './tell.ts'
import { findUpstreamIncident } from './upstream.ts'

/** The result of measuring a monitor once, either by a run or pushed. */
export interface Result {
  readonly monitor: string
  readonly at: Date
  readonly outcome: { readonly value: number; readonly row_count?: number | null } | { readonly error: string }
  readonly origin: 'run' | 'pushed'
  /** The run, deleted when the result is saved. If another worker has already deleted it, the result is ignored. */
  readonly run?: string
}

/** Collects everything one transaction will write. */
export class Keeping {
  readonly measurements: MeasurementRow[] = []
  /** Measurements that already exist for the same monitor and time. */
  readonly found: MeasurementRow[] = []
  readonly incidents = new Map<string, IncidentRow>()
  readonly notes = new Map<string, MonitorNote>()
  readonly actions: NewAction[] = []
  readonly activities: Activity[] = []
  readonly #ctx: Context
  readonly #monitors: ReadonlyMap<string, SeenMonitor>
  readonly #lessons: ReadonlyMap<string, Lesson>
  readonly #open: Map<string, IncidentRow>
  readonly #before: ReadonlyMap<string, MeasurementRow>

  constructor(
    ctx: Context,
    monitors: ReadonlyMap<string, SeenMonitor>,
    lessons: ReadonlyMap<string, Lesson>,
    open: Map<string, IncidentRow>,
    before: ReadonlyMap<string, MeasurementRow>,
  ) {
    this.#ctx = ctx
    this.#monitors = monitors
    this.#lessons = lessons
    this.#open = open
    this.#before = before
  }

  async add({ monitor: id, at, outcome, origin }: Result): Promise<void> {
    const monitor = this.#monitors.get(id)!
    const note = this.#noteOf(monitor)
    if ('error' in outcome) {
      const last_error_at = this.#ctx.now.toISOString()
      this.notes.set(id, { ...note, status: 'error', last_attempted_at: last_error_at, last_error_at, last_error_message: outcome.error })
      return
    }
    const same =
      this.#before.get(keyOf(id, at)) ??
      this.measurements.find((each) => each.monitor === id && Date.parse(each.measured_at) === at.getTime())
    if (same && origin === 'pushed') {
      this.found.push(same)
      return
    }
    const last_at = note.last_measured_at === null ? -Infinity : Date.parse(note.last_measured_at)
    if (origin === 'pushed' && at.getTime() < last_at) this.#addPast(note, at, outcome)
    else await this.#addNewest(monitor, note, new Date(Math.max(at.getTime(), last_at + 1)), outcome, origin)
  }

  /** A late value is used for training but does not affect incidents. */
  #addPast(note: MonitorNote, at: Date, { value, row_count = null }: { value: number; row_count?: number | null }): void {
    this.measurements.push(this.#measurementOf(note.id, at, value, row_count, 'pushed', undefined, null))
    this.notes.set(note.id, { ...note, lesson: note.lesson + 1 })
  }

  async #addNewest(
    monitor: SeenMonitor,
    note: MonitorNote,
    at: Date,
    { value, row_count = null }: { value: number; row_count?: number | null },
    origin: Result['origin'],
  ): Promise<void> {
    const lesson = this.#lessons.get(monitor.id)
    const run = row_count === null ? {} : { row_count }
    const verdict = judge(monitor, lesson && limitsFor(lesson, at, run), value)
    const incident = await this.#follow(monitor, verdict, value, at)
    const measurement = this.#measurementOf(monitor.id, at, value, row_count, origin, verdict, incident?.id ?? null)
    this.measurements.push(measurement)
    if (lesson) {
      take(lesson, { id: measurement.id, at, value, ...run })
      this.#ctx.runtime.caches.models.set(monitor.id, lesson) // it has grown, so the cache has to update its size
    }
    const now = this.#ctx.now.toISOString()
    this.notes.set(monitor.id, {
      ...note,
      status: this.#open.has(monitor.id) ? 'incident' : 'normal',
      last_attempted_at: now,
      last_success_at: now,
      last_measurement: measurement.id,
      last_measurement_value: value,
      last_measured_at: measurement.measured_at,
      last_incident: incident?.id ?? note.last_incident,
    })
  }

  /** Applies the verdict to the monitor's incident and returns the incident this measurement belongs to. */
  async #follow(monitor: SeenMonitor, verdict: Verdict, value: number, at: Date): Promise<IncidentRow | undefined> {
    const open = this.#open.get(monitor.id)
    const course = courseOf(open, verdict)
    if (course === 'opens') return this.#begin(monitor, verdict, value, at)
    if (course === 'nothing' || !open) return undefined
    const seen = at.toISOString()
    const updated_at = this.#ctx.now.toISOString()
    if (course === 'grows') {
      const grown = {
        ...open,
        updated_at,
        value,
        ...limitsOf(verdict),
        last_seen_at: seen,
        runs_outside: open.runs_outside + 1,
        runs_inside: 0,
      }
      return this.#put({ ...grown, summary: summaryOf(monitor, grown) })
    }
    const calmer = { ...open, updated_at, runs_inside: open.runs_inside + 1 }
    if (course === 'calms') return this.#put(calmer)
    const over: IncidentRow = { ...calmer, status: 'resolved', resolved_at: seen, last_notified_at: updated_at }
    const resolved = { ...over, summary: summaryOf(monitor, over) }
    this.#open.delete(monitor.id)
    this.incidents.set(resolved.id, resolved)
    for (const type of ['resolved', 'notification_resolved'] as const)
      this.actions.push({ incident: resolved.id, type, user_id: null, at: this.#ctx.now })
    this.activities.push(incidentActivity('resolved', monitor, resolved, { resolved_at: seen, reason: 'in_range', last_value: value }))
    return resolved
  }

  async #begin(monitor: SeenMonitor, verdict: Verdict, value: number, at: Date): Promise<IncidentRow> {
    const now = this.#ctx.now.toISOString()
    const blank: IncidentRow = {
      id: newId(),
      created_at: now,
      updated_at: now,
      monitor: monitor.id,
      target: monitor.target,
      name: monitor.name,
      summary: '',
      status: 'active',
      value,
      ...limitsOf(verdict),
      first_seen_at: at.toISOString(),
      last_seen_at: at.toISOString(),
      last_notified_at: now, // the activity recorded below is the outbox entry of the notification
      acknowledged_at: null,
      resolved_at: null,
      assignee: null,
      runs_outside: 1,
      runs_inside: 0,
      upstream_incident: await findUpstreamIncident(this.#ctx, monitor.of),
    }
    const incident = this.#put({ ...blank, summary: summaryOf(monitor, blank) })
    this.actions.push({ incident: incident.id, type: 'notification_initial', user_id: null, at: this.#ctx.now })
    this.activities.push(incidentActivity('opened', monitor, incident))
    return incident
  }

  #put(incident: IncidentRow): IncidentRow {
    this.#open.set(incident.monitor, incident)
    this.incidents.set(incident.id, incident)
    return incident
  }

  #noteOf(monitor: SeenMonitor): MonitorNote {
    return this.notes.get(monitor.id) ?? monitor
  }

  #measurementOf(
    monitor: string,
    at: Date,
    value: number,
    row_count: number | null,
    origin: string,
    verdict: Verdict | undefined,
    incident: string | null,
  ): MeasurementRow {
    return {
      id: newId(),
      monitor,
      measured_at: at.toISOString(),
      updated_at: this.#ctx.now.toISOString(),
      value,
      row_count,
      lower_threshold: verdict?.lower ?? null,
      upper_threshold: verdict?.upper ?? null,
      explanation: verdict?.explanation ?? null,
      outside: verdict?.state === 'outside',
      origin,
      marked: null,
      incident,
      thresholds_version: verdict?.thresholds_version ?? null,
    }
  }
}

const limitsOf = ({ lower, upper, explanation }: Verdict) => ({ lower_threshold: lower, upper_threshold: upper, explanation })

const keyOf = (monitor: string, at: Date): string => `${monitor} ${at.getTime()}`
