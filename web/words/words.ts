import { type Language, language, locale } from './language.ts'

type Words = Readonly<Record<string, string>>

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ default: Words }>> = {
  de: () => import('./de.json'),
  es: () => import('./es.json'),
  fr: () => import('./fr.json'),
}

/**
 * English stands in the code; another language comes before anything that uses it is run, so that constants may hold words, too.
 * Where its file cannot be had, English is better than an empty page.
 */
const theirs: Words =
  language === 'en'
    ? {}
    : await LOADERS[language]().then(
        ({ default: words }) => words,
        () => ({}),
      )

/** What a sentence leaves open: `{who} owns {n:# table|# tables}` → `who`, `n`. */
export type Slots<S extends string> = S extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}:${string}` ? Name : Slot) | Slots<Rest>
  : never

const plain = new Intl.NumberFormat(locale)
const plural = new Intl.PluralRules(locale)
const CATEGORIES = plural.resolvedOptions().pluralCategories

/** What stands after ` // ` tells translators where a word is said that means more than one thing: `Open // of a question`. */
const said = (words: string): string => theirs[words] || words.split(' // ', 1)[0]!

const SLOT = /\{(\w+)(?::([^}]*))?\}/

/** A sentence of the code in the reader's language, cut where something goes in: text and slots take turns. */
export const cut = (words: string, put: (name: string, forms: string | undefined) => unknown): unknown[] => {
  const parts: unknown[] = said(words).split(SLOT)
  const all: unknown[] = []
  for (let i = 0; i < parts.length; i += 3) {
    all.push(parts[i])
    if (i + 1 < parts.length) all.push(put(parts[i + 1] as string, parts[i + 2] as string | undefined))
  }
  return all
}

/** The form that goes with a number: `# table|# tables` and 2 → `2 tables`. */
export const form = (n: number, forms: string): string => {
  const all = forms.split('|')
  const chosen = all[Math.min(CATEGORIES.indexOf(plural.select(n)), all.length - 1)]!
  return chosen.replace('#', plain.format(n))
}

/** In the reader's language: `t('Save')`, `t('{who} left {n:# word|# words}', { who, n: 3 })`. */
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
