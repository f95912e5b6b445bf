import { locale } from '../words/language.ts'
import { t } from '../words/words.ts'

/** Number formatting. */
const plain = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })

export const count = (n: number): string => plain.format(n)
export const about = (n: number): string => (n < 10_000 ? plain.format(n) : compact.format(n))

const SIZES = [t('B'), t('KB'), t('MB'), t('GB'), t('TB'), t('PB')]
export const bytes = (n: number): string => {
  const step = Math.min(SIZES.length - 1, n < 1 ? 0 : Math.floor(Math.log(n) / Math.log(1024)))
  return `${plain.format(Math.round((n / 1024 ** step) * 10) / 10)} ${SIZES[step]}`
}
