/** Supported languages, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const
export type Language = keyof typeof LANGUAGES

export const LANGUAGE_STORAGE_KEY = 'language' // in localStorage
const isLanguage = (tag: string | null | undefined): tag is Language => tag != null && Object.hasOwn(LANGUAGES, tag)
const toBaseLanguage = (tag: string): string => tag.split('-')[0]!.toLowerCase()
const inBrowser = 'document' in globalThis // unit tests run without one

/** The selected language, or the first supported one of the browser's languages. */
const detectLanguage = (): Language => {
  const selected = localStorage.getItem(LANGUAGE_STORAGE_KEY)
  return isLanguage(selected) ? selected : (navigator.languages.map(toBaseLanguage).find(isLanguage) ?? 'en')
}

export const language: Language = inBrowser ? detectLanguage() : 'en'

/** For dates and numbers: the browser's regional variant (`en-GB`) if it matches the language. */
export const chooseLocale = (tag: string, language: Language): string =>
  toBaseLanguage(tag) === language && isLocale(tag) ? tag : language

/** Chromium without a locale of the system reports `en-US@posix`, which `Intl` rejects. */
const isLocale = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

export const locale: string = inBrowser ? chooseLocale(navigator.language, language) : language
