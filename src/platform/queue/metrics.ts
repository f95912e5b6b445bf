import { Counter, Gauge, Histogram, Registry } from 'prom-client'

declare module '../context/runtime.ts' {
  interface Runtime {
    readonly backgroundMetrics: BackgroundMetrics
  }
}

/** Metrics of background work in this process. */
export class BackgroundMetrics {
  readonly registry = new Registry()
  readonly #registers = [this.registry]

  readonly clockSkew = new Gauge({
    name: 'tablinum_clock_skew_seconds',
    help: "Seconds by which this process's clock is ahead of the database's clock.",
    registers: this.#registers,
  })
  readonly scheduleResets = new Counter({
    name: 'tablinum_schedule_resets_total',
    help: 'Schedule entries that were reset because they were in the future.',
    registers: this.#registers,
  })
  readonly taskDuration = new Histogram({
    name: 'tablinum_task_duration_seconds',
    help: 'Duration of background tasks in this process, by class, task and result; `failed` attempts are retried.',
    labelNames: ['class', 'task', 'result'] as const,
    buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800],
    registers: this.#registers,
  })
  readonly syncDuration = new Histogram({
    name: 'tablinum_sync_duration_seconds',
    help: 'Duration of syncs in this process, by type of the integration and result.',
    labelNames: ['type', 'result'] as const,
    buckets: [1, 5, 15, 60, 300, 900, 1_800, 3_600],
    registers: this.#registers,
  })
  readonly monitorRuns = new Counter({
    name: 'tablinum_monitor_runs_total',
    help: 'Monitor runs of this process by result: `measured`, or `error` if the source returned no value.',
    labelNames: ['result'] as const,
    registers: this.#registers,
  })
  readonly monitorDelay = new Histogram({
    name: 'tablinum_monitor_delay_seconds',
    help: 'Time from when a scheduled monitor run was due until its value was measured.',
    buckets: [1, 5, 15, 30, 60, 120, 300, 900, 3_600],
    registers: this.#registers,
  })
  readonly stepDuration = new Gauge({
    name: 'tablinum_housekeeping_duration_seconds',
    help: 'Duration of the last run of each housekeeping step.',
    labelNames: ['step'] as const,
    registers: this.#registers,
  })
  readonly stepSuccess = new Gauge({
    name: 'tablinum_housekeeping_last_success_timestamp_seconds',
    help: 'Time of the last success of each housekeeping step.',
    labelNames: ['step'] as const,
    registers: this.#registers,
  })
  readonly stepFailure = new Gauge({
    name: 'tablinum_housekeeping_last_failure_timestamp_seconds',
    help: 'Time of the last failure of each housekeeping step.',
    labelNames: ['step'] as const,
    registers: this.#registers,
  })
  readonly migrationRows = new Gauge({
    name: 'tablinum_background_migration_rows',
    help: 'Rows of a background migration: `done`, and the estimated `total`. Set by the process that runs it, until it is finished.',
    labelNames: ['migration', 'state'] as const,
    registers: this.#registers,
  })
  readonly migrationFailures = new Counter({
    name: 'tablinum_background_migration_failures_total',
    help: 'Failed attempts of background migrations.',
    registers: this.#registers,
  })
}
