import { clockDistance, type Moment, type MonthPlace, monthPlace, type Rhythm } from './calendar.ts'
import { type Band, type Span, stretchOver } from './outlook.ts'

/** A value no filter explained, and what was expected. */
export type Oddity = { readonly moment: Moment; readonly x: number; readonly centre: number }

const KEPT = 80

export const keepOddity = (oddities: Oddity[], oddity: Oddity): void => {
  oddities.push(oddity)
  if (oddities.length > KEPT) oddities.shift()
}

/** Past oddities that rhyme with this moment: two weeks ago, the same place in an earlier month, the same hour on several days. */
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

const EDGE = 4 // the ends of a month are where jobs are scheduled; within it only dates are

const samePlace = (a: MonthPlace, b: MonthPlace): boolean =>
  a.date === b.date || (a.from_end === b.from_end && a.from_end < EDGE) || (a.workday === b.workday && a.workday > 0 && a.workday < EDGE)

/** Where totals are reset and books are closed: what dropped here once will drop again. */
const isBorder = ({ date, from_end, workday }: MonthPlace): boolean => date === 1 || from_end === 0 || workday === 1

const DROPS_NEEDED = 2 // a drop must have come twice: one alarm too many is cheaper than rows missing unnoticed

/** Opens the limits to what came at such moments before. Says whether it had to. */
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
    // As far from the centre as then, in proportion where the values have one sign.
    const again = proportional && then > 0 && centre > 0 ? (x / then) * centre : centre + (x - then)
    const margin = 0.25 * Math.abs(again - centre) + (upper - lower) / 4
    stretchOver(core, { lower: again, upper: again })
    if (x > then) limits.upper = Math.max(limits.upper, again + margin)
    else limits.lower = Math.min(limits.lower, again - margin)
  }
  return limits.upper > upper || limits.lower < lower
}
