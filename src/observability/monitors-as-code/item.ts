import { invalid } from '../../platform/core/errors.ts'
import { DEFAULT_SEVERITY, type Severity } from '../../platform/core/severity.ts'
import { getDefaultCondition } from '../monitor-model/condition.ts'
import { getMetricType } from '../monitor-model/metric-types.ts'
import type { MonitorWithTarget } from '../monitor-model/monitor-rows.ts'
import { parseSchedule, type Schedule } from '../monitor-model/schedule.ts'
import { CONFIG_NAMES, type MetricConfig, type MonitorEdit } from '../monitor-model/schema.ts'
import type { Item } from './schema.ts'

/** Converts a monitor to its entry in a file and back. Defaults are left out. Pure. */
export const toItem = (row: MonitorWithTarget, integration?: string): Item => {
  const config = row.metric_config as MetricConfig
  const schedule = toScheduleItem(row.schedule as Schedule)
  const automatic = row.condition_auto_sensitivity !== null
  return {
    name: row.name,
    target: row.of.title_full,
    ...(integration === undefined ? {} : { integration }),
    metric_type: row.metric_type as Item['metric_type'],
    ...(row.key === null ? {} : { key: row.key }),
    ...(Object.keys(config).length > 0 ? { metric_config: config } : {}),
    ...(Object.keys(schedule).length > 0 ? { schedule } : {}),
    ...(automatic && row.condition_auto_sensitivity !== getDefaultCondition(getMetricType(row.metric_type)).condition_auto_sensitivity
      ? { condition_auto_sensitivity: row.condition_auto_sensitivity }
      : {}),
    ...(row.condition_manual_min !== null ? { condition_manual_min: row.condition_manual_min } : {}),
    ...(row.condition_manual_max !== null ? { condition_manual_max: row.condition_manual_max } : {}),
    ...(row.severity === DEFAULT_SEVERITY ? {} : { severity: row.severity as Severity }),
    ...(row.notify_slack_channel ? { notify_slack_channel: row.notify_slack_channel } : {}),
    ...(row.is_enabled ? {} : { is_enabled: false }),
  }
}

const toScheduleItem = ({ cadence, hour, day, frequency, timezone }: Schedule): NonNullable<Item['schedule']> => {
  const zone = timezone === undefined ? {} : { timezone }
  if (cadence === 'hourly') return { cadence, frequency, ...(hour > 0 ? { hour } : {}), ...zone }
  if (cadence === 'weekly') return { cadence, day: day ?? 0, hour, ...zone }
  return hour === 0 && timezone === undefined ? {} : { cadence, hour, ...zone }
}

/** All settings of a file entry. An absent setting is reset to its default, not kept. */
export const toSettings = (item: Item): MonitorEdit => {
  const { metric_config = {} } = item
  return {
    name: item.name.trim(),
    is_enabled: item.is_enabled ?? true,
    schedule: item.schedule ?? {},
    ...toCondition(item),
    severity: item.severity ?? DEFAULT_SEVERITY,
    notify_slack_channel: item.notify_slack_channel ?? null,
    metric_config: {
      ...Object.fromEntries(CONFIG_NAMES.filter((name) => !DETECTED_FIELDS.includes(name)).map((name) => [name, null])),
      ...metric_config,
    },
  }
}

/** May have been detected automatically, so an absent one does not reset it. */
const DETECTED_FIELDS: readonly string[] = ['timestamp_column', 'columns'] satisfies (keyof MetricConfig)[]

const toCondition = ({ metric_type, condition_auto_sensitivity = null, condition_manual_min = null, condition_manual_max = null }: Item) =>
  condition_auto_sensitivity === null && condition_manual_min === null && condition_manual_max === null
    ? getDefaultCondition(getMetricType(metric_type))
    : { condition_auto_sensitivity, condition_manual_min, condition_manual_max }

/** Whether the monitor already matches the file entry, so that nothing needs to be checked or written. */
export const matchesItem = (row: MonitorWithTarget, item: Item): boolean => {
  const { metric_config = {} } = item
  const config = row.metric_config as MetricConfig
  const schedule = parseSchedule(item.schedule ?? {})
  if (typeof schedule === 'string') throw invalid({ schedule: [schedule] })
  const settings = toSettings(item)
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
  const { cadence, hour, day, frequency, timezone } = row.schedule as Schedule
  return (
    same(
      [schedule.cadence, schedule.hour, schedule.day, schedule.frequency, schedule.timezone],
      [cadence, hour, day, frequency, timezone],
    ) &&
    same(settings.name, row.name) &&
    settings.is_enabled === row.is_enabled &&
    same(settings.condition_auto_sensitivity, row.condition_auto_sensitivity) &&
    same(settings.condition_manual_min, row.condition_manual_min) &&
    same(settings.condition_manual_max, row.condition_manual_max) &&
    settings.severity === row.severity &&
    same(settings.notify_slack_channel || null, row.notify_slack_channel) &&
    CONFIG_NAMES.every((name) => {
      const value = metric_config[name]
      if (value === undefined && DETECTED_FIELDS.includes(name)) return true
      return same(typeof value === 'string' ? value.trim() : value, config[name])
    })
  )
}
