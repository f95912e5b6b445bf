import { LANGUAGE_STORAGE_KEY, type Language } from './language.ts'

/** Reloads the app, as module constants hold translated text, too. */
export const setLanguage = (language: Language): void => {
  localStorage.setItem(LANGUAGE_STORAGE_KEY, language)
  location.reload()
}
