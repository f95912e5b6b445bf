/** Lower case without accents, like the words of the search index. */
export const foldWord = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text.toLowerCase().replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('æ', 'ae').normalize('NFD').replace(/\p{M}/gu, '')

const ASCII = /^[\0-\x7f]*$/

/** `Käufer` is found as `kaufer` and, where a system cannot store umlauts, as `kaeufer`. */
export const foldSpellings = (text: string): string[] => [
  ...new Set([foldWord(text), foldWord(text.replace(/[äöüÄÖÜ]/g, (letter) => UMLAUTS[letter.toLowerCase()]!))]),
]

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** What a folded plural may be the plural of: `companies` → `company`, `addresses` → `address`, `clientes` → `cliente`. */
export const singularForms = (word: string): string[] => {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return []
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1)]
  return word.endsWith('es') ? [word.slice(0, -1), word.slice(0, -2)] : [word.slice(0, -1)]
}
