const HOUR_MS = 3_600_000

/** A point in time with its calendar phases. All in UTC; daylight saving changes of the source count as noise. */
export type Moment = {
  /** Hours since 1970. */
  readonly hours: number
  readonly day: number
  readonly weekday: number
  readonly weekend: 0 | 1
  /** Index of the run within the day. */
  readonly slot: number
}

export type Rhythm = {
  readonly frequency_hours: number
  /** Runs in a day, at least one. */
  readonly slots: number
  readonly daily: boolean
  readonly weekly: boolean
  readonly runs_per_month: number
}

export const getRhythm = (frequency_hours: number): Rhythm => ({
  frequency_hours,
  slots: Math.max(1, Math.round(24 / frequency_hours)),
  daily: frequency_hours >= 24,
  weekly: frequency_hours >= 168,
  runs_per_month: 720 / frequency_hours,
})

export const toMoment = (at: Date, rhythm: Rhythm): Moment => {
  const hours = at.getTime() / HOUR_MS
  const day = Math.floor(hours / 24)
  const weekday = (((day + 4) % 7) + 7) % 7
  const slot = Math.min(rhythm.slots - 1, Math.floor((hours - 24 * day) / Math.min(24, rhythm.frequency_hours)))
  return { hours, day, weekday, weekend: weekday === 0 || weekday === 6 ? 1 : 0, slot }
}

/** Hours between two times of day, regardless of the date. */
export const clockDistance = (a: number, b: number, period = 24): number => {
  const d = (((a - b) % period) + period) % period
  return Math.min(d, period - d)
}

export type MonthPosition = {
  readonly date: number
  /** 0 on the last day of the month. */
  readonly from_end: number
  /** 1 on the first Monday-to-Friday of the month; 0 on weekends. */
  readonly workday: number
}

/** Position of a day in its month, in the three ways batch jobs are usually scheduled. */
export const getMonthPosition = (day: number): MonthPosition => {
  const date = new Date(day * 24 * HOUR_MS)
  const of_month = date.getUTCDate()
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const weekday = date.getUTCDay()
  let workday = 0
  if (weekday !== 0 && weekday !== 6)
    for (let d = 1; d <= of_month; d++) {
      const w = (((weekday - (of_month - d)) % 7) + 7) % 7
      if (w !== 0 && w !== 6) workday++
    }
  return { date: of_month, from_end: length - of_month, workday }
}

// Common holidays. Of the movable ones only Easter, Thanksgiving and the US Monday holidays are included.
const FIXED_HOLIDAYS = new Set([101, 501, 704, 1224, 1225, 1226, 1231])

const easterDay = (year: number): number => {
  // The anonymous Gregorian computus.
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return Date.UTC(year, month - 1, ((h + l - 7 * m + 114) % 31) + 1) / (24 * HOUR_MS)
}

export const isHoliday = (day: number): boolean => {
  const date = new Date(day * 24 * HOUR_MS)
  const month = date.getUTCMonth() + 1
  const of_month = date.getUTCDate()
  const weekday = date.getUTCDay()
  if (FIXED_HOLIDAYS.has(100 * month + of_month)) return true
  if (weekday === 1 && ((month === 5 && of_month >= 25) || (month === 9 && of_month <= 7))) return true
  if (month === 11 && of_month >= 22 && of_month <= 28 && weekday === 4) return true
  const after_easter = day - easterDay(date.getUTCFullYear())
  return after_easter === -2 || after_easter === 1
}
