import type { Rhythm } from './calendar.ts'

/** What our own alarms teach: a monitor that cries often is mistaken more often than its data is. */
export type Alarms = {
  /** When alarms began; neighbouring ones are one. */
  readonly episodes: number[]
  /** How far the first value of an alarm lay from the centre, as a share of it. */
  readonly flags: { readonly hours: number; readonly distance: number }[]
  /** Distances that people called normal. */
  readonly forgiven: { readonly hours: number; readonly distance: number }[]
  /** Calm runs left until the episode is over. */
  open: number
}

const EPISODE_MEMORY = 45 * 24
const FREE_EPISODES = 2
const EPISODE_COST = 0.15
const RESOLVED_AFTER = 3 // as the service resolves an incident after three runs in range

// Above this rate alarms on one side are more often noise than incidents, and an alarm costs more than it gives.
const TOLERANCE = { daily: { alarms: 4, days: 120 }, hourly: { alarms: 3, days: 14 } }
const LARGEST_TOLERATED_DROP = 0.45 // losing half of the rows is never usual, unless people say so
const FORGIVEN_DAYS = 180

export const createAlarms = (): Alarms => ({ episodes: [], flags: [], forgiven: [], open: 0 })

/** By what the limits widen because alarms were frequent. */
export const cautionOf = (alarms: Alarms, hours: number): number => {
  while (alarms.episodes.length && alarms.episodes[0]! < hours - EPISODE_MEMORY) alarms.episodes.shift()
  return 1 + EPISODE_COST * Math.min(8, Math.max(0, alarms.episodes.length - FREE_EPISODES))
}

/** How far above and below the centre. */
type Sides = { readonly up: number; readonly down: number }

/** Distances from the centre that people called normal. */
export const forgivenOf = (alarms: Alarms, hours: number): Sides => {
  while (alarms.forgiven.length && alarms.forgiven[0]!.hours < hours - 24 * FORGIVEN_DAYS) alarms.forgiven.shift()
  const farthest = (side: number) => alarms.forgiven.reduce((most, { distance }) => Math.max(most, side * distance), 0)
  return { up: farthest(1), down: farthest(-1) }
}

/** Distances that are no alarm: called normal by people, or alarmed about so often that they must be. */
export const toleratedOf = (alarms: Alarms, hours: number, { daily }: Rhythm): Sides => {
  const rule = daily ? TOLERANCE.daily : TOLERANCE.hourly
  while (alarms.flags.length && alarms.flags[0]!.hours < hours - 24 * rule.days) alarms.flags.shift()
  // The second largest of several: the largest may have been the one incident.
  const frequent = (side: number) => {
    if (alarms.flags.length < rule.alarms) return 0
    const sizes = alarms.flags.filter((flag) => flag.distance * side > 0).map((flag) => Math.abs(flag.distance))
    return sizes.length >= rule.alarms ? sizes.sort((a, b) => b - a)[1]! : 0
  }
  const forgiven = forgivenOf(alarms, hours)
  return { up: Math.max(frequent(1), forgiven.up), down: Math.max(Math.min(LARGEST_TOLERATED_DROP, frequent(-1)), forgiven.down) }
}

export const forgive = (alarms: Alarms, hours: number, distance: number): void => {
  alarms.forgiven.push({ hours, distance })
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
