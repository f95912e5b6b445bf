import type { ExpandedWord } from './expand-words.ts'
import { type Lexeme, lexemeVariants, quoteLexeme } from './search-word.ts'

/** tsqueries for an expanded word. Titles have their own lexeme format; texts and context use plain stems. */
type Format = 'title' | 'stem'

/** Matches the word itself or any alternative. */
export const expandedQuery = (word: ExpandedWord, format: Format): string =>
  `(${[
    literalQuery(word, format),
    ...word.alternatives.map(({ stem }) => stemQuery(stem, format)),
    ...(format === 'stem' ? [referencesQuery(word.references)] : []).flatMap((query) => query ?? []),
  ].join('|')})`

/** Matches custom properties with one of these values. */
export const referencesQuery = (ids: readonly string[]): string | undefined =>
  ids.length === 0 ? undefined : `(${ids.map((id) => quoteLexeme(`@${id}`)).join('|')})`

/** Matches the word itself, optionally only in the parts of the vector with these weights. */
export const literalQuery = ({ literal }: ExpandedWord, format: Format, weights = ''): string =>
  `(${literal.alternatives.map((lexemes) => lexemes.map((lexeme) => lexemeQuery(lexeme, format, weights)).join('&')).join('|')})`

/** A query for alternatives only, optionally with these weights; undefined if there are none. */
export const alternativesQuery = (
  { alternatives }: ExpandedWord,
  format: Format,
  isWanted: (weight: number) => boolean,
  weights = '',
): string | undefined => {
  const some = alternatives.filter(({ weight }) => isWanted(weight)).map(({ stem }) => stemQuery(stem, format, weights))
  return some.length === 0 ? undefined : `(${some.join('|')})`
}

const MIN_PREFIX_LENGTH = 3

const lexemeQuery = (lexeme: Lexeme, format: Format, weights = ''): string => {
  if (format === 'title') return `(${lexemeVariants(lexeme, 'title').map(quoteLexeme).join('|')})`
  const prefix = lexeme.unfinished && lexeme.text.length >= MIN_PREFIX_LENGTH ? `|${quoteLexeme(lexeme.text)}:*${weights}` : ''
  return `(${quoteLexeme(lexeme.stem)}${weights && `:${weights}`}${prefix})`
}

/** All stems of an alternative: a synonym from the glossary can consist of several words. */
const stemQuery = (stems: string, format: Format, weights = ''): string =>
  `(${stems
    .split(' ')
    .map((stem) => (format === 'title' ? quoteLexeme(`=${stem}`) : `${quoteLexeme(stem)}${weights && `:${weights}`}`))
    .join('&')})`
