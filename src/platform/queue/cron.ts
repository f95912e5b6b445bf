import { parseCronItem } from 'graphile-worker'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const MAX_SEARCH_MS = 9 * 366 * DAY_MS // covers the longest gap between two 29ths of February

/** Whether this is a valid cron expression: `minute hour day month weekday`, UTC. */
export const isCron = (text: string): boolean => {
  try {
    parseCronItem({ task: 'check', match: text })
    return true
  } catch {
    return false
  }
}

/** The first matching minute after `after`; undefined if there is none, e.g. for the 31st of February. */
export const nextCronTime = (cron: string, after: Date): Date | undefined => {
  const { match } = parseCronItem({ task: 'check', match: cron })
  const { match: onDay } = parseCronItem({ task: 'check', match: ['*', '*', ...cron.trim().split(/\s+/).slice(2)].join(' ') })
  const first = (Math.floor(after.getTime() / MINUTE_MS) + 1) * MINUTE_MS
  for (let at = first; at < first + MAX_SEARCH_MS; ) {
    if (match(toCronDigest(at))) return new Date(at)
    // Skips days that do not match.
    at = onDay(toCronDigest(at)) ? at + MINUTE_MS : (Math.floor(at / DAY_MS) + 1) * DAY_MS
  }
  return undefined
}

export const toCronDigest = (time: number) => {
  const at = new Date(time)
  return { min: at.getUTCMinutes(), hour: at.getUTCHours(), date: at.getUTCDate(), month: at.getUTCMonth() + 1, dow: at.getUTCDay() }
}
