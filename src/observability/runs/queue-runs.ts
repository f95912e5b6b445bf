import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { findSqlDialect } from '../../sources/integrations/sql-dialect.ts'
import { getMetricType } from '../monitor-model/metric-types.ts'
import type { MonitorWithTarget, TargetRow } from '../monitor-model/monitor-rows.ts'
import { computeNextRun, type Schedule } from '../monitor-model/schedule.ts'
import { getPartition, queuePartitions } from './partitions.ts'
import { finishAbandonedJobs } from './run-jobs.ts'

const BATCH_SIZE = 1000

interface DueMonitor {
  readonly id: string
  readonly next_run_at: string
  readonly schedule: Schedule
  readonly relation: string | null
  readonly integration: string | null
}

/**
 * Called every minute: queues the runs that are due. Several schedulers may do this at the same time; `skip locked` and the update of
 * `next_run_at` in the same transaction make sure each due time is queued once. Several missed runs are caught up by a single run.
 */
export const queueDueRuns = async (ctx: Context): Promise<void> => {
  while ((await inTransaction(ctx, queueDueBatch)) === BATCH_SIZE) {}
  await inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ partition: string }>`
      select distinct w.partition from monitor_runs w where w.due_at < ${ctx.now}::timestamptz - interval '2 minutes'
    `.execute(ctx.db)
    // A partition's task may have failed for good. Queueing it again makes sure its waiting runs are processed.
    await queuePartitions(
      ctx.db,
      rows.map(({ partition }) => partition),
    )
  })
  await finishAbandonedJobs(ctx)
}

const queueDueBatch = async (ctx: Context): Promise<number> => {
  const { rows } = await sql<DueMonitor>`
    select m.id, m.next_run_at, m.schedule, case when r.entity_type = 'column' then coalesce(r.parent, r.id) else r.id end as relation, r.integration
    from monitors m left join resources r on r.id = m.target
    where m.next_run_at <= ${ctx.now}::timestamptz order by m.next_run_at, m.id limit ${sql.lit(BATCH_SIZE)} for no key update of m skip locked
  `.execute(ctx.db)
  if (rows.length === 0) return 0
  const nextRuns = new Map<string, Date>() // by schedule: many monitors share one
  const moved = rows.map(({ id, schedule }) => {
    const key = JSON.stringify(schedule)
    const next_run_at = nextRuns.get(key) ?? computeNextRun(schedule, ctx.now)
    nextRuns.set(key, next_run_at)
    return { id, next_run_at }
  })
  await sql`
    update monitors m set next_run_at = x.next_run_at from json_to_recordset(${JSON.stringify(moved)}::text::json) as x(id uuid, next_run_at timestamptz)
    where m.id = x.id
  `.execute(ctx.db)
  // A monitor whose target is in the trash has nothing to measure until the target is restored.
  const runs = rows.flatMap(({ id, next_run_at, relation, integration }) =>
    relation ? [{ id: newId(), monitor: id, due_at: next_run_at, partition: getPartition(integration, relation), relation }] : [],
  )
  await queueRuns(ctx, runs)
  return rows.length
}

export interface NewRun {
  readonly id: string
  readonly monitor: string
  readonly due_at: string
  readonly partition: string
  readonly relation: string
  readonly job?: string
}

export const createRun = (ctx: Context, { id, of }: Pick<MonitorWithTarget, 'id' | 'of'>): NewRun => {
  const relation = of.entity_type === 'column' && of.parent ? of.parent : of.id
  return { id: newId(), monitor: id, due_at: ctx.now.toISOString(), partition: getPartition(of.integration, relation), relation }
}

/** Whether Tablinum measures the values, with SQL or from its catalog; other values are pushed. */
export const isMeasuredHere = ({ metric_type }: Pick<MonitorWithTarget, 'metric_type'>, target: TargetRow): boolean => {
  const { pushed, from_catalog } = getMetricType(metric_type)
  return !pushed && (from_catalog === true || findSqlDialect(target) !== undefined)
}

/** A monitor that already has a waiting run does not get a second one. */
export const queueRuns = async (ctx: Context, runs: readonly NewRun[]): Promise<void> => {
  if (runs.length === 0) return
  await sql`
    insert into monitor_runs (id, monitor, due_at, partition, relation, job)
    select * from json_to_recordset(${JSON.stringify(runs)}::text::json) as x(id uuid, monitor uuid, due_at timestamptz, partition text, relation uuid, job uuid)
    on conflict do nothing
  `.execute(ctx.db)
  await queuePartitions(
    ctx.db,
    runs.map(({ partition }) => partition),
  )
}
