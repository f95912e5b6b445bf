import { formatText, formatValue, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { getMetricType } from '../monitor-model/metric-types.ts'
import type { MonitorWithTarget } from '../monitor-model/monitor-rows.ts'
import type { IncidentRow } from './incident-rows.ts'

/** Describes an incident in one sentence: what, by how much, since when, and what is expected. Pure. */
export interface IncidentFacts {
  readonly metric_type: string
  readonly name: string
  readonly target: string
  readonly value: number
  readonly lower: number | null
  readonly upper: number | null
  readonly explanation: string | null
  readonly first_seen_at: string
  /** Set for resolved incidents. */
  readonly resolved_at?: string | null
  readonly runs_outside: number
}

export const summarizeIncident = (facts: IncidentFacts): string => {
  const summary = formatText(describeIncident(facts))
  return facts.explanation ? `${summary} ${toSentence(facts.explanation)}` : summary
}

/** The summary without the explanation of the limits, which is stored as text. */
export const describeIncident = (facts: Omit<IncidentFacts, 'explanation'>): Translatable => {
  const { metric_type, name, target, value, lower, upper, first_seen_at, resolved_at, runs_outside } = facts
  const { unit } = getMetricType(metric_type)
  const what =
    metric_type === 'custom_sql' || metric_type === 'pushed'
      ? name.endsWith(` of ${target}`) // as in derived names
        ? name
        : translatable('{name} ({target})', { name, target })
      : translatable('{metric} of {target}', { metric: METRIC_NOUNS[metric_type] ?? metric_type, target })
  const values = {
    what,
    value: withUnit(value, unit),
    limit: describeLimit(value, lower, upper, unit),
    from: formatMinute(first_seen_at),
    often: runs_outside > 1 ? translatable(', in {n} measurements', { n: runs_outside }) : '',
  }
  return resolved_at
    ? translatable('{what} was {value}{limit}, from {from} to {to} UTC{often}.', { ...values, to: formatMinute(resolved_at) })
    : translatable('{what} is {value}{limit}, since {from} UTC{often}.', values)
}

/** What an incident says the value of. */
const METRIC_NOUNS: Readonly<Record<string, Translatable>> = {
  row_count: translatable('Row count'),
  freshness: translatable('Freshness'),
  null_percentage: translatable('Null percentage'),
  unique_percentage: translatable('Unique percentage'),
  cardinality: translatable('Cardinality'),
  min: translatable('Minimum'),
  max: translatable('Maximum'),
  mean: translatable('Mean'),
  row_count_change: translatable('Row count change'),
  partition_freshness: translatable('Partition freshness'),
  partition_gaps: translatable('Number of missing partitions'),
  partition_row_count: translatable('Partition row count'),
  duplicates: translatable('Number of duplicate rows'),
  schema: translatable('Number of schema changes'),
  accepted_values: translatable('Number of unexpected values'),
  pattern: translatable('Number of pattern mismatches'),
  range: translatable('Number of values out of range'),
  referential: translatable('Number of missing references'),
}

const withUnit = (n: number, unit: string): Translatable => {
  const figure = roundFigure(n)
  if (unit === ' %') return translatable('{figure} %', { figure })
  return unit === ' h' ? translatable('{figure} h', { figure }) : translatable('{figure}', { figure })
}

const describeLimit = (value: number, lower: number | null, upper: number | null, unit: string): Translatable | '' => {
  const below = lower !== null && value < lower
  const limit = below ? lower : upper
  if (limit === null) return ''
  const distance = Math.abs(value - limit)
  const values = {
    // Differences of percentages are given in points, because "percent" would be ambiguous.
    distance: unit === ' %' ? translatable('{figure} points', { figure: roundFigure(distance) }) : withUnit(distance, unit),
    limit: withUnit(limit, unit),
    share: unit === ' %' ? '' : describeShare(value, limit),
  }
  return below
    ? translatable(': {distance} below the limit of {limit}{share}', values)
    : translatable(': {distance} above the limit of {limit}{share}', values)
}

export const getIncidentSummary = (monitor: MonitorWithTarget, incident: IncidentRow): string =>
  summarizeIncident(toFacts(monitor, incident))

export const describeIncidentOf = (monitor: MonitorWithTarget, incident: IncidentRow): Translatable =>
  describeIncident(toFacts(monitor, incident))

const toFacts = ({ metric_type, name, of }: MonitorWithTarget, incident: IncidentRow): IncidentFacts => ({
  ...incident,
  metric_type,
  name,
  target: of.title_full,
  lower: incident.lower_threshold,
  upper: incident.upper_threshold,
})

/** A relative difference is meaningless for limits close to zero. */
const describeShare = (value: number, limit: number): Translatable | '' => {
  const percent = (100 * Math.abs(value - limit)) / Math.abs(limit)
  if (!Number.isFinite(percent) || percent < 0.1 || percent >= 100_000) return ''
  const figure = roundFigure(Number(percent.toPrecision(2)))
  return value < limit ? translatable(' ({figure} % less)', { figure }) : translatable(' ({figure} % more)', { figure })
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const formatMinute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

/** A number with as many decimals as its size justifies; a text if it is too large or too small to be written out. */
const roundFigure = (n: number): number | string => {
  const size = Math.abs(n)
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return n.toPrecision(3)
  return Number(n.toFixed(size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4))
}

export const formatFigure = (n: number): string => formatValue(roundFigure(n))
