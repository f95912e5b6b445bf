import { isNamingConventionWord } from '../search-index/title-words.ts'

/** Equal for names with the same words: `net_revenue`, `NetRevenues` and `Net revenue`. Empty if the name has no words. */
export const nameKey = (name: string): string => {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const telling = words.filter((word) => !isNamingConventionWord(word))
  return (telling.length > 0 ? telling : words).map(toSingular).join(' ')
}

/** `orders` → `order`, `countries` → `country`; `status`, `class` and `basis` stay. */
const toSingular = (word: string): string =>
  word
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=ss|x|ch|sh)es$/, '')
    .replace(/(?<=..[^siu])s$/, '')
