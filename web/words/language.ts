/** Supported languages, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const
export type Language = keyof typeof LANGUAGES

export const KEPT = 'language' // in localStorage
const isLanguage = (tag: string | null | undefined): tag is Language => tag != null && Object.hasOwn(LANGUAGES, tag)
const base = (tag: string): string => tag.split('-')[0]!.toLowerCase()
const inBrowser = 'document' in globalThis // unit tests run without one

/** The selected language, or the first supported one of the browser's languages. */
const choose = (): Language => {
  const chosen = localStorage.getItem(KEPT)
  return isLanguage(chosen) ? chosen : (navigator.languages.map(base).find(isLanguage) ?? 'en')
}

export const language: Language = inBrowser ? choose() : 'en'

/** For dates and numbers: the browser's regional variant (`en-GB`) if it matches the language. */
export const locale: string = inBrowser && base(navigator.language) === language ? navigator.language : language
