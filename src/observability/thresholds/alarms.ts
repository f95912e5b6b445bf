import type { Rhythm } from './calendar.ts'

/** Learning from past alarms: a monitor that raises many alarms is more often wrong than its data. */
export type Alarms = {
  /** Start times of alarms; consecutive alarms are one episode. */
  readonly episodes: number[]
  /** Relative distance of an alarm's first value from the centre. */
  readonly flags: { readonly hours: number; readonly distance: number }[]
  /** Distances that users marked as expected. */
  readonly accepted: { readonly hours: number; readonly distance: number }[]
  /** Runs inside the limits left until the episode ends. */
  open: number
}

const EPISODE_MEMORY = 45 * 24
const FREE_EPISODES = 2
const EPISODE_COST = 0.15
const RESOLVED_AFTER = 3 // incidents are also resolved after three runs in range

// Above this rate, alarms on one side are more often noise than incidents.
const TOLERANCE = { daily: { alarms: 4, days: 120 }, hourly: { alarms: 3, days: 14 } }
const LARGEST_TOLERATED_DROP = 0.45 // losing half of the rows is an alarm unless users marked it as expected
const ACCEPTED_DAYS = 180

export const createAlarms = (): Alarms => ({ episodes: [], flags: [], accepted: [], open: 0 })

/** Factor by which frequent alarms widen the limits. */
export const getWideningFactor = (alarms: Alarms, hours: number): number => {
  while (alarms.episodes.length && alarms.episodes[0]! < hours - EPISODE_MEMORY) alarms.episodes.shift()
  return 1 + EPISODE_COST * Math.min(8, Math.max(0, alarms.episodes.length - FREE_EPISODES))
}

/** How far above and below the centre. */
type Sides = { readonly up: number; readonly down: number }

/** Largest distances from the centre that users marked as expected. */
export const getAcceptedDeviations = (alarms: Alarms, hours: number): Sides => {
  while (alarms.accepted.length && alarms.accepted[0]!.hours < hours - 24 * ACCEPTED_DAYS) alarms.accepted.shift()
  const farthest = (side: number) => alarms.accepted.reduce((largest, { distance }) => Math.max(largest, side * distance), 0)
  return { up: farthest(1), down: farthest(-1) }
}

/** Distances that raise no alarm: marked as expected, or so frequent that they must be normal. */
export const getToleratedDeviations = (alarms: Alarms, hours: number, { daily }: Rhythm): Sides => {
  const tolerance = daily ? TOLERANCE.daily : TOLERANCE.hourly
  while (alarms.flags.length && alarms.flags[0]!.hours < hours - 24 * tolerance.days) alarms.flags.shift()
  // The second largest, because the largest may have been a real incident.
  const frequent = (side: number) => {
    if (alarms.flags.length < tolerance.alarms) return 0
    const sizes = alarms.flags.filter((flag) => flag.distance * side > 0).map((flag) => Math.abs(flag.distance))
    return sizes.length >= tolerance.alarms ? sizes.sort((a, b) => b - a)[1]! : 0
  }
  const accepted = getAcceptedDeviations(alarms, hours)
  return { up: Math.max(frequent(1), accepted.up), down: Math.max(Math.min(LARGEST_TOLERATED_DROP, frequent(-1)), accepted.down) }
}

export const acceptDeviation = (alarms: Alarms, hours: number, distance: number): void => {
  alarms.accepted.push({ hours, distance })
}

export const countAlarm = (alarms: Alarms, side: number, hours: number, distance: number): void => {
  if (!side) {
    if (alarms.open) alarms.open--
    return
  }
  if (!alarms.open) {
    alarms.episodes.push(hours)
    alarms.flags.push({ hours, distance })
  }
  alarms.open = RESOLVED_AFTER
}
