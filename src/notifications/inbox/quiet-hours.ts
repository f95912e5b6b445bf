/** Times at which a person gets no messages. Pure. */
export interface QuietHours {
  /** IANA name. */
  readonly timezone: string
  /** The days on which they begin, 1 = Monday to 7 = Sunday. */
  readonly days: readonly number[]
  /** `22:00`; they end on the next day if `to` is not later. */
  readonly from: string
  readonly to: string
  /** Messages about critical incidents are sent anyway. */
  readonly except_critical: boolean
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MAX_PERIODS = 8 // that follow each other without a gap

/** When the quiet hours that contain this moment end; undefined if none do. */
export const findQuietEnd = (quiet: QuietHours, now: Date): Date | undefined => {
  let end: number | undefined
  for (let i = 0; i < MAX_PERIODS; i += 1) {
    const next = findPeriodEnd(quiet, end ?? now.getTime())
    if (next === undefined) break
    end = next
  }
  return end === undefined ? undefined : new Date(end)
}

/** The end of the period that contains this moment and began today or yesterday. */
const findPeriodEnd = ({ timezone, days, from, to }: QuietHours, at: number): number | undefined => {
  const local = toLocal(at, timezone)
  const today = Math.floor(local / DAY) * DAY
  const [begins, ends] = [toMs(from), toMs(to)]
  const length = (ends - begins + DAY) % DAY || DAY
  for (const day of [today, today - DAY]) {
    const begin = day + begins
    if (!days.includes(getWeekday(day)) || local < begin || local >= begin + length) continue
    const end = toUtc(begin + length, timezone)
    return end > at ? end : at + begin + length - local // in an hour that clocks repeat, the first pass of the end is over
  }
  return undefined
}

const toMs = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * MINUTE
}

const getWeekday = (day: number): number => new Date(day).getUTCDay() || 7

/** The time on the clocks of a zone, as if it were UTC. */
const toLocal = (at: number, timezone: string): number => {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: timezone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)!
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** Twice, because the offset at the result may differ from the one at the first guess. */
const toUtc = (local: number, timezone: string): number => {
  const guess = local - (toLocal(local, timezone) - local)
  return local - (toLocal(guess, timezone) - guess)
}
