import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { assertWithinRowLimit } from '../../sources/integrations/estimate.ts'
import { type ConnectedSource, withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { getMetricType } from '../monitor-model/metric-types.ts'
import type { MetricQuery } from './metric-queries.ts'
import {
  buildCombinedStatement,
  buildSeparateStatement,
  type MetricOutcome,
  parseCustomResult,
  parseSeparateResult,
  SEPARATE_METRICS,
} from './metric-sql.ts'
import { countSchemaChanges } from './schema-metric.ts'

const STATEMENT_MS = 60_000
const MAX_COMBINED = 100 // monitors combined into one statement

export interface MeasuredValue {
  readonly query: MetricQuery
  readonly outcome: MetricOutcome
}

/**
 * Measures these monitors at one source, table by table, and passes the results to the callback after each statement; the callback returns
 * whether to continue. Read-only, outside any transaction. A failed measurement is also a result.
 */
export const measure = async (
  ctx: Context,
  integration: string | null,
  queries: readonly MetricQuery[],
  signal: AbortSignal,
  onMeasured: (measured: readonly MeasuredValue[]) => Promise<boolean>,
): Promise<void> => {
  const reportedIds = new Set<string>()
  const report = (measured: readonly MeasuredValue[]): Promise<boolean> => {
    for (const { query } of measured) reportedIds.add(query.id)
    return onMeasured(measured)
  }
  const broken = queries.filter(({ problem }) => problem !== undefined)
  if (broken.length > 0 && !(await report(broken.map((query) => ({ query, outcome: { error: query.problem! } }))))) return
  const fromCatalog = queries.filter(({ problem, metric_type }) => problem === undefined && getMetricType(metric_type).from_catalog)
  if (fromCatalog.length > 0 && !(await report(await countSchemaChanges(ctx, fromCatalog)))) return
  let left = queries.filter(({ problem, id }) => problem === undefined && !reportedIds.has(id))
  // A connection that failed is not used again: the remaining monitors are measured one by one through a new connection.
  for (let oneByOne = false; left.length > 0; oneByOne = true) {
    try {
      const shouldContinue = await withSourceConnection(ctx, integration, signal, (source) => measureGroups(source, left, oneByOne, report))
      if (!shouldContinue) return
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The source could not be queried at all.
      await report(left.filter(({ id }) => !reportedIds.has(id)).map((query) => ({ query, outcome: { error: error.message } })))
      return
    }
    left = left.filter(({ id }) => !reportedIds.has(id))
  }
}

/** Returns whether to continue. A combined statement that failed reports nothing, because any one of its monitors may be the cause. */
const measureGroups = async (
  source: ConnectedSource,
  queries: readonly MetricQuery[],
  oneByOne: boolean,
  report: (measured: readonly MeasuredValue[]) => Promise<boolean>,
): Promise<boolean> => {
  for (const some of groupQueries(source.dialect, queries, oneByOne)) {
    const measured = await measureGroup(source, some).catch((error: Error): MeasuredValue[] => {
      // A combined statement that timed out is not repeated one by one, which would take even longer.
      if (some.length > 1 && !TIMEOUT_ERROR.test(error.message)) return []
      return some.map((query) => ({ query, outcome: { error: error.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed() } }))
    })
    if (measured.length > 0 && !(await report(measured))) return false
  }
  return true
}

const TIMEOUT_ERROR = /took too long|timed out|was stopped|was cancelled/i
const MAX_MESSAGE_LENGTH = 2000

const groupQueries = (dialect: string, queries: readonly MetricQuery[], oneByOne: boolean): MetricQuery[][] => {
  const keyOf = (each: MetricQuery) => {
    if (oneByOne || each.metric_type === 'custom_sql' || SEPARATE_METRICS.includes(each.metric_type) || hasChangedDialect(dialect, each))
      return each.id
    // In a large table each condition gets its own statement, so that the source can skip the other rows.
    return each.large ? `${each.relation} ${each.where ?? ''}` : each.relation
  }
  return [...Map.groupBy(queries, keyOf).values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / MAX_COMBINED) }, (_, i) => all.slice(i * MAX_COMBINED, (i + 1) * MAX_COMBINED)),
  )
}

/** The type of the integration has changed since the custom SQL was checked, so it was checked for another dialect. */
const hasChangedDialect = (dialect: string, query: MetricQuery): boolean => query.dialect !== undefined && query.dialect !== dialect

const measureGroup = async (source: ConnectedSource, queries: readonly MetricQuery[]): Promise<MeasuredValue[]> => {
  const { dialectSql, dialect, query } = source
  const [first] = queries
  if (hasChangedDialect(dialect, first!))
    return [{ query: first!, outcome: { error: 'The type of the integration has changed. Run the monitor again.' } }]
  if (first!.metric_type === 'custom_sql') {
    const select = first!.query_select ?? ''
    await assertWithinRowLimit(source, select, { rows: null })
    const { rows, truncated } = await query(select, { timeout_ms: STATEMENT_MS, max_rows: 1 })
    return [{ query: first!, outcome: parseCustomResult(rows, truncated) }]
  }
  if (SEPARATE_METRICS.includes(first!.metric_type)) {
    const select = buildSeparateStatement(dialectSql, first!.path, first!)
    await assertWithinRowLimit(source, select, { rows: first!.rows })
    const { rows } = await query(select, { timeout_ms: STATEMENT_MS, max_rows: 1 })
    return [{ query: first!, outcome: parseSeparateResult(rows) }]
  }
  const statement = buildCombinedStatement(dialectSql, first!.path, queries)
  const counts = queries.every(({ metric_type, where }) => metric_type === 'row_count' && where === undefined)
  await assertWithinRowLimit(source, statement.sql, { rows: first!.rows, counts })
  const { rows } = await query(statement.sql, { timeout_ms: STATEMENT_MS, max_rows: 1 })
  const outcomes = statement.read(rows[0] ?? [])
  return queries.map((query) => ({ query, outcome: outcomes.get(query.id)! }))
}
