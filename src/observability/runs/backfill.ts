import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { addTask } from '../../platform/queue/add-task.ts'
import type { SourceRows } from '../../sources/connectors/shared/connector.ts'
import { assertWithinRowLimit } from '../../sources/integrations/estimate.ts'
import { findSqlDialect } from '../../sources/integrations/sql-dialect.ts'
import { withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { splitItemKey } from '../../sources/sync/item.ts'
import { toThresholdsMeta } from '../evaluation/models.ts'
import { insertMeasurements, type MeasurementRow, resetHistory } from '../measurements/measurement-rows.ts'
import { findTargetColumns, lockMonitors, type MonitorRow, type TargetRow } from '../monitor-model/monitor-rows.ts'
import { computeLastRun, type Schedule } from '../monitor-model/schedule.ts'
import { guessCreatedColumn } from '../monitor-model/timestamp-column.ts'
import { createThresholds, THRESHOLDS_VERSION } from '../thresholds/thresholds.ts'
import { BACKFILL_METRICS, type BackfillPoint, buildBackfillStatements, findBackfillObstacle } from './backfill-sql.ts'
import { findMetricQueries, type MetricQuery } from './metric-queries.ts'

/** Backfill: computes what a new monitor would have measured earlier from the rows that exist now. */
export const BACKFILL_TASK = 'back_fill_monitor'
const STATEMENT_MS = 120_000

export const queueBackfill = async (ctx: Context, row: MonitorRow, target: TargetRow): Promise<void> => {
  if (row.condition_auto_sensitivity === null || !BACKFILL_METRICS.includes(row.metric_type)) return
  if (!findSqlDialect(target)) return
  await addTask(ctx.db, BACKFILL_TASK, { monitor: row.id }, { maxAttempts: 3, queue: 'monitors back fill' })
}

/** If the source is unavailable or the table has no timestamp column, the monitor learns from its own runs only. */
export const backfillMonitor = async (outer: Context, { monitor: id }: { monitor: string }): Promise<void> => {
  const ctx: Context = { ...outer, actor: SYSTEM }
  const query = (await findMetricQueries(ctx, [id])).get(id)
  if (!query) return
  const { points } = await computeBackfill(ctx, query, STATEMENT_MS)
  if (points.length > 0) await saveBackfill(ctx, id, points)
}

export interface Backfill {
  readonly points: readonly BackfillPoint[]
  /** Why there are no points. */
  readonly problem?: string
}

/** Computes earlier values, or says why that is impossible. */
export const computeBackfill = async (ctx: Context, query: MetricQuery, timeout_ms: number): Promise<Backfill> => {
  if (query.problem !== undefined) return { points: [], problem: query.problem }
  const timestamp = query.timestamp_column ?? (await findTimestampColumn(ctx, query.relation))
  return queryBackfill(ctx, query, timestamp, timeout_ms).catch((error) => {
    if (error instanceof ApiError) return { points: [], problem: error.message }
    throw error
  })
}

/** Returns the column's name in the source, which may differ from its title. */
const findTimestampColumn = async (ctx: Context, table: string): Promise<string | undefined> => {
  const columns = await findTargetColumns(ctx, table)
  const guessed = guessCreatedColumn(columns)
  const key = columns.find(({ title }) => title === guessed)?.key
  return key ? splitItemKey(key)?.at(-1) : undefined
}

const HOUR_MS = 3_600_000

const queryBackfill = (ctx: Context, query: MetricQuery, timestamp: string | undefined, timeout_ms: number): Promise<Backfill> =>
  withSourceConnection(ctx, query.integration, AbortSignal.timeout(2 * timeout_ms), async (source) => {
    const problem = findBackfillObstacle(source.dialectSql, query)
    if (problem !== undefined) return { points: [], problem }
    if (timestamp === undefined) return { points: [], problem: 'No timestamp column could be detected in this table.' }
    const { frequency, schedule } = query.monitor
    const last_run = computeLastRun(schedule as Schedule, ctx.now)
    const { statements, max_rows, read } = buildBackfillStatements(source.dialectSql, query, timestamp, {
      frequency,
      last_run,
      hours_ago: (ctx.now.getTime() - last_run.getTime()) / HOUR_MS,
    })
    await assertWithinRowLimit(source, statements[0]!, { rows: query.rows })
    const results: SourceRows['rows'][] = []
    for (const statement of statements) results.push((await source.query(statement, { timeout_ms, max_rows })).rows)
    const points = read(results)
    return points.length > 0 ? { points } : { points, problem: 'Too few rows have a timestamp.' }
  })

/** Saves the points with the limits that would have applied, so that charts show them like other measurements. They open no incidents. */
const saveBackfill = (ctx: Context, id: string, points: readonly BackfillPoint[]): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const monitor = (await lockMonitors(ctx, [id])).get(id)
    if (!monitor) return
    const { rows } = await sql<{ first: string | null }>`
      select min(s.measured_at) as first from monitor_measurements s where s.monitor = ${id}
    `.execute(ctx.db)
    const first = rows[0]!.first === null ? Number.POSITIVE_INFINITY : Date.parse(rows[0]!.first)
    const thresholds = createThresholds(toThresholdsMeta(monitor))
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
    await resetHistory(ctx, id)
  })
