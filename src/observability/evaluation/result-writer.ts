import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { DomainEvent } from '../../platform/history/events.ts'
import { findLastResolved, type IncidentRow, isSnoozed, type NewIncidentAction, NOT_SNOOZED, REOPENED } from '../incidents/incident-rows.ts'
import { toIncidentEvent } from '../incidents/monitor-events.ts'
import { getIncidentSummary } from '../incidents/summary.ts'
import { findUpstreamIncident } from '../incidents/upstream.ts'
import type { MeasurementRow, MonitorStateUpdate } from '../measurements/measurement-rows.ts'
import type { MonitorWithTarget } from '../monitor-model/monitor-rows.ts'
import { comesBack, judge, nextIncidentTransition, type Verdict } from './judge.ts'
import { limitsFor, observe, type TrainedModel } from './models.ts'

/** The result of measuring a monitor once, either by a run or pushed. */
export interface MeasurementResult {
  readonly monitor: string
  readonly at: Date
  readonly outcome: { readonly value: number; readonly row_count?: number | null } | { readonly error: string }
  readonly origin: 'run' | 'pushed'
  /** The run, deleted when the result is saved. If another worker has already deleted it, the result is ignored. */
  readonly run?: string
}

/** Collects everything one transaction will write. */
export class ResultWriter {
  readonly measurements: MeasurementRow[] = []
  /** Measurements that already exist for the same monitor and time. */
  readonly existing: MeasurementRow[] = []
  readonly incidents = new Map<string, IncidentRow>()
  readonly stateUpdates = new Map<string, MonitorStateUpdate>()
  readonly actions: NewIncidentAction[] = []
  readonly events: DomainEvent[] = []
  readonly #ctx: Context
  readonly #monitors: ReadonlyMap<string, MonitorWithTarget>
  readonly #models: ReadonlyMap<string, TrainedModel>
  readonly #open: Map<string, IncidentRow>
  readonly #before: ReadonlyMap<string, MeasurementRow>

  constructor(
    ctx: Context,
    monitors: ReadonlyMap<string, MonitorWithTarget>,
    models: ReadonlyMap<string, TrainedModel>,
    open: Map<string, IncidentRow>,
    before: ReadonlyMap<string, MeasurementRow>,
  ) {
    this.#ctx = ctx
    this.#monitors = monitors
    this.#models = models
    this.#open = open
    this.#before = before
  }

  async add({ monitor: id, at, outcome, origin }: MeasurementResult): Promise<void> {
    const monitor = this.#monitors.get(id)!
    const state = this.#stateOf(monitor)
    if ('error' in outcome) {
      const last_error_at = this.#ctx.now.toISOString()
      this.stateUpdates.set(id, {
        ...state,
        status: 'error',
        last_attempted_at: last_error_at,
        last_error_at,
        last_error_message: outcome.error,
      })
      return
    }
    const same =
      this.#before.get(measurementKey(id, at)) ??
      this.measurements.find((each) => each.monitor === id && Date.parse(each.measured_at) === at.getTime())
    if (same && origin === 'pushed') {
      this.existing.push(same)
      return
    }
    const last_at = state.last_measured_at === null ? -Infinity : Date.parse(state.last_measured_at)
    if (origin === 'pushed' && at.getTime() < last_at) this.#addLate(state, at, outcome)
    else await this.#addNewest(monitor, state, new Date(Math.max(at.getTime(), last_at + 1)), outcome, origin)
  }

  /** A late value is used for training but does not affect incidents. */
  #addLate(state: MonitorStateUpdate, at: Date, { value, row_count = null }: { value: number; row_count?: number | null }): void {
    this.measurements.push(this.#buildMeasurement(state.id, at, value, row_count, 'pushed', undefined, null))
    this.stateUpdates.set(state.id, { ...state, model_generation: state.model_generation + 1 })
  }

  async #addNewest(
    monitor: MonitorWithTarget,
    state: MonitorStateUpdate,
    at: Date,
    { value, row_count = null }: { value: number; row_count?: number | null },
    origin: MeasurementResult['origin'],
  ): Promise<void> {
    const model = this.#models.get(monitor.id)
    const run = row_count === null ? {} : { row_count }
    const verdict = judge(monitor, model && limitsFor(model, at, run), value)
    const incident = await this.#updateIncident(monitor, verdict, value, at)
    const measurement = this.#buildMeasurement(monitor.id, at, value, row_count, origin, verdict, incident?.id ?? null)
    this.measurements.push(measurement)
    if (model) {
      observe(model, { id: measurement.id, at, value, ...run })
      this.#ctx.runtime.caches.models.set(monitor.id, model) // it has grown, so the cache has to update its size
    }
    const now = this.#ctx.now.toISOString()
    this.stateUpdates.set(monitor.id, {
      ...state,
      status: this.#open.has(monitor.id) ? 'incident' : 'normal',
      last_attempted_at: now,
      last_success_at: now,
      last_measurement: measurement.id,
      last_measurement_value: value,
      last_measured_at: measurement.measured_at,
      last_incident: incident?.id ?? state.last_incident,
    })
  }

  /** Applies the verdict to the monitor's incident and returns the incident this measurement belongs to. */
  async #updateIncident(monitor: MonitorWithTarget, verdict: Verdict, value: number, at: Date): Promise<IncidentRow | undefined> {
    const open = this.#open.get(monitor.id)
    const transition = nextIncidentTransition(open, verdict)
    if (transition === 'opens')
      return (await this.#reopenIncident(monitor, verdict, value, at)) ?? this.#openIncident(monitor, verdict, value, at)
    if (transition === 'nothing' || !open) return undefined
    const seen = at.toISOString()
    const updated_at = this.#ctx.now.toISOString()
    if (transition === 'grows') {
      const grown = {
        ...open,
        updated_at,
        value,
        ...toIncidentLimits(verdict),
        last_seen_at: seen,
        runs_outside: open.runs_outside + 1,
        runs_inside: 0,
      }
      return this.#trackIncident({ ...grown, summary: getIncidentSummary(monitor, grown) })
    }
    const calmer = { ...open, updated_at, runs_inside: open.runs_inside + 1 }
    if (transition === 'calms') return this.#trackIncident(calmer)
    const notifies = !isSnoozed(open, this.#ctx.now)
    const notified = notifies ? { last_notified_at: updated_at } : {}
    const over: IncidentRow = { ...calmer, status: 'resolved', resolved_at: seen, ...notified }
    const resolved = { ...over, summary: getIncidentSummary(monitor, over) }
    this.#open.delete(monitor.id)
    this.incidents.set(resolved.id, resolved)
    this.#addActions(resolved.id, notifies ? ['resolved', 'notification_resolved'] : ['resolved'])
    this.events.push(
      toIncidentEvent(this.#ctx, 'incident_resolved', monitor, resolved, { resolved_at: seen, reason: 'in_range', last_value: value }),
    )
    return resolved
  }

  /** Reopens the last incident if it was resolved so recently that it is the same problem. If it is still snoozed, no one is notified. */
  async #reopenIncident(monitor: MonitorWithTarget, verdict: Verdict, value: number, at: Date): Promise<IncidentRow | undefined> {
    const ofThisBatch = [...this.incidents.values()].findLast((incident) => incident.monitor === monitor.id)
    const last = ofThisBatch ?? (await findLastResolved(this.#ctx, monitor.id))
    if (!last?.resolved_at || !comesBack(monitor.frequency, new Date(last.resolved_at), at)) return undefined
    const now = this.#ctx.now.toISOString()
    const notifies = !isSnoozed(last, this.#ctx.now)
    const open: IncidentRow = {
      ...last,
      ...REOPENED,
      ...(notifies ? { ...NOT_SNOOZED, last_notified_at: now } : {}),
      updated_at: now,
      value,
      ...toIncidentLimits(verdict),
      last_seen_at: at.toISOString(),
      runs_outside: last.runs_outside + 1,
    }
    const incident = this.#trackIncident({ ...open, summary: getIncidentSummary(monitor, open) })
    this.#addActions(incident.id, notifies ? ['reopened', 'notification_initial'] : ['reopened'])
    const recipients = notifies && incident.assignee ? [incident.assignee] : undefined
    this.events.push(toIncidentEvent(this.#ctx, 'incident_reopened', monitor, incident, {}, recipients))
    return incident
  }

  async #openIncident(monitor: MonitorWithTarget, verdict: Verdict, value: number, at: Date): Promise<IncidentRow> {
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
      ...toIncidentLimits(verdict),
      first_seen_at: at.toISOString(),
      last_seen_at: at.toISOString(),
      last_notified_at: now, // the activity recorded below is the outbox entry of the notification
      acknowledged_at: null,
      resolved_at: null,
      assignee: null,
      runs_outside: 1,
      runs_inside: 0,
      severity: monitor.severity,
      ...NOT_SNOOZED,
      upstream_incident: await findUpstreamIncident(this.#ctx, monitor.of),
    }
    const incident = this.#trackIncident({ ...blank, summary: getIncidentSummary(monitor, blank) })
    this.#addActions(incident.id, ['notification_initial'])
    this.events.push(toIncidentEvent(this.#ctx, 'incident_opened', monitor, incident, {}))
    return incident
  }

  #addActions(incident: string, types: readonly NewIncidentAction['type'][]): void {
    for (const type of types) this.actions.push({ incident, type, user_id: null, at: this.#ctx.now })
  }

  #trackIncident(incident: IncidentRow): IncidentRow {
    this.#open.set(incident.monitor, incident)
    this.incidents.set(incident.id, incident)
    return incident
  }

  #stateOf(monitor: MonitorWithTarget): MonitorStateUpdate {
    return this.stateUpdates.get(monitor.id) ?? monitor
  }

  #buildMeasurement(
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

const toIncidentLimits = ({ lower, upper, explanation }: Verdict) => ({ lower_threshold: lower, upper_threshold: upper, explanation })

const measurementKey = (monitor: string, at: Date): string => `${monitor} ${at.getTime()}`
