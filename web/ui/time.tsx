import { locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'

/** Times in the user's zone and language, with UTC as the tooltip. */
const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const dateTimeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const formatRelative = (at: string, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000
  const apart = Math.abs(seconds)
  if (apart < 45) return t('just now')
  if (apart > 30 * DAY) return dateFormat.format(new Date(at))
  // By calendar day: this morning is not "yesterday".
  const days = toDayNumber(Date.parse(at)) - toDayNumber(now)
  if (apart >= 0.75 * DAY && days !== 0) return relativeFormat.format(days, 'day')
  return apart >= 0.75 * HOUR
    ? relativeFormat.format(Math.round(seconds / HOUR), 'hour')
    : relativeFormat.format(Math.round(seconds / MINUTE), 'minute')
}

/** Day number in the user's zone. */
const toDayNumber = (at: number): number => Math.floor((at / 1000 - new Date(at).getTimezoneOffset() * MINUTE) / DAY)

const formatUtc = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** "3 hours ago", or with `full` date and time. */
export const RelativeTime = ({ at, full }: { at: string | null | undefined; full?: boolean }) =>
  at ? (
    <time dateTime={at} title={formatUtc(at)} className="whitespace-nowrap">
      {full ? dateTimeFormat.format(new Date(at)) : formatRelative(at)}
    </time>
  ) : (
    <span className="text-faint">{t('never')}</span>
  )
