import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** A task whose worker died stays locked for hours in graphile-worker; ours tell every few seconds that they live, and the silent ones lose their tasks. */
export interface Timing {
  readonly beatEveryMs: number
  readonly silentMs: number
}
export const TIMING: Timing = { beatEveryMs: 5_000, silentMs: 30_000 }

/** Who was not heard for a while (the database away, a laptop asleep) does not judge the silence of others: they may only be a moment later. */
export class Pulse {
  readonly #timing: Timing
  #last: number
  #steadySince: number

  constructor(timing: Timing, now: number) {
    this.#timing = timing
    this.#last = now
    this.#steadySince = now
  }

  /** A beat arrived. Answers whether they came without a gap for as long as others must be silent to be dead. */
  beat(now: number): boolean {
    const { beatEveryMs, silentMs } = this.#timing
    if (now - this.#last > 3 * beatEveryMs) this.#steadySince = now
    this.#last = now
    return now - this.#steadySince > silentMs
  }
}

export const beat = async (db: Db, workers: readonly string[]): Promise<void> => {
  if (workers.length === 0) return
  await sql`
    insert into worker_beats (worker_id, at) select w, clock_timestamp() from unnest(${workers}::text[]) w
    on conflict (worker_id) do update set at = excluded.at
  `.execute(db)
}

/** What this process has: in whose names, and which tasks. Others in these names were taken for it as the database went away, and it never heard of them. */
export interface Held {
  readonly workers: readonly string[]
  readonly tasks: readonly string[]
}

/**
 * Gives the tasks of silent workers, and our own that nobody works on, back to the queue. Answers with who had them.
 * Each comes back under a new ID: a worker that lives after all would otherwise end the task of whoever has it now, and graphile-worker
 * frees a named queue only with the task that holds it, so that queue would stand still for hours.
 */
export const recoverTasks = async (db: Db, { silentMs } = TIMING, held: Held = { workers: [], tasks: [] }): Promise<string[]> => {
  const silence = sql`make_interval(secs => ${silentMs / 1000})`
  const { rows } = await sql<{ worker_id: string }>`
    with lost as (
      select j.id, j.job_queue_id, j.locked_by as worker_id from graphile_worker._private_jobs j
      where j.locked_by is not null and j.locked_at < clock_timestamp() - ${silence} and case
        when j.locked_by = any(${held.workers}::text[]) then j.id <> all(${held.tasks}::bigint[])
        else not exists (select from worker_beats b where b.worker_id = j.locked_by and b.at > clock_timestamp() - ${silence}) end
    ), tasks as (
      update graphile_worker._private_jobs j set id = default, locked_by = null, locked_at = null from lost l where j.id = l.id
    ), queues as (
      update graphile_worker._private_job_queues q set locked_by = null, locked_at = null from lost l
      where q.id = l.job_queue_id and q.locked_by = l.worker_id
    )
    select distinct worker_id from lost
  `.execute(db)
  await sql`delete from worker_beats where at < clock_timestamp() - interval '1 hour'`.execute(db)
  return rows.map(({ worker_id }) => worker_id)
}
