import { setTimeout as sleep } from 'node:timers/promises'
import { type CronItem, type ParsedCronItem, parseCronItems } from 'graphile-worker'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { BackgroundMetrics } from './metrics.ts'

const MINUTE_MS = 60_000
const CHECK_INTERVAL_MS = 5_000
const WARNING_INTERVAL_MS = 600_000
const MAX_SKEW_MS = 5_000
const CATCH_UP_MS = 24 * 3_600_000

/** All instances share the database's clock: a process with a wrong clock must not shift a schedule. */
export const databaseTime = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db)
  return new Date(rows[0]!.ms)
}

export interface SchedulerOptions {
  readonly db: Db
  readonly items: CronItem[]
  readonly metrics?: BackgroundMetrics
  readonly onWarning: (message: string, details: object) => void
  /** For tests. */
  readonly time?: () => Promise<Date>
}

/**
 * Queues scheduled tasks once per minute of the database's clock across all instances. graphile-worker's own scheduler follows the clock of
 * the process: a clock that was a day ahead for a moment stopped every schedule for a day.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #items: readonly ParsedCronItem[]
  readonly #time: () => Promise<Date>
  #handled: number | undefined
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#items = parseCronItems(options.items)
    this.#time = options.time ?? (() => databaseTime(options.db))
  }

  /** Queues what became due since the last call; the first call only sets the start. Returns the milliseconds until the next call. */
  async runOnce(): Promise<number> {
    const { db, metrics, onWarning } = this.#options
    const [began, processTime] = [performance.now(), Date.now()]
    const now = (await this.#time()).getTime()
    const took = performance.now() - began
    this.#checkSkew(processTime + took / 2 - now, took)
    for (const { identifier, last_execution } of await resetFutureEntries(db, this.#items, new Date(now))) {
      metrics?.scheduleResets.inc()
      onWarning('A schedule entry was in the future and has been reset to now.', { identifier, last_execution })
    }
    const due = findDueItems(this.#items, this.#handled ?? now, now)
    if (due.length > 0) await queueDueItems(db, due)
    this.#handled = now
    return Math.min(CHECK_INTERVAL_MS, MINUTE_MS - (now % MINUTE_MS) + 1)
  }

  #checkSkew(skew: number, took: number): void {
    const { metrics, onWarning } = this.#options
    metrics?.clockSkew.set(skew / 1000)
    if (Math.abs(skew) <= MAX_SKEW_MS + took) this.#warnedAt = Number.NEGATIVE_INFINITY
    else if (performance.now() - this.#warnedAt > WARNING_INTERVAL_MS) {
      this.#warnedAt = performance.now()
      onWarning("This process's clock and the database's clock differ. Check their time synchronization.", { skew_seconds: skew / 1000 })
    }
  }
}

/** Runs the scheduler every few seconds and at the start of every minute, until disposed. */
export const startScheduler = async (scheduler: Scheduler, onError: (error: unknown, what: string) => void): Promise<AsyncDisposable> => {
  const stopping = new AbortController()
  const runOnce = () =>
    scheduler.runOnce().catch((error) => {
      onError(error, 'scheduler')
      return CHECK_INTERVAL_MS
    })
  const run = async (first: number) => {
    for (let wait = first; !stopping.signal.aborted; wait = await runOnce())
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {})
  }
  const running = run(await runOnce())
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
    },
  }
}

interface DueItem {
  readonly item: ParsedCronItem
  readonly minute: number
}

/** The items due in the minutes after `handled` up to `now`. An item due in several of them is returned once, for the last minute. */
export const findDueItems = (items: readonly ParsedCronItem[], handled: number, now: number): DueItem[] => {
  const last = now - (now % MINUTE_MS)
  const first = Math.max(handled - (handled % MINUTE_MS) + MINUTE_MS, last - CATCH_UP_MS)
  return items.flatMap((item) => {
    for (let minute = last; minute >= first; minute -= MINUTE_MS) if (item.match(toCronDigest(minute))) return [{ item, minute }]
    return []
  })
}

const toCronDigest = (time: number) => {
  const at = new Date(time)
  return { min: at.getUTCMinutes(), hour: at.getUTCHours(), date: at.getUTCDate(), month: at.getUTCMonth() + 1, dow: at.getUTCDay() }
}

/** Only the instance that updates `last_execution` queues the task. A task still waiting from an earlier minute is not queued again. */
const queueDueItems = async (db: Db, due: readonly DueItem[]): Promise<void> => {
  const entries = due.map(({ item: { identifier, task, options }, minute }) => ({
    identifier,
    task,
    minute: new Date(minute),
    queue: options.queueName,
    max_attempts: options.maxAttempts,
  }))
  await sql`
    with due as (
      select * from json_to_recordset(${JSON.stringify(entries)}::text::json)
        as x(identifier text, task text, minute timestamptz, queue text, max_attempts int)
    ), taken as (
      insert into graphile_worker._private_known_crontabs as k (identifier, known_since, last_execution)
      select identifier, minute, minute from due
      on conflict (identifier) do update set last_execution = excluded.last_execution
      where k.last_execution is null or k.last_execution < excluded.last_execution
      returning k.identifier
    )
    select graphile_worker.add_job(
      identifier => due.task, payload => json_build_object('_cron', json_build_object('ts', due.minute)), queue_name => due.queue, run_at => due.minute,
      max_attempts => due.max_attempts, job_key => 'clock ' || due.identifier, job_key_mode => 'preserve_run_at')
    from due join taken on taken.identifier = due.identifier
  `.execute(db)
}

interface Reset {
  readonly identifier: string
  readonly last_execution: string
}

/**
 * Resets entries that are in the future of the database's clock to the current minute, so that the next minute runs and none runs twice. Tasks
 * queued for that future are deleted and queued again when due. Entries less than a minute ahead need no reset.
 */
const resetFutureEntries = async (db: Db, items: readonly ParsedCronItem[], now: Date): Promise<Reset[]> => {
  const future = sql`${now}::timestamptz + interval '1 minute'`
  const { rows } = await sql<Reset>`
    with ahead as (
      select identifier, last_execution from graphile_worker._private_known_crontabs
      where last_execution > ${future} for update
    ), reset as (
      update graphile_worker._private_known_crontabs k set last_execution = date_trunc('minute', ${now}::timestamptz) from ahead a
      where k.identifier = a.identifier
    ), dropped as (
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where exists (select from ahead) and t.id = j.task_id and t.identifier = any(${items.map(({ task }) => task)}::text[])
        and j.payload -> '_cron' is not null and j.attempts = 0 and j.locked_at is null and j.run_at > ${future}
    )
    select * from ahead
  `.execute(db)
  return rows
}
