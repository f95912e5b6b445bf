import { Counter, Gauge, Registry } from 'prom-client'

/** What `/metrics` shows of background work in this process. */
export class BackgroundMetrics {
  readonly registry = new Registry()
  readonly #registers = [this.registry]

  readonly clockSkew = new Gauge({
    name: 'tablinum_clock_skew_seconds',
    help: "How far this process's clock is ahead of the database's clock.",
    registers: this.#registers,
  })
  readonly scheduleResets = new Counter({
    name: 'tablinum_schedule_resets_total',
    help: 'Schedule entries that were set back because they lay in the future.',
    registers: this.#registers,
  })
  readonly stepDuration = new Gauge({
    name: 'tablinum_housekeeping_duration_seconds',
    help: 'How long each housekeeping step took the last time.',
    labelNames: ['step'] as const,
    registers: this.#registers,
  })
  readonly stepSuccess = new Gauge({
    name: 'tablinum_housekeeping_last_success_timestamp_seconds',
    help: 'When each housekeeping step last succeeded.',
    labelNames: ['step'] as const,
    registers: this.#registers,
  })
  readonly stepFailure = new Gauge({
    name: 'tablinum_housekeeping_last_failure_timestamp_seconds',
    help: 'When each housekeeping step last failed.',
    labelNames: ['step'] as const,
    registers: this.#registers,
  })
}
