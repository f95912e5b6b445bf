/** When a monitor runs. Pure; all in UTC, where no hour is missing and none comes twice. */
export const CADENCES = ['hourly', 'daily', 'weekly'] as const
const EVERY_HOURS: readonly number[] = [1, 3, 6, 12]

export interface Schedule {
  readonly cadence: (typeof CADENCES)[number]
  /** Of the day; of an hourly one, the hour its runs are counted from. */
  readonly hour: number
  /** Of the week, Sunday 0: only weekly ones have it. */
  readonly day: number | null
  /** Hours from one run to the next. */
  readonly frequency: number
}

export interface ScheduleIn {
  readonly cadence?: Schedule['cadence'] | null
  readonly hour?: number | null
  readonly day?: number | null
  readonly frequency?: number | null
}

const DAY = 24
const WEEK = 168
const HOUR_MS = 3_600_000
const SUNDAY_MS = Date.UTC(1970, 0, 4)

/** The whole schedule of what was said of it; text says what is wrong. The frequency means something to hourly ones alone. */
export const readSchedule = ({ cadence, hour, day, frequency }: ScheduleIn): Schedule | string => {
  const known = cadence ?? cadenceOf(frequency)
  if (known === 'daily') return { cadence: known, hour: hour ?? 0, day: null, frequency: DAY }
  if (known === 'weekly') return { cadence: known, hour: hour ?? 0, day: day ?? 0, frequency: WEEK }
  const every = frequency ?? 1
  if (!EVERY_HOURS.includes(every)) return `frequency must be one of ${EVERY_HOURS.join(', ')} hours when it runs hourly.`
  return { cadence: known, hour: (hour ?? 0) % every, day: null, frequency: every }
}

const cadenceOf = (frequency: number | null | undefined): Schedule['cadence'] =>
  EVERY_HOURS.includes(frequency ?? 0) ? 'hourly' : frequency === WEEK ? 'weekly' : 'daily'

/** The first due time after this moment. */
export const nextRun = ({ cadence, hour, day, frequency }: Schedule, after: Date): Date => {
  const period = frequency * HOUR_MS
  const first = cadence === 'weekly' ? SUNDAY_MS + (day ?? 0) * DAY * HOUR_MS + hour * HOUR_MS : hour * HOUR_MS
  return new Date(first + (Math.floor((after.getTime() - first) / period) + 1) * period)
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** For history and people. */
export const inWords = ({ cadence, hour, day, frequency }: Schedule): string => {
  const at = `at ${String(hour).padStart(2, '0')}:00 UTC`
  if (cadence === 'hourly') return frequency === 1 ? 'every hour' : `every ${frequency} hours`
  return cadence === 'daily' ? `daily ${at}` : `on ${DAYS[day ?? 0]}s ${at}`
}
