import { clockDistance, type Moment, type MonthPlace, monthPlace, type Rhythm } from './calendar.ts'
import { type Band, type Span, stretchOver } from './outlook.ts'

/** An unexplained value and what was expected. */
export type Oddity = { readonly moment: Moment; readonly x: number; readonly centre: number }

const KEPT = 80

export const keepOddity = (oddities: Oddity[], oddity: Oddity): void => {
  oddities.push(oddity)
  if (oddities.length > KEPT) oddities.shift()
}

/** Past anomalies that may recur now: two weeks ago, at the same position in an earlier month, or at the same hour on several days. */
export const rhyming = (oddities: readonly Oddity[], moment: Moment, rhythm: Rhythm): Oddity[] => {
  const found: Oddity[] = []
  let recent = 0
  const here = oddities.length ? monthPlace(moment.day) : undefined
  for (const oddity of oddities) {
    if (clockDistance(moment.hours, oddity.moment.hours) >= rhythm.frequency_hours / 2) continue
    const days = (moment.hours - oddity.moment.hours) / 24
    if (days < 45 && days > 13 && clockDistance(days, 0, 14) < 0.3) found.push(oddity)
    else if (days > 20) {
      if (samePlace(here!, monthPlace(oddity.moment.day))) found.push(oddity)
    } else if (!rhythm.daily && days < 12 && moment.weekend === oddity.moment.weekend && ++recent >= 2) found.push(oddity)
  }
  return found
}

const EDGE = 4 // jobs are scheduled relative to the start or end of a month, otherwise by date

const samePlace = (a: MonthPlace, b: MonthPlace): boolean =>
  a.date === b.date || (a.from_end === b.from_end && a.from_end < EDGE) || (a.workday === b.workday && a.workday > 0 && a.workday < EDGE)

/** Days on which totals are often reset and books closed: one earlier drop is enough to expect another. */
const isBorder = ({ date, from_end, workday }: MonthPlace): boolean => date === 1 || from_end === 0 || workday === 1

const DROPS_NEEDED = 2 // a drop must have occurred twice: one false alarm is cheaper than unnoticed missing rows

/** Widens the limits to include earlier values of such days. Returns whether they changed. */
export const openForRhymes = (
  limits: Band,
  core: Span,
  rhymes: readonly Oddity[],
  moment: Moment,
  proportional: boolean,
  careful: boolean,
): boolean => {
  const border = careful && isBorder(monthPlace(moment.day))
  const { lower, centre, upper } = limits
  const drops = rhymes.filter(({ x, centre: then }) => x < then).length
  for (const { x, centre: then } of rhymes) {
    if (careful && x < then && drops < DROPS_NEEDED && !border) continue
    // As far from the centre as then, relative if the values have one sign.
    const again = proportional && then > 0 && centre > 0 ? (x / then) * centre : centre + (x - then)
    const margin = 0.25 * Math.abs(again - centre) + (upper - lower) / 4
    stretchOver(core, { lower: again, upper: again })
    if (x > then) limits.upper = Math.max(limits.upper, again + margin)
    else limits.lower = Math.min(limits.lower, again - margin)
  }
  return limits.upper > upper || limits.lower < lower
}
