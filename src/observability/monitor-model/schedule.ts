/** When a monitor runs. All times are UTC, which has no daylight saving changes. Pure. */
export const CADENCES = ['hourly', 'daily', 'weekly'] as const
const EVERY_HOURS: readonly number[] = [1, 3, 6, 12]

export interface Schedule {
  readonly cadence: (typeof CADENCES)[number]
  /** Hour of the day; for hourly schedules, the hour from which runs are counted. */
  readonly hour: number
  /** Day of the week for weekly schedules, 0 is Sunday. */
  readonly day: number | null
  /** Hours between runs. */
  readonly frequency: number
}

export interface ScheduleInput {
  readonly cadence?: Schedule['cadence'] | null
  readonly hour?: number | null
  readonly day?: number | null
  readonly frequency?: number | null
}

const DAY = 24
const WEEK = 168
const HOUR_MS = 3_600_000
const SUNDAY_MS = Date.UTC(1970, 0, 4)

/** Completes a partial schedule, or returns an error message. The frequency applies to hourly schedules only. */
export const parseSchedule = ({ cadence, hour, day, frequency }: ScheduleInput): Schedule | string => {
  const resolved = cadence ?? inferCadence(frequency)
  if (resolved === 'daily') return { cadence: resolved, hour: hour ?? 0, day: null, frequency: DAY }
  if (resolved === 'weekly') return { cadence: resolved, hour: hour ?? 0, day: day ?? 0, frequency: WEEK }
  const every = frequency ?? 1
  if (!EVERY_HOURS.includes(every)) return `frequency must be one of ${EVERY_HOURS.join(', ')} for an hourly schedule.`
  return { cadence: resolved, hour: (hour ?? 0) % every, day: null, frequency: every }
}

const inferCadence = (frequency: number | null | undefined): Schedule['cadence'] =>
  EVERY_HOURS.includes(frequency ?? 0) ? 'hourly' : frequency === WEEK ? 'weekly' : 'daily'

export const computeNextRun = ({ cadence, hour, day, frequency }: Schedule, after: Date): Date => {
  const period = frequency * HOUR_MS
  const first = cadence === 'weekly' ? SUNDAY_MS + (day ?? 0) * DAY * HOUR_MS + hour * HOUR_MS : hour * HOUR_MS
  return new Date(first + (Math.floor((after.getTime() - first) / period) + 1) * period)
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Used in the activity log. */
export const formatSchedule = ({ cadence, hour, day, frequency }: Schedule): string => {
  const at = `at ${String(hour).padStart(2, '0')}:00 UTC`
  if (cadence === 'hourly') return frequency === 1 ? 'every hour' : `every ${frequency} hours`
  return cadence === 'daily' ? `daily ${at}` : `on ${DAYS[day ?? 0]}s ${at}`
}
