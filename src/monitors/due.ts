import { sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import { newId } from '../id.ts'
import { CONNECTORS } from '../integrations/connectors/all.ts'
import { finishForgottenJobs } from './jobs.ts'
import { laneOf, queueLanes } from './lanes.ts'
import { metricTypeOf } from './metric-types.ts'
import { nextRun, type Schedule } from './schedule.ts'
import type { SeenMonitor, TargetRow } from './store.ts'

const AT_ONCE = 1000

interface Due {
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
export const monitorsDue = async (ctx: Context): Promise<void> => {
  while ((await inTransaction(ctx, takeDue)) === AT_ONCE) {}
  await inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ lane: string }>`
      select distinct w.lane from monitor_runs w where w.due_at < ${ctx.now}::timestamptz - interval '2 minutes'
    `.execute(ctx.db)
    // A partition's task may have failed for good. Queueing it again makes sure its waiting runs are processed.
    await queueLanes(
      ctx.db,
      rows.map(({ lane }) => lane),
    )
  })
  await finishForgottenJobs(ctx)
}

const takeDue = async (ctx: Context): Promise<number> => {
  const { rows } = await sql<Due>`
    select m.id, m.next_run_at, m.schedule, case when r.entity_type = 'column' then coalesce(r.parent, r.id) else r.id end as relation, r.integration
    from monitors m left join resources r on r.id = m.target
    where m.next_run_at <= ${ctx.now}::timestamptz order by m.next_run_at, m.id limit ${sql.lit(AT_ONCE)} for no key update of m skip locked
  `.execute(ctx.db)
  if (rows.length === 0) return 0
  const moved = rows.map(({ id, schedule }) => ({ id, next_run_at: nextRun(schedule, ctx.now) }))
  await sql`
    update monitors m set next_run_at = x.next_run_at from json_to_recordset(${JSON.stringify(moved)}::text::json) as x(id uuid, next_run_at timestamptz)
    where m.id = x.id
  `.execute(ctx.db)
  // A monitor whose target is in the trash has nothing to measure until the target is restored.
  const runs = rows.flatMap(({ id, next_run_at, relation, integration }) =>
    relation ? [{ id: newId(), monitor: id, due_at: next_run_at, lane: laneOf(integration, relation), relation }] : [],
  )
  await addRuns(ctx, runs)
  return rows.length
}

export interface NewRun {
  readonly id: string
  readonly monitor: string
  readonly due_at: string
  readonly lane: string
  readonly relation: string
  readonly job?: string
}

export const runOf = (ctx: Context, { id, of }: Pick<SeenMonitor, 'id' | 'of'>): NewRun => {
  const relation = of.entity_type === 'column' && of.parent ? of.parent : of.id
  return { id: newId(), monitor: id, due_at: ctx.now.toISOString(), lane: laneOf(of.integration, relation), relation }
}

/** Whether Tablinum measures the values with SQL; other values are pushed. */
export const isRun = ({ metric_type }: Pick<SeenMonitor, 'metric_type'>, { integration_type }: TargetRow): boolean =>
  !metricTypeOf(metric_type).pushed && CONNECTORS.get(integration_type ?? '')?.sql !== undefined

/** A monitor that already has a waiting run does not get a second one. */
export const addRuns = async (ctx: Context, runs: readonly NewRun[]): Promise<void> => {
  if (runs.length === 0) return
  await sql`
    insert into monitor_runs (id, monitor, due_at, lane, relation, job)
    select * from json_to_recordset(${JSON.stringify(runs)}::text::json) as x(id uuid, monitor uuid, due_at timestamptz, lane text, relation uuid, job uuid)
    on conflict do nothing
  `.execute(ctx.db)
  await queueLanes(
    ctx.db,
    runs.map(({ lane }) => lane),
  )
}
