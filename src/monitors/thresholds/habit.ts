import type { Moment, Rhythm } from './calendar.ts'

/** Anomalies that become a seasonal pattern if they repeat on the same weekday (or hour). */
type Habits = {
  readonly waiting: Map<number, { hours: number; x: number; side: number }>
  readonly phase: (moment: Moment) => number
}

export const createHabits = ({ daily, slots }: Rhythm): Habits => ({
  waiting: new Map(),
  phase: daily ? (m) => m.weekday : (m) => m.weekend * slots + m.slot,
})

const LONGEST_WAIT = { daily: 15, hourly: 8 } // days: two weeks, or from one weekend to the next

/** Whether the phase had a similar anomaly the last time: then it is a pattern, not an incident. */
export const becomesHabit = (habits: Habits, rhythm: Rhythm, moment: Moment, x: number, side: number, centre: number): boolean => {
  const phase = habits.phase(moment)
  const earlier = habits.waiting.get(phase)
  if (!side) {
    habits.waiting.delete(phase)
    return false
  }
  habits.waiting.set(phase, { hours: moment.hours, x, side })
  if (!earlier || earlier.side !== side) return false
  const days = (moment.hours - earlier.hours) / 24
  const alike = Math.abs(x - earlier.x) < 0.6 * Math.abs(x - centre)
  return alike && days > 0.9 && days < (rhythm.daily ? LONGEST_WAIT.daily : LONGEST_WAIT.hourly)
}
