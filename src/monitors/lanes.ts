import { sql } from 'kysely'
import { SYSTEM } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/connect.ts'
import { addTask } from '../queue/add-task.ts'
import { noteRuns } from './jobs.ts'
import { keepResults } from './keep.ts'
import { type Measured, measure } from './measure.ts'
import { takeRuns } from './measurement-store.ts'
import { findQuestions } from './questions.ts'
import { Saver } from './saver.ts'
import { inFigures } from './summary.ts'

/**
 * Runs are queued in partitions. A source has two of them, and each is processed by one worker at a time across all instances, so monitors
 * never overload a source. A worker processes some runs of a partition and then requeues it, so that other sources are not delayed.
 */
export const LANE_TASK = 'work_monitors'
const LANES = 2 // processed concurrently for each source
const AT_ONCE = 200
const LONGEST_TURN_MS = 20_000
const LONGEST_MEASURING_MS = 300_000

/** All monitors of a table are in the same partition, so that they can be combined into one statement. */
export const laneOf = (integration: string | null, relation: string): string =>
  `${integration ?? 'none'} ${Number.parseInt(relation.slice(-4), 16) % LANES}`

/** Called in the transaction that adds the runs. A partition that is already queued keeps its position. */
export const queueLanes = async (db: Db, lanes: Iterable<string>): Promise<void> => {
  for (const lane of new Set(lanes))
    await addTask(db, LANE_TASK, { lane }, { key: `${LANE_TASK} ${lane}`, queue: `monitors ${lane}`, maxAttempts: 10, keepsPlace: true })
}

interface Run {
  readonly id: string
  readonly monitor: string
  readonly job: string | null
}

const findRuns = async (ctx: Context, lane: string): Promise<Run[]> => {
  const { rows } = await sql<Run>`
    select w.id, w.monitor, w.job from monitor_runs w where w.lane = ${lane}
    order by w.job is null, w.due_at, w.relation, w.id limit ${sql.lit(AT_ONCE)}
  `.execute(ctx.db)
  return rows
}

export const workLane = async (outer: Context, { lane }: { lane: string }): Promise<void> => {
  const ctx: Context = { ...outer, actor: SYSTEM }
  const runs = await findRuns(ctx, lane)
  if (runs.length > 0) await workRuns(ctx, runs)
  if (runs.length > 0 && (await findRuns(ctx, lane)).length > 0) await queueLanes(ctx.db, [lane])
}

/** A monitor that is both due and requested by a user is measured once; both runs get the result. */
const workRuns = async (ctx: Context, runs: readonly Run[]): Promise<void> => {
  const begun = performance.now()
  const now = () => new Date(ctx.now.getTime() + (performance.now() - begun))
  const byMonitor = Map.groupBy(runs, ({ monitor }) => monitor)
  const questions = await findQuestions(ctx, [...byMonitor.keys()])
  const gone = runs.filter(({ monitor }) => !questions.has(monitor)) // the target was deleted
  if (gone.length > 0) {
    await takeRuns(
      ctx,
      gone.map(({ id }) => id),
    )
    await noteRuns(
      ctx,
      gone.map(({ job }) => ({ job, line: 'A monitor was skipped because its target was deleted.' })),
    )
  }
  // Results measured while earlier ones are being saved are saved as one batch, so that a slow database does not delay the next measurement.
  const saver = new Saver<MeasuredAt>((results) => saveMeasured({ ...ctx, now: now() }, byMonitor, results))
  const tell = async (measured: readonly Measured[]): Promise<boolean> => {
    const at = now()
    saver.add(measured.map((each) => ({ ...each, at })))
    return performance.now() - begun < LONGEST_TURN_MS
  }
  try {
    // A table may have moved to another source since its run was queued.
    for (const [integration, some] of Map.groupBy(questions.values(), (each) => each.integration))
      await measure(ctx, integration, some, AbortSignal.timeout(LONGEST_MEASURING_MS), tell)
  } finally {
    await saver.finish()
  }
}

interface MeasuredAt extends Measured {
  readonly at: Date
}

const saveMeasured = async (
  ctx: Context,
  byMonitor: ReadonlyMap<string, readonly Run[]>,
  measured: readonly MeasuredAt[],
): Promise<void> => {
  const runs = measured.flatMap(({ question, outcome }) => (byMonitor.get(question.id) ?? []).map((run) => ({ run, question, outcome })))
  const results = measured.flatMap(({ question, outcome, at }) => {
    const [first] = byMonitor.get(question.id) ?? []
    return first ? [{ monitor: question.id, at, outcome, origin: 'run' as const, run: first.id }] : []
  })
  const more = runs.filter(({ run, question }) => byMonitor.get(question.id)?.[0] !== run)
  const kept = new Map((await keepResults(ctx, results)).map((row) => [row.monitor, row]))
  await takeRuns(
    ctx,
    more.map(({ run }) => run.id),
  )
  await noteRuns(
    ctx,
    runs.map(({ run, question, outcome }) => ({ job: run.job, line: lineOf(question.name, outcome, kept.get(question.id)) })),
  )
}

const lineOf = (
  name: string,
  outcome: Measured['outcome'],
  kept: { lower_threshold: number | null; upper_threshold: number | null; outside: boolean } | undefined,
): string => {
  if ('error' in outcome) return `${name}: could not be measured. ${outcome.error}`
  const {
    lower_threshold: lower,
    upper_threshold: upper,
    outside,
  } = kept ?? { lower_threshold: null, upper_threshold: null, outside: false }
  const limits =
    lower === null && upper === null
      ? 'still learning the expected range'
      : `${outside ? 'outside' : 'within'} ${lower === null ? '…' : inFigures(lower)} to ${upper === null ? '…' : inFigures(upper)}`
  return `${name}: ${inFigures(outcome.value)}, ${limits}.`
}
