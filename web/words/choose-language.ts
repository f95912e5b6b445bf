import { KEPT, type Language } from './language.ts'

/** Words stand in constants, too: the app begins anew. */
export const chooseLanguage = (language: Language): void => {
  localStorage.setItem(KEPT, language)
  location.reload()
}
