import { locale } from '../words/language.ts'
import { t } from '../words/words.ts'

export const HOURS = ' h'
export const PERCENT = ' %'

const plain = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 })
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const huge = new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 4 })

const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const rough = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })

/** `40 min`, `2 h 30 min`, `1 d 10 h`: at most two units. */
const hoursWords = (hours: number): string => {
  const minutes = Math.round(Math.abs(hours) * 60)
  const [d, h, min] = minutes >= 1440 ? split(Math.round(minutes / 60), 24) : [0, ...split(minutes, 60)]
  const parts = [d && t('{d} d', { d }), h && t('{h} h', { h }), min && t('{min} min', { min })].filter(Boolean)
  return `${hours < 0 ? '−' : ''}${parts.join(' ') || t('{min} min', { min: 0 })}`
}
const split = (n: number, by: number): [number, number] => [Math.floor(n / by), n % by]

/** A measured value with its unit. */
export const figure = (value: number, unit = ''): string => {
  const size = Math.abs(value)
  if (unit === HOURS && size < 1e6) return hoursWords(value)
  if (unit === PERCENT) return `${(size >= 1 ? tenths : rough).format(value)}${unit}`
  return `${(size >= 1e15 ? huge : size >= 1e6 ? whole : plain).format(value)}${unit}`
}

/** Limits are estimates, so they get fewer digits. */
const bound = (value: number, unit = ''): string =>
  unit === HOURS ? figure(value, unit) : Math.abs(value) < 1000 ? `${rough.format(value)}${unit}` : figure(Math.round(value), unit)

/** `1,588–1,832`, `at least 5`, or undefined without limits. */
export const limits = (lower: number | null, upper: number | null, unit = ''): string | undefined => {
  if (lower !== null && upper !== null) return `${bound(lower, unit === HOURS ? unit : '')}–${bound(upper, unit)}`
  if (lower !== null) return t('at least {limit}', { limit: bound(lower, unit) })
  return upper === null ? undefined : t('at most {limit}', { limit: bound(upper, unit) })
}
