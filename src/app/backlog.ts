import { sql } from 'kysely'
import type { Db } from '../platform/db/connect.ts'

/** What waits in the database: the same numbers in every process. */
export interface Backlog {
  readonly tasks: readonly WaitingTasks[]
  readonly deliveries: readonly WaitingDeliveries[]
  readonly monitor_runs: { readonly waiting: number; readonly oldest_seconds: number }
  /** Changes of health that are not stored yet. */
  readonly health_changes: number
}

export interface WaitingTasks {
  readonly task: string
  readonly ready: number
  readonly running: number
  /** For later: a retry, or a task with a time. */
  readonly scheduled: number
  /** Given up after all attempts. */
  readonly failed: number
  /** How long the first of the ready ones has been ready. */
  readonly oldest_seconds: number
}

interface WaitingDeliveries {
  readonly channel: string
  readonly pending: number
  readonly sending: number
  readonly oldest_seconds: number
}

export const readBacklog = async (db: Db): Promise<Backlog> => {
  const [tasks, deliveries, runs, health_changes] = await Promise.all([
    readTasks(db),
    readDeliveries(db),
    readMonitorRuns(db),
    countHealthChanges(db),
  ])
  return { tasks, deliveries, monitor_runs: runs, health_changes }
}

const ageSql = (column: string, condition = sql`true`) =>
  sql`coalesce(extract(epoch from clock_timestamp() - min(${sql.ref(column)}) filter (where ${condition})), 0)::float8`

const readTasks = async (db: Db): Promise<WaitingTasks[]> => {
  const ready = sql`j.is_available and j.run_at <= clock_timestamp()`
  const { rows } = await sql<WaitingTasks>`
    select t.identifier as task, count(*) filter (where ${ready})::int as ready, count(*) filter (where j.locked_at is not null)::int as running,
      count(*) filter (where j.is_available and j.run_at > clock_timestamp())::int as scheduled,
      count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts)::int as failed, ${ageSql('j.run_at', ready)} as oldest_seconds
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id group by t.identifier`.execute(db)
  return rows
}

const readDeliveries = async (db: Db): Promise<WaitingDeliveries[]> => {
  const { rows } = await sql<WaitingDeliveries>`
    select d.channel, count(*) filter (where d.status = 'pending')::int as pending, count(*) filter (where d.status = 'sending')::int as sending,
      ${ageSql('d.due_at', sql`d.status = 'pending' and d.due_at <= clock_timestamp()`)} as oldest_seconds
    from deliveries d where d.status in ('pending', 'sending') group by d.channel`.execute(db)
  return rows
}

/** Runs that are queued, and monitors that are due and not queued yet. */
const readMonitorRuns = async (db: Db): Promise<Backlog['monitor_runs']> => {
  const { rows } = await sql<Backlog['monitor_runs']>`
    select count(*)::int as waiting, ${ageSql('w.due_at')} as oldest_seconds from (
      select due_at from monitor_runs union all select next_run_at from monitors where next_run_at <= clock_timestamp()
    ) w`.execute(db)
  return rows[0]!
}

const countHealthChanges = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from changed_health`.execute(db)
  return rows[0]!.waiting
}
