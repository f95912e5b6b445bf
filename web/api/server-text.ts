import { language, locale } from '../i18n/language.ts'
import { selectPluralForm, splitTemplate, t } from '../i18n/messages.ts'

/** A text of the server: a template, whose translations are in the language files, and the values of its placeholders. */
export interface Translatable {
  readonly template: string
  readonly values: Readonly<Record<string, unknown>>
}

const isTranslatable = (value: unknown): value is Translatable => typeof value === 'object' && value !== null && 'template' in value

const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
const listFormat = new Intl.ListFormat(locale)

/** Translates a template and, in it, values that are templates themselves. Spaces around an empty value collapse. */
const translateText = (text: Translatable): string =>
  splitTemplate(text.template, (name, forms) => formatTextValue(text.values[name], forms))
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .trim()

const formatTextValue = (value: unknown, forms?: string): string => {
  if (typeof value === 'number') return forms === undefined ? numberFormat.format(value) : selectPluralForm(value, forms)
  if (Array.isArray(value)) return listFormat.format(value.map((each) => formatTextValue(each)))
  return isTranslatable(value) ? translateValue(value) : String(value ?? '')
}

/** Unlike a whole text, a part keeps its spaces: `, in 3 measurements`. */
const translateValue = ({ template, values }: Translatable): string =>
  splitTemplate(template, (name, forms) => formatTextValue(values[name], forms)).join('')

/** A text of the server in the language of the app. In English the text itself, which can say more than its template. */
export const showServerText = (text: string, translatable: Translatable | null | undefined): string =>
  language !== 'en' && translatable ? translateText(translatable) : text

/** An error of the server. Without a template it is shown as it is, and said to come from the server. */
export const showServerError = (text: string, translatable: Translatable | undefined): string => {
  if (language === 'en') return text
  return translatable ? translateText(translatable) : t('The server answered: {text}', { text })
}

interface SentencePart {
  /** Its placeholder: `performer`, `resource`. */
  readonly name?: string
  readonly value: string
}

/** A sentence about an activity in parts, so that names can be emphasized. Nested sentences are part of it. */
export const splitSentence = ({ template, values }: Translatable): SentencePart[] =>
  splitTemplate(template, (name, forms): SentencePart[] =>
    name === 'sentence' && isTranslatable(values[name])
      ? splitSentence(values[name])
      : [{ name, value: formatTextValue(values[name], forms) }],
  ).flatMap((part) => (typeof part === 'string' ? [{ value: part }] : (part as SentencePart[])))
