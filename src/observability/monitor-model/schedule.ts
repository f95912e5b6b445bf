import { isTimezone, lastCronTime, nextCronTime } from '../../platform/queue/cron.ts'

/** When a monitor runs, in its time zone. Pure. */
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
  /** Absent: UTC. */
  readonly timezone?: string
}

export interface ScheduleInput {
  readonly cadence?: Schedule['cadence'] | null
  readonly hour?: number | null
  readonly day?: number | null
  readonly frequency?: number | null
  readonly timezone?: string | null
}

const DAY = 24
const WEEK = 168

/** Completes a partial schedule, or returns an error message. The frequency applies to hourly schedules only. */
export const parseSchedule = ({ cadence, hour, day, frequency, timezone }: ScheduleInput): Schedule | string => {
  const resolved = cadence ?? inferCadence(frequency)
  if (timezone && !isTimezone(timezone)) return `“${timezone}” is not a time zone. Use an IANA name such as Europe/Berlin.`
  const zone = timezone && timezone !== 'UTC' ? { timezone } : {}
  if (resolved === 'daily') return { cadence: resolved, hour: hour ?? 0, day: null, frequency: DAY, ...zone }
  if (resolved === 'weekly') return { cadence: resolved, hour: hour ?? 0, day: day ?? 0, frequency: WEEK, ...zone }
  const every = frequency ?? 1
  if (!EVERY_HOURS.includes(every)) return `frequency must be one of ${EVERY_HOURS.join(', ')} for an hourly schedule.`
  return { cadence: resolved, hour: (hour ?? 0) % every, day: null, frequency: every, ...zone }
}

const inferCadence = (frequency: number | null | undefined): Schedule['cadence'] =>
  EVERY_HOURS.includes(frequency ?? 0) ? 'hourly' : frequency === WEEK ? 'weekly' : 'daily'

export const computeNextRun = (schedule: Schedule, after: Date): Date =>
  new Date(Math.min(...toCrons(schedule).map((cron) => nextCronTime(cron, after, schedule.timezone)!.getTime())))

/** The scheduled time at or before `before`. */
export const computeLastRun = (schedule: Schedule, before: Date): Date =>
  new Date(Math.max(...toCrons(schedule).map((cron) => lastCronTime(cron, before, schedule.timezone)!.getTime())))

/** One expression for each hour of the day: an expression with several hours would run twice where clocks go back. */
const toCrons = ({ cadence, hour, day, frequency }: Schedule): string[] => {
  if (cadence === 'weekly') return [`0 ${hour} * * ${day ?? 0}`]
  if (frequency === 1) return ['0 * * * *']
  return Array.from({ length: DAY / frequency }, (_, i) => `0 ${hour + i * frequency} * * *`)
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Used in the activity log. */
export const formatSchedule = ({ cadence, hour, day, frequency, timezone }: Schedule): string => {
  const at = `at ${String(hour).padStart(2, '0')}:00 ${timezone ?? 'UTC'}`
  if (cadence === 'hourly') return `${frequency === 1 ? 'every hour' : `every ${frequency} hours`}${timezone ? `, ${timezone}` : ''}`
  return cadence === 'daily' ? `daily ${at}` : `on ${DAYS[day ?? 0]}s ${at}`
}
