import { KEPT, type Language } from './language.ts'

/** Reloads the app, as module constants hold translated text, too. */
export const chooseLanguage = (language: Language): void => {
  localStorage.setItem(KEPT, language)
  location.reload()
}
