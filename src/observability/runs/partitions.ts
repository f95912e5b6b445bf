import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { addTask } from '../../platform/queue/add-task.ts'
import { recordResults } from '../evaluation/record-results.ts'
import { formatFigure } from '../incidents/summary.ts'
import { deleteRuns } from '../measurements/measurement-rows.ts'
import { BatchSaver } from './batch-saver.ts'
import { type MeasuredValue, measure } from './measure.ts'
import { findMetricQueries } from './metric-queries.ts'
import { recordFinishedRuns } from './run-jobs.ts'

/**
 * Runs are queued in partitions. A source has two of them, and each is processed by one worker at a time across all instances, so monitors
 * never overload a source. A worker processes some runs of a partition and then requeues it, so that other sources are not delayed.
 */
export const RUN_PARTITION_TASK = 'work_monitors'
const PARTITIONS_PER_SOURCE = 2 // processed concurrently for each source
const BATCH_SIZE = 200
const MAX_TURN_MS = 20_000
const MAX_MEASURING_MS = 300_000

/** All monitors of a table are in the same partition, so that they can be combined into one statement. */
export const getPartition = (integration: string | null, relation: string): string =>
  `${integration ?? 'none'} ${Number.parseInt(relation.slice(-4), 16) % PARTITIONS_PER_SOURCE}`

/** Called in the transaction that adds the runs. A partition that is already queued keeps its position. */
export const queuePartitions = async (db: Db, partitions: Iterable<string>): Promise<void> => {
  for (const partition of new Set(partitions))
    await addTask(
      db,
      RUN_PARTITION_TASK,
      { lane: partition },
      { key: `${RUN_PARTITION_TASK} ${partition}`, queue: `monitors ${partition}`, maxAttempts: 10, keepsPlace: true },
    )
}

interface QueuedRun {
  readonly id: string
  readonly monitor: string
  readonly job: string | null
  readonly due_at: string
}

const findRuns = async (ctx: Context, partition: string): Promise<QueuedRun[]> => {
  const { rows } = await sql<QueuedRun>`
    select w.id, w.monitor, w.job, w.due_at from monitor_runs w where w.partition = ${partition}
    order by w.job is null, w.due_at, w.relation, w.id limit ${sql.lit(BATCH_SIZE)}
  `.execute(ctx.db)
  return rows
}

export const runPartition = async (outer: Context, { lane: partition }: { lane: string }): Promise<void> => {
  const ctx: Context = { ...outer, actor: SYSTEM }
  const runs = await findRuns(ctx, partition)
  if (runs.length > 0) await processRuns(ctx, runs)
  if (runs.length > 0 && (await findRuns(ctx, partition)).length > 0) await queuePartitions(ctx.db, [partition])
}

/** A monitor that is both due and requested by a user is measured once; both runs get the result. */
const processRuns = async (ctx: Context, runs: readonly QueuedRun[]): Promise<void> => {
  const startedAt = performance.now()
  const now = () => new Date(ctx.now.getTime() + (performance.now() - startedAt))
  const byMonitor = Map.groupBy(runs, ({ monitor }) => monitor)
  const queries = await findMetricQueries(ctx, [...byMonitor.keys()])
  const orphaned = runs.filter(({ monitor }) => !queries.has(monitor)) // the target was deleted
  if (orphaned.length > 0) {
    await deleteRuns(
      ctx,
      orphaned.map(({ id }) => id),
    )
    await recordFinishedRuns(
      ctx,
      orphaned.map(({ job }) => ({ job, line: 'A monitor was skipped because its target was deleted.' })),
    )
  }
  // Results measured while earlier ones are being saved are saved as one batch, so that a slow database does not delay the next measurement.
  const saver = new BatchSaver<MeasuredAt>((results) => saveMeasured({ ...ctx, now: now() }, byMonitor, results))
  const onMeasured = async (measured: readonly MeasuredValue[]): Promise<boolean> => {
    const at = now()
    saver.add(measured.map((each) => ({ ...each, at })))
    for (const { query, outcome } of measured) observeRun(ctx, byMonitor.get(query.id) ?? [], outcome, at)
    return performance.now() - startedAt < MAX_TURN_MS
  }
  try {
    // A table may have moved to another source since its run was queued.
    for (const [integration, some] of Map.groupBy(queries.values(), (each) => each.integration))
      await measure(ctx, integration, some, AbortSignal.timeout(MAX_MEASURING_MS), onMeasured)
  } finally {
    await saver.finish()
  }
}

const observeRun = (ctx: Context, runs: readonly QueuedRun[], outcome: MeasuredValue['outcome'], at: Date): void => {
  const { monitorRuns, monitorDelay } = ctx.runtime.backgroundMetrics
  monitorRuns.inc({ result: 'error' in outcome ? 'error' : 'measured' })
  for (const { job, due_at } of runs) if (job === null) monitorDelay.observe(Math.max(0, at.getTime() - Date.parse(due_at)) / 1000)
}

interface MeasuredAt extends MeasuredValue {
  readonly at: Date
}

const saveMeasured = async (
  ctx: Context,
  byMonitor: ReadonlyMap<string, readonly QueuedRun[]>,
  measured: readonly MeasuredAt[],
): Promise<void> => {
  const runs = measured.flatMap(({ query, outcome }) => (byMonitor.get(query.id) ?? []).map((run) => ({ run, query, outcome })))
  const results = measured.flatMap(({ query, outcome, at }) => {
    const [first] = byMonitor.get(query.id) ?? []
    return first ? [{ monitor: query.id, at, outcome, origin: 'run' as const, run: first.id }] : []
  })
  const duplicateRuns = runs.filter(({ run, query }) => byMonitor.get(query.id)?.[0] !== run)
  const saved = new Map((await recordResults(ctx, results)).map((row) => [row.monitor, row]))
  await deleteRuns(
    ctx,
    duplicateRuns.map(({ run }) => run.id),
  )
  await recordFinishedRuns(
    ctx,
    runs.map(({ run, query, outcome }) => ({ job: run.job, line: describeResult(query.name, outcome, saved.get(query.id)) })),
  )
}

const describeResult = (
  name: string,
  outcome: MeasuredValue['outcome'],
  saved: { lower_threshold: number | null; upper_threshold: number | null; outside: boolean } | undefined,
): string => {
  if ('error' in outcome) return `${name}: could not be measured. ${outcome.error}`
  const {
    lower_threshold: lower,
    upper_threshold: upper,
    outside,
  } = saved ?? { lower_threshold: null, upper_threshold: null, outside: false }
  const limits =
    lower === null && upper === null
      ? 'still learning the expected range'
      : `${outside ? 'outside' : 'within'} ${lower === null ? '…' : formatFigure(lower)} to ${upper === null ? '…' : formatFigure(upper)}`
  return `${name}: ${formatFigure(outcome.value)}, ${limits}.`
}
