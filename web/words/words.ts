import { type Language, language, locale } from './language.ts'

type Words = Readonly<Record<string, string>>

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ default: Words }>> = {
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
}

/**
 * English is in the code; another language is loaded before any module that uses it runs, so that constants can hold translated text.
 * If its file cannot be loaded, the app falls back to English.
 */
const theirs: Words =
  language === 'en'
    ? {}
    : await LOADERS[language]().then(
        ({ default: words }) => words,
        () => ({}),
      )

/** Names of the placeholders in a message: `{who} owns {n:# table|# tables}` → `who`, `n`. */
export type Slots<S extends string> = S extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}:${string}` ? Name : Slot) | Slots<Rest>
  : never

const plain = new Intl.NumberFormat(locale)
const plural = new Intl.PluralRules(locale)
const CATEGORIES = plural.resolvedOptions().pluralCategories

/** Text after ` // ` is a note for translators about an ambiguous word: `Open // of a question`. */
const said = (words: string): string => theirs[words] || words.split(' // ', 1)[0]!

const SLOT = /\{(\w+)(?::([^}]*))?\}/

/** A message in the current language, split at its placeholders: text and values alternate. */
export const cut = (words: string, put: (name: string, forms: string | undefined) => unknown): unknown[] => {
  const parts: unknown[] = said(words).split(SLOT)
  const all: unknown[] = []
  for (let i = 0; i < parts.length; i += 3) {
    all.push(parts[i])
    if (i + 1 < parts.length) all.push(put(parts[i + 1] as string, parts[i + 2] as string | undefined))
  }
  return all
}

/** The plural form for a number: `# table|# tables` and 2 → `2 tables`. */
export const form = (n: number, forms: string): string => {
  const all = forms.split('|')
  const chosen = all[Math.min(CATEGORIES.indexOf(plural.select(n)), all.length - 1)]!
  return chosen.replace('#', plain.format(n))
}

/** Translates a message: `t('Save')`, `t('{who} added {n:# tag|# tags}', { who, n: 3 })`. */
export const t = <const S extends string>(
  words: S,
  ...[values]: [Slots<S>] extends [never] ? [] : [Readonly<Record<Slots<S>, string | number>>]
): string => (values ? fill(words, values) : said(words))

const fill = (words: string, values: Readonly<Record<string, string | number>>): string =>
  cut(words, (name, forms) => {
    const value = values[name]!
    if (typeof value === 'string') return value
    return forms === undefined ? plain.format(value) : form(value, forms)
  }).join('')

/** `1 table`, `2 tables`. */
export const several = (n: number, noun: string, nouns = `${noun}s`): string => fill(`{n:# ${noun}|# ${nouns}}`, { n })
