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
  const { metric_type, name, target, value, lower, upper, explanation, first_seen_at, resolved_at, runs_outside } = facts
  const { label, unit } = getMetricType(metric_type)
  const what = metric_type === 'custom_sql' || metric_type === 'pushed' ? `${name} (${target})` : `${label} of ${target}`
  const number = (n: number) => `${formatFigure(n)}${unit}`
  const below = lower !== null && value < lower
  const limit = below ? lower : upper
  // Differences of percentages are given in points, because "percent" would be ambiguous.
  const distance = limit === null ? '' : `${formatFigure(Math.abs(value - limit))}${unit === ' %' ? ' points' : unit}`
  const off =
    limit === null
      ? ''
      : `, ${distance} ${below ? 'below' : 'above'} the limit of ${number(limit)}${unit === ' %' ? '' : formatShare(value, limit)}`
  const when = resolved_at ? `from ${formatMinute(first_seen_at)} to ${formatMinute(resolved_at)}` : `since ${formatMinute(first_seen_at)}`
  const often = runs_outside > 1 ? `, in ${formatFigure(runs_outside)} measurements` : ''
  return `${what} ${resolved_at ? 'was' : 'is'} ${number(value)}${off}, ${when} UTC${often}.${explanation ? ` ${toSentence(explanation)}` : ''}`
}

export const getIncidentSummary = ({ metric_type, name, of }: MonitorWithTarget, incident: IncidentRow): string =>
  summarizeIncident({
    ...incident,
    metric_type,
    name,
    target: of.title_full,
    lower: incident.lower_threshold,
    upper: incident.upper_threshold,
  })

/** A relative difference is meaningless for limits close to zero. */
const formatShare = (value: number, limit: number): string => {
  const percent = (100 * Math.abs(value - limit)) / Math.abs(limit)
  return Number.isFinite(percent) && percent >= 0.1 && percent < 100_000
    ? ` (${formatFigure(Number(percent.toPrecision(2)))} % ${value < limit ? 'less' : 'more'})`
    : ''
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const formatMinute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

/** Formats a number with as many decimals as its size justifies. */
export const formatFigure = (n: number): string => {
  const size = Math.abs(n)
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return n.toPrecision(3)
  return n.toLocaleString('en-US', { maximumFractionDigits: size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4 })
}
