/** Moments, in the reader's zone and language, with the exact UTC under the pointer. */
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const sinceWords = (at: string, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000
  if (Math.abs(seconds) < 45) return 'just now'
  if (Math.abs(seconds) > 30 * 86_400) return short.format(new Date(at))
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length * 0.75) ?? UNITS[2]
  return relative.format(Math.round(seconds / length), unit)
}

const utc = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** "3 hours ago", or with `full` the date and the time. */
export const When = ({ at, full }: { at: string | null | undefined; full?: boolean }) =>
  at ? (
    <time dateTime={at} title={utc(at)} className="whitespace-nowrap">
      {full ? exact.format(new Date(at)) : sinceWords(at)}
    </time>
  ) : (
    <span className="text-faint">never</span>
  )
