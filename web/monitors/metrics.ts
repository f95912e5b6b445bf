import { t } from '../i18n/messages.ts'
import type { Tone } from '../ui/badge.tsx'
import { formatLimits, HOURS_UNIT, PERCENT_UNIT } from './format.ts'
import type { Monitor } from './queries.ts'

/** Metrics with their labels. */
export interface Metric {
  readonly id: Monitor['metric_type']
  readonly label: string
  readonly about: string
  /** Entity type it applies to; absent: any. */
  readonly of?: 'table' | 'column'
  readonly unit: string
  /** Needs a column with dates or timestamps. */
  readonly dated?: true
  /** Only for numeric columns. */
  readonly numeric?: true
}

export const METRICS: readonly Metric[] = [
  { id: 'row_count', label: t('Row count'), about: t('Number of rows'), of: 'table', unit: '' },
  { id: 'freshness', label: t('Freshness'), about: t('Time since the newest row'), of: 'table', unit: HOURS_UNIT, dated: true },
  { id: 'custom_sql', label: t('Custom SQL'), about: t('Result of a SQL query'), of: 'table', unit: '' },
  { id: 'null_percentage', label: t('Null percentage'), about: t('Share of null values'), of: 'column', unit: PERCENT_UNIT },
  { id: 'unique_percentage', label: t('Unique percentage'), about: t('Share of distinct values'), of: 'column', unit: PERCENT_UNIT },
  { id: 'cardinality', label: t('Cardinality'), about: t('Number of distinct values'), of: 'column', unit: '' },
  { id: 'min', label: t('Minimum'), about: t('Smallest value'), of: 'column', unit: '', numeric: true },
  { id: 'max', label: t('Maximum'), about: t('Largest value'), of: 'column', unit: '', numeric: true },
  { id: 'mean', label: t('Mean'), about: t('Average value'), of: 'column', unit: '', numeric: true },
  { id: 'row_count_change', label: t('Row count change'), about: t('Compared with the run before'), of: 'table', unit: PERCENT_UNIT },
  {
    id: 'partition_freshness',
    label: t('Partition freshness'),
    about: t('Time since the end of the newest daily partition'),
    of: 'table',
    unit: HOURS_UNIT,
    dated: true,
  },
  {
    id: 'partition_gaps',
    label: t('Missing partitions'),
    about: t('Days without a partition'),
    of: 'table',
    unit: '',
    dated: true,
  },
  {
    id: 'partition_row_count',
    label: t('Partition row count'),
    about: t("Rows of yesterday's daily partition"),
    of: 'table',
    unit: '',
    dated: true,
  },
  { id: 'duplicates', label: t('Duplicate rows'), about: t('Rows with a repeated key'), of: 'table', unit: '' },
  { id: 'schema', label: t('Schema changes'), about: t('Column changes that are not allowed'), of: 'table', unit: '' },
  { id: 'accepted_values', label: t('Unexpected values'), about: t('Rows with a value outside a list'), of: 'column', unit: '' },
  { id: 'pattern', label: t('Pattern mismatches'), about: t('Rows that do not match a regular expression'), of: 'column', unit: '' },
  {
    id: 'range',
    label: t('Values out of range'),
    about: t('Rows below a minimum or above a maximum'),
    of: 'column',
    unit: '',
    numeric: true,
  },
  { id: 'referential', label: t('Missing references'), about: t('Rows whose value is missing in another table'), of: 'column', unit: '' },
  { id: 'pushed', label: t('Reported value'), about: t('Value sent by a script or pipeline'), unit: '' },
]

export const getMetric = (id: string): Metric =>
  METRICS.find((metric) => metric.id === id) ?? { id: 'pushed', label: id, about: '', unit: '' }

const NUMERIC_TYPES = /int|serial|num|dec|float|double|real|money|^long|^short|^byte/i
/** Metrics available for a target. Columns of unknown type get all of them; the server decides. */
export const listMetrics = (kind: 'table' | 'column', native_type?: string | null): readonly Metric[] =>
  METRICS.filter(({ of, numeric }) => (of === undefined || of === kind) && (!numeric || !native_type || NUMERIC_TYPES.test(native_type)))

type MonitorCondition = Pick<Monitor, 'metric_type' | 'condition_auto_sensitivity' | 'condition_manual_min' | 'condition_manual_max'>

/** The condition of a monitor as text: automatic, or manual limits. */
export const formatLimitRule = (monitor: MonitorCondition): string => {
  const { metric_type, condition_auto_sensitivity: sensitivity, condition_manual_min, condition_manual_max } = monitor
  if (sensitivity !== null) return t('Automatic, sensitivity {sensitivity}', { sensitivity })
  return formatLimits(condition_manual_min, condition_manual_max, getMetric(metric_type).unit) ?? t('none')
}

export const STATUS: Record<Monitor['status'], { readonly label: string; readonly tone: Tone }> = {
  incident: { label: t('Incident'), tone: 'bad' },
  error: { label: t('Error'), tone: 'warn' },
  normal: { label: t('Normal'), tone: 'good' },
  pending: { label: t('No data'), tone: 'neutral' },
}

export const DAYS = [t('Sunday'), t('Monday'), t('Tuesday'), t('Wednesday'), t('Thursday'), t('Friday'), t('Saturday')] as const

export const formatSchedule = ({ cadence, hour, day, frequency, timezone }: Monitor['schedule']): string => {
  if (cadence === 'hourly') return timezone ? `${formatFrequency(frequency)}, ${timezone}` : formatFrequency(frequency)
  const at = { time: `${String(hour).padStart(2, '0')}:00`, zone: timezone ?? 'UTC' }
  return cadence === 'daily' ? t('daily at {time} {zone}', at) : formatWeekly(at)[day ?? 0]!
}

const formatFrequency = (hours: number): string => (hours === 1 ? t('every hour') : t('every {hours} hours', { hours }))

const formatWeekly = (at: { readonly time: string; readonly zone: string }): readonly string[] => [
  t('on Sundays at {time} {zone}', at),
  t('on Mondays at {time} {zone}', at),
  t('on Tuesdays at {time} {zone}', at),
  t('on Wednesdays at {time} {zone}', at),
  t('on Thursdays at {time} {zone}', at),
  t('on Fridays at {time} {zone}', at),
  t('on Saturdays at {time} {zone}', at),
]
