import { locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'

/** Number formatting. */
const numberFormat = new Intl.NumberFormat(locale)
const compactFormat = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

export const formatCount = (n: number): string => numberFormat.format(n)
export const formatApprox = (n: number): string => (n < 10_000 ? numberFormat.format(n) : compactFormat.format(n))

const tenthsFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
/** Of 100: whole numbers without decimals, others with one. */
export const formatPercent = (n: number): string => `${n % 1 === 0 ? numberFormat.format(n) : tenthsFormat.format(n)} %`

const SIZES = [t('B'), t('KB'), t('MB'), t('GB'), t('TB'), t('PB')]
export const formatBytes = (n: number): string => {
  const step = Math.min(SIZES.length - 1, n < 1 ? 0 : Math.floor(Math.log(n) / Math.log(1024)))
  return `${numberFormat.format(Math.round((n / 1024 ** step) * 10) / 10)} ${SIZES[step]}`
}
