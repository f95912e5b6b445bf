import type { Context } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { getDialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { applyCondition } from '../monitor-model/condition.ts'
import { getMetricType, type MetricType } from '../monitor-model/metric-types.ts'
import { findMonitorByKey, findPartitionKey, findTargetColumns, type MonitorRow, type TargetRow } from '../monitor-model/monitor-rows.ts'
import { computeNextRun, parseSchedule, type Schedule, type ScheduleInput } from '../monitor-model/schedule.ts'
import type { MetricConfig, MonitorEdit } from '../monitor-model/schema.ts'
import { findPartitionColumn, guessTimestampColumn } from '../monitor-model/timestamp-column.ts'
import { findCustomSql, findCustomSqlProblem, findReference } from '../runs/metric-queries.ts'
import { findConfigProblem, normalizeConfig } from './metric-config.ts'

/** Applies an edit to a monitor and validates the result. */
export const applyMonitorEdit = async (ctx: Context, before: MonitorRow, of: TargetRow, edit: MonitorEdit): Promise<MonitorRow> => {
  const metric = getMetricType(before.metric_type)
  assertMetricFits(metric, of)
  const schedule = edit.schedule === undefined ? (before.schedule as Schedule) : requireSchedule(edit.schedule ?? {})
  const is_enabled = edit.is_enabled ?? before.is_enabled
  const keepsNextRun = before.next_run_at !== null && edit.schedule === undefined
  const draft: MonitorRow = {
    ...before,
    ...applyCondition(before, edit),
    key: edit.key === undefined ? before.key : edit.key,
    name: (edit.name ?? before.name).trim() || defaultMonitorName(metric, of),
    metric_config: await applyMetricConfig(ctx, metric, of, before.metric_config as MetricConfig, edit.metric_config),
    schedule,
    frequency: schedule.frequency,
    is_enabled,
    severity: edit.severity ?? before.severity,
    notify_slack_channel: edit.notify_slack_channel === undefined ? before.notify_slack_channel : edit.notify_slack_channel || null,
    next_run_at: !is_enabled || metric.pushed ? null : keepsNextRun ? before.next_run_at : computeNextRun(schedule, ctx.now).toISOString(),
  }
  await assertKeyAvailable(ctx, draft)
  return withStatementAuthor(ctx, before, draft)
}

/** The user who last changed the SQL becomes its author: it is checked with their permissions now and on every run. */
const withStatementAuthor = async (ctx: Context, before: MonitorRow, after: MonitorRow): Promise<MonitorRow> => {
  const [previous, current] = [findCustomSql(before), findCustomSql(after)]
  const [former, references] = [before, after].map(({ metric_config }) => (metric_config as MetricConfig).references)
  if (!current && references === undefined) return { ...after, statement_by: null }
  if (previous?.text === current?.text && former === references) return after
  if (!current) return { ...after, statement_by: ctx.actor.user_id }
  const problem = await findCustomSqlProblem(ctx, after)
  if (problem) throw invalid({ [`metric_config.${current.kind}`]: [problem] })
  return { ...after, statement_by: ctx.actor.user_id }
}

export const defaultMonitorName = ({ label }: MetricType, { title }: TargetRow): string =>
  `${label} of ${title}`.slice(0, 500).toWellFormed()

const assertMetricFits = ({ metric_type, of: requiredType, numeric }: MetricType, { entity_type, native_type, title }: TargetRow): void => {
  if (requiredType && requiredType !== entity_type)
    throw invalid({ metric_type: [`${metric_type} requires a ${requiredType}, but ${title} is a ${entity_type}.`] })
  if (numeric && native_type && !getDialectSql('postgres').isNumericType(native_type))
    throw invalid({
      metric_type: [
        translatable('{metric_type} requires a numeric column, but {column} has type {type}.', {
          metric_type,
          column: title,
          type: native_type ?? '?',
        }),
      ],
    })
}

const requireSchedule = (input: ScheduleInput): Schedule => {
  const schedule = parseSchedule(input)
  if (typeof schedule === 'string') throw invalid({ schedule: [schedule] })
  return schedule
}

/** Keys are unique. The error does not name the other monitor because the caller may not be allowed to see it. */
const assertKeyAvailable = async (ctx: Context, { id, key }: MonitorRow): Promise<void> => {
  if (key === null) return
  const other = await findMonitorByKey(ctx, key)
  if (other !== undefined && other !== id)
    throw conflict(translatable('Another monitor already uses this key.'), { key: [translatable('is already in use.')] })
}

const applyMetricConfig = async (
  ctx: Context,
  metric: MetricType,
  of: TargetRow,
  before: MetricConfig,
  input: MonitorEdit['metric_config'],
): Promise<MetricConfig> => {
  const config = normalizeConfig(input === null ? {} : { ...before, ...input })
  const { query_select, where } = config
  const rejectField = (field: keyof MetricConfig, message: string | undefined) => {
    if (message) throw invalid({ [`metric_config.${field}`]: [message] })
  }
  const custom = metric.metric_type === 'custom_sql'
  if (custom && !query_select) rejectField('query_select', 'is required.')
  if (custom && where) rejectField('where', 'cannot be used with custom_sql. Put the condition into query_select.')
  if (input === undefined && before === config) return before
  if (metric.pushed) return config
  const problem = findConfigProblem(metric, of, config)
  if (problem) rejectField(problem.field, problem.message)
  if (metric.metric_type === 'duplicates') return withKeyColumns(ctx, of, config)
  if (metric.metric_type === 'referential' && of.integration) {
    const reference = await findReference(ctx, of.integration, config.references!)
    if (typeof reference === 'string') rejectField('references', reference.replace('references: ', ''))
  }
  return withTimestampColumn(ctx, metric, of, config)
}

/** The columns that identify a row: the given ones, else the primary key. */
const withKeyColumns = async (ctx: Context, of: TargetRow, config: MetricConfig): Promise<MetricConfig> => {
  const columns = await findTargetColumns(ctx, of.id)
  const named = config.columns ?? columns.filter(({ is_pk }) => is_pk).map(({ title }) => title)
  if (named.length === 0)
    throw invalid({ 'metric_config.columns': [translatable('is required because the primary key of this table is unknown.')] })
  const found = named.map(
    (name) => columns.find(({ title }) => title === name) ?? columns.find(({ title }) => title.toLowerCase() === name.toLowerCase()),
  )
  const missing = named.find((_, i) => !found[i])
  if (missing !== undefined)
    throw invalid({ 'metric_config.columns': [translatable('Column {column} was not found in this table.', { column: missing })] })
  return { ...config, columns: [...new Set(found.map((column) => column!.title))] }
}

/**
 * Freshness, of rows or partitions, needs a timestamp column: the configured one, otherwise the one that the source partitions by, otherwise the
 * most likely one by name and type.
 */
const withTimestampColumn = async (ctx: Context, metric: MetricType, of: TargetRow, config: MetricConfig): Promise<MetricConfig> => {
  const named = config.timestamp_column
  if (!metric.dated && !named) return config
  const columns = await findTargetColumns(ctx, of.entity_type === 'column' ? (of.parent ?? of.id) : of.id)
  if (named) {
    const found = columns.find(({ title }) => title === named) ?? columns.find(({ title }) => title.toLowerCase() === named.toLowerCase())
    if (!found && columns.length > 0)
      throw invalid({ 'metric_config.timestamp_column': [translatable('Column {column} was not found in this table.', { column: named })] })
    return { ...config, timestamp_column: found?.title ?? named }
  }
  const partitioned = metric.metric_type.startsWith('partition_') ? await findPartitionKey(ctx, of.id) : ''
  const guessed = findPartitionColumn(columns, partitioned) ?? guessTimestampColumn(columns)
  if (!guessed)
    throw invalid({
      'metric_config.timestamp_column': [translatable('is required because no timestamp column could be detected in this table.')],
    })
  return { ...config, timestamp_column: guessed }
}
