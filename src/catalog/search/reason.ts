import type { RankedHit } from '../search-index/find-ranked.ts'
import type { SearchTerm } from '../search-index/search-term.ts'
import type { Tier } from '../search-index/tiers.ts'
import type { Reason } from './schema.ts'

/** The match reason: tier, field, and a snippet around the first match with the ranges to highlight. */
const MAX_SNIPPET_LENGTH = 200
const CONTEXT_LENGTH = 60 // characters of context before the first match
export const INDEXED_LENGTH = 50_000 // characters of a text that are indexed

/** The field that a match of this tier was found in. */
export const matchedField = (tier: Tier): Reason['field'] =>
  tier === 'documentation' ? 'definition' : tier === 'description' ? 'description' : 'title'

export const toMatchReason = (
  { tier, matched, matches, pinned }: Pick<RankedHit, 'tier' | 'matched' | 'matches' | 'pinned'>,
  text: string,
  term: SearchTerm | undefined,
): Reason => {
  const field = matchedField(tier)
  const shown = matches && (tier === 'context' || tier === 'partial') ? { matches: [...matches] } : {}
  return {
    tier,
    matched,
    words: term?.words.length ?? 0,
    ...shown,
    ...(pinned && { pinned }),
    field,
    ...buildSnippet(text, term ? findMatchRanges(text, term) : []),
  }
}

type Range = [number, number]

/** Ranges of the text that match a word of the term: whole words and parts of identifiers. */
const findMatchRanges = (text: string, { words, typed }: SearchTerm): Range[] => {
  const whole = fold(text)
  const start = typed === '' ? -1 : whole.indexOf(fold(typed))
  if (start >= 0 && whole.length === text.length) return [[start, start + typed.length]]
  const lexemes = words.flatMap(({ alternatives }) => alternatives.flat())
  const ranges: Range[] = []
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const folded = fold(token)
    const match = lexemes.find(
      ({ text, stem, unfinished }) => folded === text || (unfinished && folded.startsWith(text)) || isSameWord(folded, stem),
    )
    if (!match) continue
    const marked = match.unfinished && folded.startsWith(match.text) ? Math.min(token.length, match.text.length) : token.length
    ranges.push([index, index + marked])
  }
  return ranges
}

/** `Order`, `orders`, `XML` and `12` of `OrderXMLorders12`. */
const TOKENS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu

const fold = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase()
const ASCII = /^[\0-\x7f]*$/

/** Whether two forms belong to the same word, precise enough for highlighting: `companies` and `compani`. */
const isSameWord = (word: string, stem: string): boolean => {
  if (word.startsWith(stem)) return word.length - stem.length <= 4 && stem.length >= 3
  return stem.length >= 4 && word.startsWith(stem.slice(0, -1)) && Math.abs(word.length - stem.length) <= 3
}

const buildSnippet = (text: string, ranges: readonly Range[]): { snippet: string; ranges: Range[] } => {
  const first = ranges[0]?.[0] ?? 0
  let from = text.length <= MAX_SNIPPET_LENGTH || first <= CONTEXT_LENGTH ? 0 : text.indexOf(' ', first - CONTEXT_LENGTH) + 1
  if (from > first || from < 0) from = first
  const snippet = text.slice(from, from + MAX_SNIPPET_LENGTH).toWellFormed()
  return {
    snippet,
    ranges: ranges.flatMap(([start, end]): Range[] => (end - from <= snippet.length && start >= from ? [[start - from, end - from]] : [])),
  }
}
