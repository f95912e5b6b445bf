import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** graphile-worker keeps the tasks of a dead worker locked for hours. Our workers write a heartbeat every few seconds, and workers without one lose their tasks. */
export interface HeartbeatTiming {
  readonly beatEveryMs: number
  readonly silentMs: number
}
export const HEARTBEAT_TIMING: HeartbeatTiming = { beatEveryMs: 5_000, silentMs: 30_000 }

/** After a gap in its own heartbeats (database unreachable, laptop asleep), a process does not judge others: they may just be a moment later. */
export class Heartbeat {
  readonly #timing: HeartbeatTiming
  #last: number
  #steadySince: number

  constructor(timing: HeartbeatTiming, now: number) {
    this.#timing = timing
    this.#last = now
    this.#steadySince = now
  }

  /** Records a heartbeat. Returns whether there was no gap for the time after which other workers are considered dead. */
  record(now: number): boolean {
    const { beatEveryMs, silentMs } = this.#timing
    if (now - this.#last > 3 * beatEveryMs) this.#steadySince = now
    this.#last = now
    return now - this.#steadySince > silentMs
  }
}

export const recordHeartbeat = async (db: Db, workers: readonly string[]): Promise<void> => {
  if (workers.length === 0) return
  await sql`
    insert into worker_heartbeats (worker_id, at) select w, clock_timestamp() from unnest(${workers}::text[]) w
    on conflict (worker_id) do update set at = excluded.at
  `.execute(db)
}

/** The workers and running tasks of this process. Other tasks locked by these workers were claimed while the connection was lost, and nobody runs them. */
export interface HeldTasks {
  readonly workers: readonly string[]
  readonly tasks: readonly string[]
}

/**
 * Returns the tasks of dead workers, and tasks of this process that nobody runs, to the queue. Returns the IDs of their workers.
 * Each task gets a new ID: a worker that is still alive would otherwise complete the task of its new owner, and graphile-worker
 * releases a named queue only with the task that holds it, so the queue would be blocked for hours.
 */
export const recoverTasks = async (
  db: Db,
  { silentMs } = HEARTBEAT_TIMING,
  held: HeldTasks = { workers: [], tasks: [] },
): Promise<string[]> => {
  const silence = sql`make_interval(secs => ${silentMs / 1000})`
  const { rows } = await sql<{ worker_id: string }>`
    with lost as (
      select j.id, j.job_queue_id, j.locked_by as worker_id from graphile_worker._private_jobs j
      where j.locked_by is not null and j.locked_at < clock_timestamp() - ${silence} and case
        when j.locked_by = any(${held.workers}::text[]) then j.id <> all(${held.tasks}::bigint[])
        else not exists (select from worker_heartbeats b where b.worker_id = j.locked_by and b.at > clock_timestamp() - ${silence}) end
    ), tasks as (
      update graphile_worker._private_jobs j set id = default, locked_by = null, locked_at = null from lost l where j.id = l.id
    ), queues as (
      update graphile_worker._private_job_queues q set locked_by = null, locked_at = null from lost l
      where q.id = l.job_queue_id and q.locked_by = l.worker_id
    )
    select distinct worker_id from lost
  `.execute(db)
  await sql`delete from worker_heartbeats where at < clock_timestamp() - interval '1 hour'`.execute(db)
  return rows.map(({ worker_id }) => worker_id)
}
