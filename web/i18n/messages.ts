import { type Language, language, locale } from './language.ts'

type Messages = Readonly<Record<string, string>>

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ default: Messages }>> = {
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
}

/**
 * English is in the code; another language is loaded before any module that uses it runs, so that constants can hold translated text.
 * If its file cannot be loaded, the app falls back to English.
 */
const translations: Messages =
  language === 'en'
    ? {}
    : await LOADERS[language]().then(
        ({ default: message }) => message,
        () => ({}),
      )

/** Names of the placeholders in a message: `{who} owns {n:# table|# tables}` → `who`, `n`. */
export type Placeholders<S extends string> = S extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}:${string}` ? Name : Slot) | Placeholders<Rest>
  : never

const numberFormat = new Intl.NumberFormat(locale)
const pluralRules = new Intl.PluralRules(locale)
const CATEGORIES = pluralRules.resolvedOptions().pluralCategories

/** Text after ` // ` is a note for translators about an ambiguous word: `Open // of a question`. */
const translate = (message: string): string => translations[message] || message.split(' // ', 1)[0]!

const PLACEHOLDER = /\{(\w+)(?::([^}]*))?\}/

/** A message in the current language, split at its placeholders: text and values alternate. */
export const splitTemplate = (message: string, put: (name: string, forms: string | undefined) => unknown): unknown[] => {
  const parts: unknown[] = translate(message).split(PLACEHOLDER)
  const all: unknown[] = []
  for (let i = 0; i < parts.length; i += 3) {
    all.push(parts[i])
    if (i + 1 < parts.length) all.push(put(parts[i + 1] as string, parts[i + 2] as string | undefined))
  }
  return all
}

/** The plural form for a number: `# table|# tables` and 2 → `2 tables`. */
export const selectPluralForm = (n: number, forms: string): string => {
  const all = forms.split('|')
  const selected = all[Math.min(CATEGORIES.indexOf(pluralRules.select(n)), all.length - 1)]!
  return selected.replace('#', numberFormat.format(n))
}

/** Translates a message: `t('Save')`, `t('{who} added {n:# tag|# tags}', { who, n: 3 })`. */
export const t = <const S extends string>(
  message: S,
  ...[values]: [Placeholders<S>] extends [never] ? [] : [Readonly<Record<Placeholders<S>, string | number>>]
): string => (values ? fillTemplate(message, values) : translate(message))

const fillTemplate = (message: string, values: Readonly<Record<string, string | number>>): string =>
  splitTemplate(message, (name, forms) => {
    const value = values[name]!
    if (typeof value === 'string') return value
    return forms === undefined ? numberFormat.format(value) : selectPluralForm(value, forms)
  }).join('')

/** `1 table`, `2 tables`. */
export const pluralize = (n: number, noun: string, nouns = `${noun}s`): string => fillTemplate(`{n:# ${noun}|# ${nouns}}`, { n })
