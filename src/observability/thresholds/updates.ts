import { clockDistance, type Moment, type Rhythm } from './calendar.ts'
import { computeMedian, studentQuantile } from './quantile.ts'

// Freshness measured more than once a day is a sawtooth. The updates behind it are regular, so they are reconstructed.

type Gap = { readonly hours: number; readonly kind: number; readonly from: number; readonly late: boolean }

export type Updates = {
  readonly gaps: Gap[]
  last: number | undefined
}

const MAX_GAPS = 250

export const createUpdates = (): Updates => ({ gaps: [], last: undefined })

/** Distinguishes Fridays and weekends, after which the next update often takes longer. */
const getDayKind = (hours: number): number => {
  const weekday = (Math.floor(hours / 24) + 4) % 7
  return weekday === 5 ? 2 : weekday === 6 || weekday === 0 ? 1 : 0
}

export const recordFreshness = (updates: Updates, moment: Moment, age: number, rhythm: Rhythm, limit = Number.POSITIVE_INFINITY): void => {
  const update = moment.hours - age
  if (updates.last === undefined) updates.last = update
  else if (update - updates.last > Math.max(0.02 * rhythm.frequency_hours, 1 / 60)) {
    const hours = update - updates.last
    updates.gaps.push({ hours, kind: getDayKind(updates.last), from: updates.last, late: hours > limit })
    if (updates.gaps.length > MAX_GAPS) updates.gaps.shift()
    updates.last = update
  }
}

/** Updated less often than measured: the age rises and falls, and only the gaps between updates are regular. */
export const updatesAreRare = ({ gaps }: Updates, { frequency_hours }: Rhythm): boolean =>
  computeMedian(gaps.slice(-30).map((gap) => gap.hours)) > 1.5 * frequency_hours

/** Late gaps are not learned unless they have become frequent. */
const filterTrusted = (gaps: readonly Gap[]): readonly Gap[] => {
  const timely = gaps.filter((gap) => !gap.late)
  return gaps.length - timely.length >= 2 ? gaps : timely
}

/** Hours from one update to the next. */
type Gaps = { readonly usual: number; readonly longest: number }

/** The typical and the longest normal time until the next update, for a cycle that started at this hour of the week. */
export const computeGapLimit = (updates: Updates, rhythm: Rhythm, per_run: number, wideningFactor: number): Gaps => {
  const { gaps, last } = updates
  if (last === undefined || gaps.length < 3) return { usual: Number.NaN, longest: Number.NaN }
  const kind = getDayKind(last)
  const near = 0.75 * Math.max(1, rhythm.frequency_hours)
  const same_hour_of_week = filterTrusted(gaps.filter((gap) => clockDistance(gap.from, last, 168) < near).slice(-6))
  const same_hour = filterTrusted(gaps.filter((gap) => gap.kind === kind && clockDistance(gap.from, last) < near).slice(-20))

  let base = same_hour_of_week
  let stretch = 1
  let least = 0
  if (base.length < 2) {
    base = [...same_hour_of_week, ...same_hour]
    stretch = 1.05
  }
  if (base.length < 2) {
    const unseen = base.length === 0
    const first_week = last - gaps[0]!.from < 8 * 24
    base = gaps.filter((gap) => !gap.late).slice(-60)
    if (base.length < 3) base = gaps.slice(-10)
    stretch = 1.3
    if (first_week) least = getWeekendPatience(last)
    else if (unseen) least = kind ? 74 : 0
  }
  const lengths = base.map((gap) => gap.hours)
  const middle = computeMedian(lengths)
  const sd = Math.max(1.4826 * computeMedian(lengths.map((hours) => Math.abs(hours - middle))), 0.01 * middle, 0.1)
  const longest = lengths.reduce((a, b) => Math.max(a, b), 0)
  const reach = studentQuantile(1 - Math.min(0.1, 4 * per_run), Math.max(4, Math.min(60, lengths.length + 3)))
  const limit = Math.max(middle + reach * sd, longest + sd, 1.25 * findLongestOrdinary(gaps)) * stretch
  const margin = (0.1 * Math.min(limit, 24) + 0.5 * rhythm.frequency_hours) * wideningFactor
  return { usual: middle, longest: Math.max(least, limit + margin) }
}

/** Hours to wait while it is not known whether this table is updated on weekends. */
export const getWeekendPatience = (update: number): number => (getDayKind(update) ? 74 : 26)

/** For frequent updates, the longest gap that was not an outage: it can recur at any hour. */
const findLongestOrdinary = (gaps: readonly Gap[]): number => {
  const lengths = gaps
    .filter((gap) => !gap.late)
    .slice(-150)
    .map((gap) => gap.hours)
  const middle = computeMedian(lengths)
  if (lengths.length < 20 || middle >= 6) return 0
  return lengths.filter((hours) => hours < 4 * middle).reduce((a, b) => Math.max(a, b), 0)
}
