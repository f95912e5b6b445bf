import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** A task whose worker died stays locked for hours in graphile-worker; ours tell every few seconds that they live, and the silent ones lose their tasks. */
export const BEAT_EVERY_MS = 10_000
const SILENT_SECONDS = 60

export const beat = async (db: Db, workers: readonly string[]): Promise<void> => {
  if (workers.length === 0) return
  await sql`
    insert into worker_beats (worker_id, at) select w, clock_timestamp() from unnest(${workers}::text[]) w
    on conflict (worker_id) do update set at = excluded.at
  `.execute(db)
}

/** Gives the tasks of silent workers back to the queue. Answers with who was silent. */
export const recoverTasks = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ worker_id: string }>`
    select distinct j.locked_by as worker_id from graphile_worker._private_jobs j
    where j.locked_by is not null and j.locked_at < clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})
      and not exists (select from worker_beats b where b.worker_id = j.locked_by and b.at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}))
  `.execute(db)
  const silent = rows.map(({ worker_id }) => worker_id)
  if (silent.length > 0) await sql`select graphile_worker.force_unlock_workers(${silent}::text[])`.execute(db)
  await sql`delete from worker_beats where at < clock_timestamp() - interval '1 hour'`.execute(db)
  return silent
}
