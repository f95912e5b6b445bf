import { sql } from 'kysely'
import { SYSTEM } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { Refusal } from '../errors.ts'
import { newId } from '../id.ts'
import { CONNECTORS } from '../integrations/connectors/all.ts'
import type { Rows } from '../integrations/connectors/connector.ts'
import { mustBeAffordable } from '../integrations/estimate.ts'
import { withSource } from '../integrations/open.ts'
import { addTask } from '../queue/add-task.ts'
import { partsOf } from '../sync/item.ts'
import { metaOf } from './learn.ts'
import { beginAnew, insertMeasurements, type MeasurementRow } from './measurement-store.ts'
import { HISTORY_METRICS, historyStatements, noPastOf, type Point } from './past.ts'
import { findQuestions, type Question } from './questions.ts'
import { nextRun, type Schedule } from './schedule.ts'
import { findColumns, lockMonitors, type MonitorRow, type TargetRow } from './store.ts'
import { createThresholds, THRESHOLDS_VERSION } from './thresholds.ts'
import { guessCreated } from './timestamp-column.ts'

/** Backfill: computes what a new monitor would have measured earlier from the rows that exist now. */
export const BACK_FILL_TASK = 'back_fill_monitor'
const STATEMENT_MS = 120_000

export const queueBackFill = async (ctx: Context, row: MonitorRow, { integration_type }: TargetRow): Promise<void> => {
  if (row.condition_auto_sensitivity === null || !HISTORY_METRICS.includes(row.metric_type)) return
  if (!CONNECTORS.get(integration_type ?? '')?.sql) return
  await addTask(ctx.db, BACK_FILL_TASK, { monitor: row.id }, { maxAttempts: 3, queue: 'monitors back fill' })
}

/** If the source is unavailable or the table has no timestamp column, the monitor learns from its own runs only. */
export const backFill = async (outer: Context, { monitor: id }: { monitor: string }): Promise<void> => {
  const ctx: Context = { ...outer, actor: SYSTEM }
  const question = (await findQuestions(ctx, [id])).get(id)
  if (!question) return
  const { points } = await countPast(ctx, question, STATEMENT_MS)
  if (points.length > 0) await keepPast(ctx, id, points)
}

export interface Past {
  readonly points: readonly Point[]
  /** Why there are no points. */
  readonly problem?: string
}

/** Computes earlier values, or says why that is impossible. */
export const countPast = async (ctx: Context, question: Question, timeout_ms: number): Promise<Past> => {
  if (question.problem !== undefined) return { points: [], problem: question.problem }
  const timestamp = question.timestamp_column ?? (await findTimestamp(ctx, question.relation))
  return ask(ctx, question, timestamp, timeout_ms).catch((error) => {
    if (error instanceof Refusal) return { points: [], problem: error.message }
    throw error
  })
}

/** Returns the column's name in the source, which may differ from its title. */
const findTimestamp = async (ctx: Context, table: string): Promise<string | undefined> => {
  const columns = await findColumns(ctx, table)
  const guessed = guessCreated(columns)
  const key = columns.find(({ title }) => title === guessed)?.key
  return key ? partsOf(key)?.at(-1) : undefined
}

const HOUR_MS = 3_600_000

const ask = (ctx: Context, question: Question, timestamp: string | undefined, timeout_ms: number): Promise<Past> =>
  withSource(ctx, question.integration, AbortSignal.timeout(2 * timeout_ms), async (source) => {
    const problem = noPastOf(source.words, question)
    if (problem !== undefined) return { points: [], problem }
    if (timestamp === undefined) return { points: [], problem: 'No timestamp column could be detected in this table.' }
    const { frequency, schedule } = question.monitor
    const last_run = nextRun(schedule as Schedule, ctx.now).getTime() - frequency * HOUR_MS
    const { statements, max_rows, read } = historyStatements(source.words, question, timestamp, {
      frequency,
      last_run: new Date(last_run),
      hours_ago: (ctx.now.getTime() - last_run) / HOUR_MS,
    })
    await mustBeAffordable(source, statements[0]!, { rows: question.rows })
    const answers: Rows['rows'][] = []
    for (const statement of statements) answers.push((await source.ask(statement, { timeout_ms, max_rows })).rows)
    const points = read(answers)
    return points.length > 0 ? { points } : { points, problem: 'Too few rows have a timestamp.' }
  })

/** Saves the points with the limits that would have applied, so that charts show them like other measurements. They open no incidents. */
const keepPast = (ctx: Context, id: string, points: readonly Point[]): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const monitor = (await lockMonitors(ctx, [id])).get(id)
    if (!monitor) return
    const { rows } = await sql<{ first: string | null }>`
      select min(s.measured_at) as first from monitor_measurements s where s.monitor = ${id}
    `.execute(ctx.db)
    const first = rows[0]!.first === null ? Number.POSITIVE_INFINITY : Date.parse(rows[0]!.first)
    const thresholds = createThresholds(metaOf(monitor))
    const measurements: MeasurementRow[] = []
    for (const { at, value, row_count } of points) {
      if (at.getTime() >= first) break
      const run = row_count === undefined ? {} : { row_count }
      const limits = thresholds.predict(at, run)
      thresholds.observe(at, value, run)
      measurements.push({
        id: newId(),
        monitor: id,
        measured_at: at.toISOString(),
        updated_at: ctx.now.toISOString(),
        value,
        row_count: row_count ?? null,
        lower_threshold: limits?.lower ?? null,
        upper_threshold: limits?.upper ?? null,
        explanation: limits?.explanation ?? null,
        outside: limits !== undefined && (value < limits.lower || value > limits.upper),
        origin: 'history',
        marked: null,
        incident: null,
        thresholds_version: limits ? THRESHOLDS_VERSION : null,
      })
    }
    await insertMeasurements(ctx, measurements)
    await beginAnew(ctx, id)
  })
