import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { getTraceparent } from '../tracing/spans.ts'

export interface TaskOptions {
  /** Tasks with the same key are one task: a later one replaces an earlier one that has not started. */
  readonly key?: string
  readonly runAt?: Date
  readonly maxAttempts?: number
  /** Tasks in one named queue run one after the other. */
  readonly queue?: string
  /** A task that replaces another keeps its scheduled time. */
  readonly keepsPlace?: boolean
}

/** Queues background work in the caller's transaction: it is queued exactly if the change is committed. */
export const addTask = async (
  db: Db,
  name: string,
  payload: object,
  { key, runAt, maxAttempts = 10, queue, keepsPlace }: TaskOptions = {},
): Promise<void> => {
  const traceparent = getTraceparent()
  const stored = traceparent ? { ...payload, _traceparent: traceparent } : payload // its run continues the trace
  await sql`
    select graphile_worker.add_job(
      identifier => ${name}, payload => ${JSON.stringify(stored)}::text::json, queue_name => ${queue ?? null},
      run_at => ${runAt ?? null}::timestamptz, max_attempts => ${maxAttempts}::int, job_key => ${key ?? null},
      job_key_mode => ${keepsPlace ? 'preserve_run_at' : 'replace'})
  `.execute(db)
}
