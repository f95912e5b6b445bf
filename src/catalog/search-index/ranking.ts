import type { Features, Match } from './match-features.ts'
import type { SearchTerm } from './search-term.ts'
import type { SearchWord } from './search-word.ts'
import { isNamingConventionWord, toNameKey } from './title-words.ts'

/**
 * How results are ordered. The score of a result is the sum of its parts; `explain=true` returns them. Everything that decides the order is in
 * this file, except what a title is about (title-words.ts) and what its namesakes say (namesakes.ts).
 */
export interface RankingWeights {
  /** How well the words match, by where they match. */
  readonly text: number
  /** How much of the title the words cover. */
  readonly title: number
  readonly usage: number
  readonly views: number
  /** How close its meaning is, if an embeddings service is set. */
  readonly meaning: number
  readonly verified: number
  readonly described: number
  readonly own: number
  readonly stale: number
  /** More than everything but the words: it comes after all comparable results. */
  readonly deprecated: number
  /** A column or event property, which is mostly searched through its parent. */
  readonly part: number
  /** Raw, staging, temporary, test, archived or copied data, judged by its path. */
  readonly layer: number
}

/** Admins can adjust them for the workspace. */
export const DEFAULT_WEIGHTS: RankingWeights = {
  text: 10,
  title: 3,
  usage: 1,
  views: 0.3,
  meaning: 2,
  verified: 0.4,
  described: 0.2,
  own: 0.3,
  stale: -1,
  deprecated: -6,
  part: -0.5,
  layer: -0.5,
}

/** What a match of one word is worth, by where it is. */
const MATCH_VALUES: Readonly<Record<Match, number>> = {
  none: 0,
  named: 1.15,
  title: 1,
  title_beginning: 0.95,
  reference: 0.8,
  title_synonym: 0.7,
  part_phrase: 1,
  part: 0.6,
  path: 0.6,
  property: 0.6,
  description: 0.6,
  context_synonym: 0.1,
  description_synonym: 0.3,
  namesake: 0.4,
  documentation: 0.3,
  title_related: 0.35,
  context_related: 0.1,
  description_related: 0.2,
  meaning: 0.25,
}

export interface ScorePart {
  /** A weight, or `name`: other results with the same name come before it. */
  readonly name: keyof RankingWeights | 'name'
  readonly value: number
}
export interface Scored {
  readonly id: string
  readonly score: number
  readonly parts: readonly ScorePart[]
  readonly matched: number
  readonly features: Features
}

export const rankCandidates = (term: SearchTerm, candidates: readonly Features[], weights = DEFAULT_WEIGHTS): Scored[] => {
  const rarity = measureRarity(term, candidates)
  const ranked = candidates.map((features) => score(term, features, rarity, weights)).sort(compare)
  const typed = findTypedBeginning(term)
  return typed === undefined ? ranked : spreadNames(ranked, typed)
}

/** The only word, if it may still be unfinished: it is not clear yet which name is meant. */
const findTypedBeginning = ({ words }: SearchTerm): string | undefined => {
  const { text, unfinished } = words[0]?.alternatives[0]?.[0] ?? {}
  return words.length === 1 && unfinished ? text : undefined
}

/** Shows each name first that begins like this, and then further tables of the same name. */
const spreadNames = (ranked: readonly Scored[], typed: string): Scored[] => {
  const seen = new Map<string, number>()
  const whole = toNameKey(typed)
  return ranked
    .map((each) => {
      const name = toNameKey(each.features.about.subject)
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      if (before === 0 || name.split(' ').includes(whole)) return each
      const value = -Math.min(MAX_NAME_PENALTY, before * NAME_PENALTY)
      return { ...each, score: each.score + value, parts: [...each.parts, { name: 'name' as const, value }] }
    })
    .sort(compare)
}
const NAME_PENALTY = 0.5
const MAX_NAME_PENALTY = 1

const compare = (a: Scored, b: Scored): number =>
  Number(a.features.archived) - Number(b.features.archived) ||
  b.score - a.score ||
  b.features.usage - a.features.usage ||
  (a.id < b.id ? -1 : 1)

/**
 * How rare each word is among the candidates: a word that few of them have says more. Only visible resources are counted, so that hidden
 * ones do not influence the order.
 */
const measureRarity = ({ words }: SearchTerm, candidates: readonly Features[]): number[] =>
  words.map((word, i) => {
    const having = candidates.filter(({ matches }) => matches[i] !== 'none').length
    // A word that none of them has says nothing about their order.
    if (having === 0) return 0
    const rarity = Math.log(1 + (candidates.length + 1) / (having + 1))
    return isNamingConventionWord(getText(word)) && words.length > 1 ? NAMING_WORD_SHARE * rarity : rarity
  })

const getText = (word: SearchWord): string => word.alternatives[0]![0]!.text

const score = (term: SearchTerm, features: Features, rarity: readonly number[], weights: RankingWeights): Scored => {
  const { matches, usage, views, meaning, verified, described, own, stale, deprecated, entity_type, title_full } = features
  const matched = matches.filter((match) => match !== 'none').length
  const values: Readonly<Record<keyof RankingWeights, number>> = {
    text: isInside(title_full, term.path) ? 1 : computeTextMatch(matches, rarity),
    title: computeTitleMatch(term, features),
    usage: Math.log10(1 + usage) / 4,
    views: Math.log10(1 + views) / 3,
    meaning,
    verified: Number(verified),
    described: Number(described),
    own: Number(own),
    stale: Number(stale),
    deprecated: Number(deprecated),
    part: Number(entity_type === 'column' || entity_type === 'event_property'),
    layer: judgeLayer(title_full),
  }
  const parts = (Object.keys(values) as (keyof RankingWeights)[]).flatMap((name) => {
    const value = weights[name] * values[name]
    return value === 0 ? [] : [{ name, value }]
  })
  return { id: features.id, score: parts.reduce((sum, { value }) => sum + value, 0), parts, matched, features }
}

/** The share of the words that match, by rarity and by where. */
const computeTextMatch = (matches: readonly Match[], rarity: readonly number[]): number => {
  const all = rarity.reduce((sum, each) => sum + each, 0)
  return all === 0 ? 0 : matches.reduce((sum, match, i) => sum + rarity[i]! * MATCH_VALUES[match], 0) / all
}

/** A typed word such as `dim` or `staging` says less than the others. */
const NAMING_WORD_SHARE = 0.25

/** Steps on the way to a finished table, and copies for others. */
const LAYERS =
  /(^|[._])(raw|landing|bronze|stg|staging|stage|prep|base|int|intermediate|snapshots?|snp|legacy|export|audit|test|hist|history)([._]|\d*$)/i
/** What people keep and no longer use; it counts twice. */
const LEFTOVERS =
  /(^|[._])(tmp|temp|dev|sandbox|playground|scratch|archived?|backup|bak|old|deprecated|copy|quarantine|rejected)([._]|\d*$)/i
/** Facts, dimensions and marts are made to be used, so they come before what they are made from and before copies of them. */
const FINISHED = /(^|\.)(fct|fact|dim|mart)_[^.]*$/i
const judgeLayer = (title_full: string): number => {
  if (LEFTOVERS.test(title_full)) return 2
  return LAYERS.test(title_full) ? 1 : FINISHED.test(title_full) ? -1 : 0
}

/** A synonym in the title covers less of it than the word itself, and words of naming rules hardly make it longer. */
const SYNONYM_SHARE = 0.7
const OTHER_WORD_SHARE = 0.1

/** 1 if the title is what was typed, less the more other words it has. */
const computeTitleMatch = (term: SearchTerm, { title_words, title_full, about, matches }: Features): number => {
  const { joined, exact_words, words } = term
  const joinedTitle = title_words.replaceAll(' ', '')
  if (isInside(title_full, term.path)) return INSIDE
  if (joinedTitle === joined || title_words === exact_words) return isWrittenAs(title_full, term.typed) ? AS_WRITTEN : 1
  const { subject, size, others } = about
  const inTitle = matches.filter((match) => match === 'title' || match === 'title_beginning').length
  const synonyms = matches.filter((match) => match === 'title_synonym').length
  const parts = inTitle === 0 ? 1 : words.reduce((sum, { alternatives }) => sum + (alternatives.at(-1)?.length ?? 1), 0) / words.length
  const coverage = Math.min(1, ((inTitle + SYNONYM_SHARE * synonyms) * parts) / Math.max(1, size + OTHER_WORD_SHARE * others))
  // `kunde` for `kunden`: the title is what was typed, in another form.
  const isWhole = words.length === 1 && size === 1 && matches[0] === 'title'
  const place = isWhole || startsSubject(subject, term) ? 0.2 : title_words.includes(term.phrase) ? 0.1 : 0
  return Math.min(0.9, 0.75 * coverage + place) + (joinedTitle.startsWith(joined) ? 0.01 : 0)
}

/** `TillReceipt` and `dim_customer` name one table: others with the same words come after it. */
const AS_WRITTEN = 1.52 // more than the usage, verification and layer of the other
const INSIDE = 1.3
const isWrittenAs = (title_full: string, typed: string): boolean => IDENTIFIER.test(typed) && `.${title_full}`.endsWith(`.${typed}`)
const IDENTIFIER = /^\S*(_|\p{Ll}\p{Lu}|\d)\S*$/u

/** `dwh.hr` names a schema: what is in it comes first. */
const isInside = (title_full: string, path: SearchTerm['path']): boolean =>
  path !== undefined && `.${title_full.toLowerCase()}`.includes(`.${path.join('.').toLowerCase()}.`)

const startsSubject = (subject: string, { phrase, joined }: SearchTerm): boolean =>
  subject.startsWith(phrase) || subject.replaceAll(' ', '').startsWith(joined)
