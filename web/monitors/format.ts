import { language, locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'

export const HOURS_UNIT = ' h'
export const PERCENT_UNIT = ' %'

const plain = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 })
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const huge = new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 4 })

const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const rough = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })

/** `40 min`, `2 h 30 min`, `1 d 10 h`: at most two units. */
const formatHours = (hours: number): string => {
  const minutes = Math.round(Math.abs(hours) * 60)
  const [d, h, min] = minutes >= 1440 ? divMod(Math.round(minutes / 60), 24) : [0, ...divMod(minutes, 60)]
  const parts = [d && t('{d} d', { d }), h && t('{h} h', { h }), min && t('{min} min', { min })].filter(Boolean)
  return `${hours < 0 ? '−' : ''}${parts.join(' ') || t('{min} min', { min: 0 })}`
}
const divMod = (n: number, by: number): [number, number] => [Math.floor(n / by), n % by]

/** A measured value with its unit. */
export const formatFigure = (value: number, unit = ''): string => {
  const size = Math.abs(value)
  if (unit === HOURS_UNIT && size < 1e6) return formatHours(value)
  if (unit === PERCENT_UNIT) return `${(size >= 1 ? tenths : rough).format(value)}${unit}`
  return `${(size >= 1e15 ? huge : size >= 1e6 ? whole : plain).format(value)}${unit}`
}

/** Limits are estimates, so they get fewer digits. */
const formatLimit = (value: number, unit = ''): string =>
  unit === HOURS_UNIT
    ? formatFigure(value, unit)
    : Math.abs(value) < 1000
      ? `${rough.format(value)}${unit}`
      : formatFigure(Math.round(value), unit)

/** `1,588–1,832`, `at least 5`, or undefined without limits. */
export const formatLimits = (lower: number | null, upper: number | null, unit = ''): string | undefined => {
  if (lower !== null && upper !== null) return `${formatLimit(lower, unit === HOURS_UNIT ? unit : '')}–${formatLimit(upper, unit)}`
  if (lower !== null) return t('at least {limit}', { limit: formatLimit(lower, unit) })
  return upper === null ? undefined : t('at most {limit}', { limit: formatLimit(upper, unit) })
}

interface Limits {
  readonly lower_threshold: number | null
  readonly upper_threshold: number | null
  readonly explanation: string | null
}

/** How the limits were determined, which the server says in English; in other languages the limits. */
export const explainLimits = ({ lower_threshold, upper_threshold, explanation }: Limits, unit: string): string | undefined => {
  if (language === 'en') return explanation ?? undefined
  const limits = formatLimits(lower_threshold, upper_threshold, unit)
  return limits && t('expected: {limits}', { limits })
}
