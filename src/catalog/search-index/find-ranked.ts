import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findNearest, type Meanings } from '../search-vectors/nearest.ts'
import { findBestHits } from './best-hits.ts'
import { buildSteps, candidatesSql } from './candidates.ts'
import type { ExpandedWord } from './expand-words.ts'
import { criteriaSql, restrictToVisible, type SearchCriteria } from './hits-sql.ts'
import { type Features, loadFeatures, type Match } from './match-features.ts'
import { addNamesakeMatches, findNamesakeLexeme, listNames, namesakesSql } from './namesakes.ts'
import { matchPropertyNames } from './property-names.ts'
import { type RankingWeights, rankCandidates, type Scored, type ScorePart } from './ranking.ts'
import { loadTermFrequencies } from './term-frequencies.ts'
import type { Hit, RankedHits, Tier } from './tiers.ts'
import { isNamingConventionWord } from './title-words.ts'

/** A result with its score. Hits below the ranked ones, in the order of the index, have none. */
export interface RankedHit extends Hit {
  readonly score?: number
  readonly parts?: readonly ScorePart[]
  readonly matches?: readonly { readonly word: string; readonly match: Match }[]
  /** How many of the words match. */
  readonly matched: number
  /** An admin pinned it for this query. */
  readonly pinned?: true
}

/** The best matches of the index that are ranked again by everything that is known about them. */
const RANKED_HITS = 60
/** With fewer titles than this that contain every word, synonyms, the context and partial matches are searched too. */
const ENOUGH_TITLES = 30

/** With this many results that contain every word, others are left out. */
const ENOUGH_COMPLETE = 20
/** Results with less than half of the words are added up to this many. */
const MIN_HITS = 10

export interface RankedSearch {
  readonly hits: readonly RankedHit[]
  /** Whether these are all matches. */
  readonly all: boolean
}

export const findRankedHits = async (
  ctx: Context,
  criteria: SearchCriteria,
  words: readonly ExpandedWord[],
  weights?: RankingWeights,
): Promise<RankedSearch> => {
  const { term, most, most_at_once } = criteria
  const size = words.length
  const strict = await findBestHits(ctx, {
    ...criteria,
    most: size > 0 ? RANKED_HITS : most,
    most_at_once: Math.max(most, most_at_once ?? RANKED_HITS),
    for_ranking: size > 0,
  })
  // A count needs every match that was found.
  const limit = most_at_once === undefined ? most : Number.POSITIVE_INFINITY
  if (size === 0)
    return { hits: strict.hits.slice(0, limit).map((hit) => ({ ...hit, matched: 0 })), all: strict.hits.length <= limit && strict.all }
  const features = matchPropertyNames(words, addNamesakeMatches(await findFeatures(ctx, criteria, words, strict)))
  const required = hasEnoughComplete(words, features) || strict.by_path > 0 ? size : Math.ceil(size / 2)
  const named = new Map(strict.hits.slice(0, strict.by_path).map(({ id, tier }) => [id, tier]))
  const ranked = rankCandidates(term, features, weights)
  const inOrder = [...ranked.filter(({ id }) => named.has(id)), ...ranked.filter(({ id }) => !named.has(id))]
  const toHit = ({ id, score, parts, matched, features }: Scored): RankedHit => {
    const matches = features.matches.map((match, i) => ({ word: words[i]!.text, match }))
    const tier = named.get(id) ?? (matched < size ? 'partial' : (features.tier ?? 'context'))
    return { id, score, parts, matches, matched: named.has(id) ? size : matched, tier }
  }
  const isEnough = ({ id, matched, features }: Scored) => named.has(id) || matched >= required || isComplete(words, features)
  const [enough, few] = [inOrder.filter(isEnough), inOrder.filter((each) => !isEnough(each) && each.matched > 0)]
  // Few of the words are better than nothing, but only as many as nobody has to scroll past.
  const filling = required < size ? few.slice(0, Math.max(0, MIN_HITS - enough.length)) : []
  const hits = [...enough, ...filling].map(toHit)
  // Pages after the ranked results continue in the order of the index; of a first page that is not counted, the candidates are enough.
  const isEnoughForPage = strict.all || hits.length >= most || (most_at_once === undefined && most <= ENOUGH_TITLES)
  const rest = isEnoughForPage ? strict : await findBestHits(ctx, { ...criteria, most })
  const ids = new Set(features.map(({ id }) => id))
  for (const hit of rest.hits) if (!ids.has(hit.id)) hits.push({ ...hit, matched: size })
  return { hits: hits.slice(0, limit), all: hits.length < limit && rest.all }
}

const isComplete = (words: readonly ExpandedWord[], { matches }: Features): boolean =>
  matches.every((match, i) => match !== 'none' || isNamingConventionWord(words[i]!.text))

const hasEnoughComplete = (words: readonly ExpandedWord[], features: readonly Features[]): boolean =>
  features.filter((each) => isComplete(words, each)).length >= ENOUGH_COMPLETE

/** The candidates with everything that ranking needs. Words are only left out while few candidates were found. */
const findFeatures = async (
  ctx: Context,
  { term, types, where }: SearchCriteria,
  words: readonly ExpandedWord[],
  { hits, by_path }: RankedHits,
): Promise<Features[]> => {
  const first = hits.slice(0, RANKED_HITS)
  const titles = first.filter(({ tier }) => TITLE_TIERS.includes(tier)).length
  const searchWider = by_path === 0 && (titles < ENOUGH_TITLES || words.some(({ references }) => references.length > 0))
  const frequencies = await loadTermFrequencies(ctx)
  const [step, ...looser] = searchWider ? buildSteps(frequencies, { words, types }) : []
  const criteria = { term, types, where }
  const meanings: Meanings = searchWider ? await findNearest(ctx, term.typed, nearestCriteria(ctx, criteria)) : new Map()
  const best = sql`select unnest((select ${[...first.map(({ id }) => id), ...meanings.keys()]}::uuid[]))`
  const features = await loadFeatures(
    ctx,
    words,
    step ? sql`${best} union ${candidatesSql(ctx, step, criteria)}` : best,
    criteria,
    meanings,
  )
  const addFeatures = async (candidates: RawBuilder<unknown>) => {
    const known = features.map(({ id }) => id)
    features.push(
      ...(await loadFeatures(ctx, words, sql`${candidates} except select unnest((select ${known}::uuid[]))`, criteria, meanings)),
    )
  }
  // With enough results that contain every word, those with fewer words would be left out anyway.
  for (const each of looser)
    if (features.length < each.below && !(each.partial && hasEnoughComplete(words, features)))
      await addFeatures(candidatesSql(ctx, each, criteria))
  if (words.length < 2 || !searchWider) return features
  const names = listNames(
    rankCandidates(term, features)
      .slice(0, NAMED_HITS)
      .map((each) => each.features),
  )
  if (names.length > 0) await addFeatures(namesakesSql(ctx, names, { ...criteria, lexeme: findNamesakeLexeme(frequencies) }))
  return features
}

/** The conditions on `r`, with what the caller can see; none if everything counts, so that no row has to be read. */
const nearestCriteria = (ctx: Context, criteria: Pick<SearchCriteria, 'types' | 'where'>): RawBuilder<boolean>[] => {
  const { types, where } = restrictToVisible(ctx, criteria)
  return types === undefined && where.length === 0 ? [] : [criteriaSql({ types, where })]
}

/** The best candidates whose namesakes are candidates, too. */
const NAMED_HITS = 3
const TITLE_TIERS: readonly Tier[] = ['exact_title', 'title_prefix', 'title_phrase', 'title_words']
