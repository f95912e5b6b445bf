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
 * Runs wait in lanes. A source has a few of them, and each is worked off by one worker at a time over all instances, so monitors never
 * stampede a source. A worker takes some runs of a lane and then goes to the end of the queue: lanes of other sources have their turn.
 */
export const LANE_TASK = 'work_monitors'
const LANES = 2 // at once for each source
const AT_ONCE = 200
const LONGEST_TURN_MS = 20_000
const LONGEST_MEASURING_MS = 300_000

/** All monitors of a table are in the same lane: they can be folded. */
export const laneOf = (integration: string | null, relation: string): string =>
  `${integration ?? 'none'} ${Number.parseInt(relation.slice(-4), 16) % LANES}`

/** In the transaction that adds the runs. One that is waiting for its turn keeps its place. */
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

/** One that was asked for twice, by the clock and by somebody, is measured once and told to both. */
const workRuns = async (ctx: Context, runs: readonly Run[]): Promise<void> => {
  const begun = performance.now()
  const now = () => new Date(ctx.now.getTime() + (performance.now() - begun))
  const byMonitor = Map.groupBy(runs, ({ monitor }) => monitor)
  const questions = await findQuestions(ctx, [...byMonitor.keys()])
  const gone = runs.filter(({ monitor }) => !questions.has(monitor)) // with its target
  if (gone.length > 0) {
    await takeRuns(
      ctx,
      gone.map(({ id }) => id),
    )
    await noteRuns(
      ctx,
      gone.map(({ job }) => ({ job, line: 'A monitor went away with its target.' })),
    )
  }
  // What was measured while earlier results are being saved is saved together: a busy process or database delays the next measurement less.
  const saver = new Saver<MeasuredAt>((results) => saveMeasured({ ...ctx, now: now() }, byMonitor, results))
  const tell = async (measured: readonly Measured[]): Promise<boolean> => {
    const at = now()
    saver.add(measured.map((each) => ({ ...each, at })))
    return performance.now() - begun < LONGEST_TURN_MS
  }
  try {
    // A table may have gone to another source since its run came here.
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
      ? 'still learning what is usual'
      : `${outside ? 'outside' : 'within'} ${lower === null ? '…' : inFigures(lower)} to ${upper === null ? '…' : inFigures(upper)}`
  return `${name}: ${inFigures(outcome.value)}, ${limits}.`
}
