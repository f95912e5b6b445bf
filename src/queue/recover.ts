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

/**
 * Gives the tasks of silent workers back to the queue. Answers with who was silent.
 * Each comes back under a new ID: a worker that lives after all would otherwise end the task of whoever has it now, and graphile-worker
 * frees a named queue only with the task that holds it, so that queue would stand still for hours.
 */
export const recoverTasks = async (db: Db, { silentMs } = TIMING): Promise<string[]> => {
  const silence = sql`make_interval(secs => ${silentMs / 1000})`
  const { rows } = await sql<{ worker_id: string }>`
    with silent as (
      select distinct j.locked_by as worker_id from graphile_worker._private_jobs j
      where j.locked_by is not null and j.locked_at < clock_timestamp() - ${silence}
        and not exists (select from worker_beats b where b.worker_id = j.locked_by and b.at > clock_timestamp() - ${silence})
    ), tasks as (
      update graphile_worker._private_jobs j set id = default, locked_by = null, locked_at = null from silent s where j.locked_by = s.worker_id
    ), queues as (
      update graphile_worker._private_job_queues q set locked_by = null, locked_at = null from silent s where q.locked_by = s.worker_id
    )
    select worker_id from silent
  `.execute(db)
  await sql`delete from worker_beats where at < clock_timestamp() - interval '1 hour'`.execute(db)
  return rows.map(({ worker_id }) => worker_id)
}
