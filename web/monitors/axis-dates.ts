import uPlot from 'uplot'
import { language, locale } from '../i18n/language.ts'

/** uPlot formats axis dates the American way; these template parts are replaced by the locale's format, longer ones first. */
const TEMPLATE_PARTS = Object.entries({
  '{M}/{D}/{YY}': new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', year: '2-digit' }),
  '{M}/{D}': new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric' }),
  '{h}:{mm}{aa}': new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }),
  '{h}{aa}': new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }),
  '{MMM}': new Intl.DateTimeFormat(locale, { month: 'short' }),
})

export const formatDates = (template: string): ((date: Date) => string) =>
  language === 'en'
    ? uPlot.fmtDate(template)
    : (date) =>
        uPlot.fmtDate(TEMPLATE_PARTS.reduce((text, [part, format]) => text.replace(part, () => format.format(date)), template))(date)
