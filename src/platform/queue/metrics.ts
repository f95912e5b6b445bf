import { Counter, Gauge, Histogram, Registry } from 'prom-client'

declare module '../context/runtime.ts' {
  interface Runtime {
    readonly backgroundMetrics: BackgroundMetrics
  }
}

/** Metrics of background work in this process. */
export class BackgroundMetrics {
  readonly registry = new Registry()

  readonly clockSkew = this.#gauge('tablinum_clock_skew_seconds', "Seconds by which this process's clock is ahead of the database's clock.")
  readonly scheduleResets = this.#counter(
    'tablinum_schedule_resets_total',
    'Schedule entries that were reset because they were in the future.',
  )
  readonly taskDuration = this.#histogram(
    'tablinum_task_duration_seconds',
    'Duration of background tasks in this process, by class, task and result; `failed` attempts are retried.',
    [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800],
    'class',
    'task',
    'result',
  )
  readonly syncDuration = this.#histogram(
    'tablinum_sync_duration_seconds',
    'Duration of syncs in this process, by type of the integration and result.',
    [1, 5, 15, 60, 300, 900, 1_800, 3_600],
    'type',
    'result',
  )
  readonly monitorRuns = this.#counter(
    'tablinum_monitor_runs_total',
    'Monitor runs of this process by result: `measured`, or `error` if the source returned no value.',
    'result',
  )
  readonly monitorDelay = this.#histogram(
    'tablinum_monitor_delay_seconds',
    'Time from when a scheduled monitor run was due until its value was measured.',
    [1, 5, 15, 30, 60, 120, 300, 900, 3_600],
  )
  readonly stepDuration = this.#gauge(
    'tablinum_housekeeping_duration_seconds',
    'Duration of the last run of each housekeeping step.',
    'step',
  )
  readonly stepSuccess = this.#gauge(
    'tablinum_housekeeping_last_success_timestamp_seconds',
    'Time of the last success of each housekeeping step.',
    'step',
  )
  readonly stepFailure = this.#gauge(
    'tablinum_housekeeping_last_failure_timestamp_seconds',
    'Time of the last failure of each housekeeping step.',
    'step',
  )
  readonly migrationRows = this.#gauge(
    'tablinum_background_migration_rows',
    'Rows of a background migration: `done`, and the estimated `total`. Set by the process that runs it, until it is finished.',
    'migration',
    'state',
  )
  readonly migrationFailures = this.#counter('tablinum_background_migration_failures_total', 'Failed attempts of background migrations.')

  #gauge<Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] })
  }

  #counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }

  #histogram<Label extends string = never>(name: string, help: string, buckets: number[], ...labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] })
  }
}
