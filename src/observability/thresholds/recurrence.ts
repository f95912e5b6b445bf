import { clockDistance, getMonthPosition, type Moment, type MonthPosition, type Rhythm } from './calendar.ts'
import { type Band, type Span, widenOver } from './run-forecast.ts'

/** An unexplained value and what was expected. */
export type Anomaly = { readonly moment: Moment; readonly x: number; readonly centre: number }

const MAX_ANOMALIES = 80

export const recordAnomaly = (anomalies: Anomaly[], anomaly: Anomaly): void => {
  anomalies.push(anomaly)
  if (anomalies.length > MAX_ANOMALIES) anomalies.shift()
}

/** Past anomalies that may recur now: two weeks ago, at the same position in an earlier month, or at the same hour on several days. */
export const findRecurring = (anomalies: readonly Anomaly[], moment: Moment, rhythm: Rhythm): Anomaly[] => {
  const found: Anomaly[] = []
  let recent = 0
  const here = anomalies.length ? getMonthPosition(moment.day) : undefined
  for (const anomaly of anomalies) {
    if (clockDistance(moment.hours, anomaly.moment.hours) >= rhythm.frequency_hours / 2) continue
    const days = (moment.hours - anomaly.moment.hours) / 24
    if (days < 45 && days > 13 && clockDistance(days, 0, 14) < 0.3) found.push(anomaly)
    else if (days > 20) {
      if (isSamePosition(here!, getMonthPosition(anomaly.moment.day))) found.push(anomaly)
    } else if (!rhythm.daily && days < 12 && moment.weekend === anomaly.moment.weekend && ++recent >= 2) found.push(anomaly)
  }
  return found
}

const EDGE = 4 // jobs are scheduled relative to the start or end of a month, otherwise by date

const isSamePosition = (a: MonthPosition, b: MonthPosition): boolean =>
  a.date === b.date || (a.from_end === b.from_end && a.from_end < EDGE) || (a.workday === b.workday && a.workday > 0 && a.workday < EDGE)

/** Days on which totals are often reset and books closed: one earlier drop is enough to expect another. */
const isMonthBoundary = ({ date, from_end, workday }: MonthPosition): boolean => date === 1 || from_end === 0 || workday === 1

const DROPS_NEEDED = 2 // a drop must have occurred twice: one false alarm is cheaper than unnoticed missing rows

/** Widens the limits to include earlier values of such days. Returns whether they changed. */
export const widenForRecurring = (
  limits: Band,
  core: Span,
  recurring: readonly Anomaly[],
  moment: Moment,
  proportional: boolean,
  careful: boolean,
): boolean => {
  const isBoundary = careful && isMonthBoundary(getMonthPosition(moment.day))
  const { lower, centre, upper } = limits
  const drops = recurring.filter(({ x, centre: then }) => x < then).length
  for (const { x, centre: then } of recurring) {
    if (careful && x < then && drops < DROPS_NEEDED && !isBoundary) continue
    // As far from the centre as then, relative if the values have one sign.
    const again = proportional && then > 0 && centre > 0 ? (x / then) * centre : centre + (x - then)
    const margin = 0.25 * Math.abs(again - centre) + (upper - lower) / 4
    widenOver(core, { lower: again, upper: again })
    if (x > then) limits.upper = Math.max(limits.upper, again + margin)
    else limits.lower = Math.min(limits.lower, again - margin)
  }
  return limits.upper > upper || limits.lower < lower
}
