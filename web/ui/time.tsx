import { locale } from '../words/language.ts'
import { t } from '../words/words.ts'

/** Times in the user's zone and language, with UTC as the tooltip. */
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const short = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const sinceWords = (at: string, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000
  const apart = Math.abs(seconds)
  if (apart < 45) return t('just now')
  if (apart > 30 * DAY) return short.format(new Date(at))
  // By calendar day: this morning is not "yesterday".
  const days = midnight(Date.parse(at)) - midnight(now)
  if (apart >= 0.75 * DAY && days !== 0) return relative.format(days, 'day')
  return apart >= 0.75 * HOUR
    ? relative.format(Math.round(seconds / HOUR), 'hour')
    : relative.format(Math.round(seconds / MINUTE), 'minute')
}

/** Day number in the user's zone. */
const midnight = (at: number): number => Math.floor((at / 1000 - new Date(at).getTimezoneOffset() * MINUTE) / DAY)

const utc = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** "3 hours ago", or with `full` date and time. */
export const When = ({ at, full }: { at: string | null | undefined; full?: boolean }) =>
  at ? (
    <time dateTime={at} title={utc(at)} className="whitespace-nowrap">
      {full ? exact.format(new Date(at)) : sinceWords(at)}
    </time>
  ) : (
    <span className="text-faint">{t('never')}</span>
  )
