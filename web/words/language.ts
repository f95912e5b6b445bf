/** The languages the app speaks, as their readers call them. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const
export type Language = keyof typeof LANGUAGES

export const KEPT = 'language' // in the browser's own storage
const isLanguage = (tag: string | null | undefined): tag is Language => tag != null && Object.hasOwn(LANGUAGES, tag)
const base = (tag: string): string => tag.split('-')[0]!.toLowerCase()
const inBrowser = 'document' in globalThis // tests of plain logic run without one

/** What one chose here, else the first of the browser's languages that we speak. */
const choose = (): Language => {
  const chosen = localStorage.getItem(KEPT)
  return isLanguage(chosen) ? chosen : (navigator.languages.map(base).find(isLanguage) ?? 'en')
}

export const language: Language = inBrowser ? choose() : 'en'

/** For dates and numbers: the browser's own kind of the language (`en-GB`), where it is that language. */
export const locale: string = inBrowser && base(navigator.language) === language ? navigator.language : language
