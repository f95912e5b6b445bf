import type { Moment, Rhythm } from './calendar.ts'

/** Anomalies that become a seasonal pattern if they repeat on the same weekday (or hour). */
type SeasonalPatterns = {
  readonly waiting: Map<number, { hours: number; x: number; side: number }>
  readonly phase: (moment: Moment) => number
}

export const createSeasonalPatterns = ({ daily, slots }: Rhythm): SeasonalPatterns => ({
  waiting: new Map(),
  phase: daily ? (m) => m.weekday : (m) => m.weekend * slots + m.slot,
})

const MAX_WAIT_DAYS = { daily: 15, hourly: 8 } // days: two weeks, or from one weekend to the next

/** Whether the phase had a similar anomaly the last time: then it is a pattern, not an incident. */
export const becomesSeasonal = (
  patterns: SeasonalPatterns,
  rhythm: Rhythm,
  moment: Moment,
  x: number,
  side: number,
  centre: number,
): boolean => {
  const phase = patterns.phase(moment)
  const earlier = patterns.waiting.get(phase)
  if (!side) {
    patterns.waiting.delete(phase)
    return false
  }
  patterns.waiting.set(phase, { hours: moment.hours, x, side })
  if (!earlier || earlier.side !== side) return false
  const days = (moment.hours - earlier.hours) / 24
  const alike = Math.abs(x - earlier.x) < 0.6 * Math.abs(x - centre)
  return alike && days > 0.9 && days < (rhythm.daily ? MAX_WAIT_DAYS.daily : MAX_WAIT_DAYS.hourly)
}
