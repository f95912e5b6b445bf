import type { Moment } from './calendar.ts'
import type { Metric } from './metric-bounds.ts'
import type { RunForecast, WideningReason } from './run-forecast.ts'

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']

const REASON_TEXTS: Record<WideningReason, string> = {
  holiday: 'wider on a holiday',
  recurring: 'wider because values at this time were unusual before',
  small_sample: 'wider because only a few rows were measured',
}

/** Describes the limits, e.g. "usually 980–1,120 on Mondays around 03:00". */
export const explain = ({ limits, follows, reasons, integer }: RunForecast, moment: Moment, metric: Metric): string => {
  const usual = explainRange(limits, integer, metric)
  const day = follows.weekday ? ` on ${WEEKDAYS[moment.weekday]}` : ''
  const hour = follows.hour ? ` around ${formatHour(moment)}` : ''
  return [usual + day + hour, ...reasons.map((reason) => REASON_TEXTS[reason])].join(', ')
}

/** E.g. "usually 980–1,120". */
export const explainRange = (limits: { readonly lower: number; readonly upper: number }, integer: boolean, metric: Metric): string => {
  if (metric.kind === 'freshness') return `usually updated within ${formatGrouped(limits.upper, 1)} hours`
  const digits = integer ? 0 : digitsFor(limits.upper - limits.lower)
  const [lower, upper] = [formatGrouped(limits.lower, digits), formatGrouped(limits.upper, digits)]
  return `usually ${lower === upper ? upper : `${lower}–${upper}`}${metric.kind === 'percentage' ? ' %' : ''}`
}

const formatHour = ({ hours, day }: Moment): string => `${String(Math.floor(hours - 24 * day)).padStart(2, '0')}:00`

/** As many decimals as needed to distinguish the limits. */
const digitsFor = (width: number): number => (width > 0 ? Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(width)))) : 2)

const formatGrouped = (x: number, digits: number): string => {
  if (Math.abs(x) >= 1e15) return x.toPrecision(3)
  const [whole = '', decimals] = x.toFixed(digits).split('.')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = decimals?.replace(/0+$/, '')
  return rest ? `${text}.${rest}` : text === '-0' ? '0' : text
}
