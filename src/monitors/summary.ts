import type { IncidentRow } from './incident-store.ts'
import { metricTypeOf } from './metric-types.ts'
import type { SeenMonitor } from './store.ts'

/** Describes an incident in one sentence: what, by how much, since when, and what is expected. Pure. */
export interface Told {
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

export const summarise = (told: Told): string => {
  const { metric_type, name, target, value, lower, upper, explanation, first_seen_at, resolved_at, runs_outside } = told
  const { label, unit } = metricTypeOf(metric_type)
  const what = metric_type === 'custom_sql' || metric_type === 'pushed' ? `${name} (${target})` : `${label} of ${target}`
  const number = (n: number) => `${inFigures(n)}${unit}`
  const below = lower !== null && value < lower
  const limit = below ? lower : upper
  // Differences of percentages are given in points, because "percent" would be ambiguous.
  const apart = limit === null ? '' : `${inFigures(Math.abs(value - limit))}${unit === ' %' ? ' points' : unit}`
  const off =
    limit === null ? '' : `, ${apart} ${below ? 'below' : 'above'} the limit of ${number(limit)}${unit === ' %' ? '' : share(value, limit)}`
  const when = resolved_at ? `from ${momentOf(first_seen_at)} to ${momentOf(resolved_at)}` : `since ${momentOf(first_seen_at)}`
  const often = runs_outside > 1 ? `, in ${inFigures(runs_outside)} measurements` : ''
  return `${what} ${resolved_at ? 'was' : 'is'} ${number(value)}${off}, ${when} UTC${often}.${explanation ? ` ${sentence(explanation)}` : ''}`
}

export const summaryOf = ({ metric_type, name, of }: SeenMonitor, incident: IncidentRow): string =>
  summarise({
    ...incident,
    metric_type,
    name,
    target: of.title_full,
    lower: incident.lower_threshold,
    upper: incident.upper_threshold,
  })

/** A relative difference is meaningless for limits close to zero. */
const share = (value: number, limit: number): string => {
  const percent = (100 * Math.abs(value - limit)) / Math.abs(limit)
  return Number.isFinite(percent) && percent >= 0.1 && percent < 100_000
    ? ` (${inFigures(Number(percent.toPrecision(2)))} % ${value < limit ? 'less' : 'more'})`
    : ''
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const momentOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

/** Formats a number with as many decimals as its size justifies. */
export const inFigures = (n: number): string => {
  const size = Math.abs(n)
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return n.toPrecision(3)
  return n.toLocaleString('en-US', { maximumFractionDigits: size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4 })
}
