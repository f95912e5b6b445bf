import { Cron } from 'croner'

/** Cron expressions in a time zone. On the day a time is skipped, it is the end of the gap; where a time is repeated, it is the first one. */
const parse = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, mode: '5-part', paused: true })

/** Whether this is a valid cron expression: `minute hour day month weekday`. */
export const isCron = (text: string): boolean => {
  try {
    parse(text, 'UTC')
    return true
  } catch {
    return false
  }
}

/** Whether this is an IANA time zone, e.g. `Europe/Berlin`; an offset is not one. */
export const isTimezone = (name: string): boolean => {
  try {
    return /^[a-z]/i.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The first matching minute after `after`; undefined if there is none, e.g. for the 31st of February. */
export const nextCronTime = (cron: string, after: Date, timezone = 'UTC'): Date | undefined =>
  parse(cron, timezone).nextRun(after) ?? undefined

/** The last matching minute at or before `before`. */
export const lastCronTime = (cron: string, before: Date, timezone = 'UTC'): Date | undefined =>
  parse(cron, timezone).previousRuns(1, new Date((Math.floor(before.getTime() / 1000) + 1) * 1000))[0] // exclusive, in whole seconds
