import type { Context } from '../context.ts'
import { conflict, invalid } from '../errors.ts'
import { wordsOf } from '../integrations/connectors/words.ts'
import { applyCondition } from './condition.ts'
import { type MetricType, metricTypeOf } from './metric-types.ts'
import { checkStatement, statementOf } from './questions.ts'
import { nextRun, readSchedule, type Schedule, type ScheduleIn } from './schedule.ts'
import type { MetricConfig, MonitorEdit } from './schema.ts'
import { findByKey, findColumns, type MonitorRow, type TargetRow } from './store.ts'
import { guessTimestamp } from './timestamp-column.ts'

/** Applies an edit to a monitor and validates the result. */
export const applyEdit = async (ctx: Context, before: MonitorRow, of: TargetRow, edit: MonitorEdit): Promise<MonitorRow> => {
  const metric = metricTypeOf(before.metric_type)
  mustFit(metric, of)
  const schedule = edit.schedule === undefined ? (before.schedule as Schedule) : readWhole(edit.schedule ?? {})
  const is_enabled = edit.is_enabled ?? before.is_enabled
  const stays = before.next_run_at !== null && edit.schedule === undefined
  const drafted: MonitorRow = {
    ...before,
    ...applyCondition(before, edit),
    key: edit.key === undefined ? before.key : edit.key,
    name: (edit.name ?? before.name).trim() || usualName(metric, of),
    metric_config: await applyConfig(ctx, metric, of, before.metric_config as MetricConfig, edit.metric_config),
    schedule,
    frequency: schedule.frequency,
    is_enabled,
    notify_slack_channel: edit.notify_slack_channel === undefined ? before.notify_slack_channel : edit.notify_slack_channel || null,
    next_run_at: !is_enabled || metric.pushed ? null : stays ? before.next_run_at : nextRun(schedule, ctx.now).toISOString(),
  }
  await mustBeItsKey(ctx, drafted)
  return withAuthor(ctx, before, drafted)
}

/** The user who last changed the SQL becomes its author: it is checked with their permissions now and on every run. */
const withAuthor = async (ctx: Context, before: MonitorRow, after: MonitorRow): Promise<MonitorRow> => {
  const [was, is] = [statementOf(before), statementOf(after)]
  if (!is) return { ...after, statement_by: null }
  if (was?.text === is.text) return after
  const problem = await checkStatement(ctx, after)
  if (problem) throw invalid({ [`metric_config.${is.kind}`]: [problem] })
  return { ...after, statement_by: ctx.actor.user_id }
}

export const usualName = ({ label }: MetricType, { title }: TargetRow): string => `${label} of ${title}`.slice(0, 500).toWellFormed()

const mustFit = ({ metric_type, of: wanted, numeric }: MetricType, { entity_type, native_type, title }: TargetRow): void => {
  if (wanted && wanted !== entity_type)
    throw invalid({ metric_type: [`${metric_type} requires a ${wanted}, but ${title} is a ${entity_type}.`] })
  if (numeric && native_type && !wordsOf('postgres').isNumericType(native_type))
    throw invalid({ metric_type: [`${metric_type} requires a numeric column, but ${title} has type ${native_type}.`] })
}

const readWhole = (said: ScheduleIn): Schedule => {
  const schedule = readSchedule(said)
  if (typeof schedule === 'string') throw invalid({ schedule: [schedule] })
  return schedule
}

/** Keys are unique. The error does not name the other monitor because the caller may not be allowed to see it. */
const mustBeItsKey = async (ctx: Context, { id, key }: MonitorRow): Promise<void> => {
  if (key === null) return
  const other = await findByKey(ctx, key)
  if (other !== undefined && other !== id) throw conflict('Another monitor already uses this key.', { key: ['is already in use.'] })
}

const applyConfig = async (
  ctx: Context,
  metric: MetricType,
  of: TargetRow,
  before: MetricConfig,
  said: MonitorEdit['metric_config'],
): Promise<MetricConfig> => {
  const merged = said === null ? {} : { ...before, ...said }
  const config = Object.fromEntries(
    Object.entries(merged).flatMap(([name, value]) => (typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [])),
  ) as MetricConfig
  const { query_select, where } = config
  const problem = (field: keyof MetricConfig, words: string | undefined) => {
    if (words) throw invalid({ [`metric_config.${field}`]: [words] })
  }
  const custom = metric.metric_type === 'custom_sql'
  if (custom && !query_select) problem('query_select', 'is required.')
  if (custom && where) problem('where', 'cannot be used with custom_sql. Put the condition into query_select.')
  if (said === undefined && before === config) return before
  return metric.pushed ? config : withTimestamp(ctx, metric, of, config)
}

/** Freshness needs a timestamp column: the configured one, otherwise the most likely one by name and type. */
const withTimestamp = async (ctx: Context, metric: MetricType, of: TargetRow, config: MetricConfig): Promise<MetricConfig> => {
  const named = config.timestamp_column
  if (metric.metric_type !== 'freshness' && !named) return config
  const columns = await findColumns(ctx, of.entity_type === 'column' ? (of.parent ?? of.id) : of.id)
  if (named) {
    const found = columns.find(({ title }) => title === named) ?? columns.find(({ title }) => title.toLowerCase() === named.toLowerCase())
    if (!found && columns.length > 0) throw invalid({ 'metric_config.timestamp_column': [`Column ${named} was not found in this table.`] })
    return { ...config, timestamp_column: found?.title ?? named }
  }
  const guessed = guessTimestamp(columns)
  if (!guessed)
    throw invalid({ 'metric_config.timestamp_column': ['is required because no timestamp column could be detected in this table.'] })
  return { ...config, timestamp_column: guessed }
}
