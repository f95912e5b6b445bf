import type { Context } from '../../platform/context/context.ts'
import { buildLookups } from './candidates.ts'
import type { ExpandedWord } from './expand-words.ts'
import type { SearchCriteria } from './hits-sql.ts'
import { type Features, loadFeatures, type Match } from './match-features.ts'
import { inheritMatches, listNames, namesakesSql } from './namesakes.ts'
import { type RankingWeights, rankCandidates, type ScorePart } from './ranking.ts'
import { findBestHits, type Hit, type RankedHits, type Tier } from './relevance.ts'
import { loadTermFrequencies } from './term-frequencies.ts'
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
/** With fewer candidates than this, those are searched that match fewer of the words. */
const ENOUGH_CANDIDATES = 30

/** With this many results that contain every word, others are left out. */
const ENOUGH_COMPLETE = 20

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
  const { term, most } = criteria
  const size = words.length
  const strict = await findBestHits(ctx, { ...criteria, most: Math.max(most, RANKED_HITS) })
  if (size === 0)
    return { hits: strict.hits.slice(0, most).map((hit) => ({ ...hit, matched: 0 })), all: strict.hits.length <= most && strict.all }
  const features = inheritMatches(await findFeatures(ctx, criteria, words, strict))
  const tiers = new Map(strict.hits.map(({ id, tier }) => [id, tier]))
  const isComplete = (matches: readonly Match[]) => matches.every((match, i) => match !== 'none' || isNamingConventionWord(words[i]!.text))
  const complete = features.filter(({ matches }) => isComplete(matches)).length
  const required = complete >= ENOUGH_COMPLETE || strict.by_path > 0 ? size : Math.ceil(size / 2)
  const named = new Set(strict.hits.slice(0, strict.by_path).map(({ id }) => id))
  const ranked = rankCandidates(term, features, weights)
  const inOrder = [...ranked.filter(({ id }) => named.has(id)), ...ranked.filter(({ id }) => !named.has(id))]
  const hits: RankedHit[] = inOrder.flatMap(({ id, score, parts, matched, features }) => {
    const matches = features.matches.map((match, i) => ({ word: words[i]!.text, match }))
    const tier = matched === size || named.has(id) ? tiers.get(id) : undefined
    if (tier) return [{ id, score, parts, matches, matched: size, tier }]
    return matched < required && !isComplete(features.matches)
      ? []
      : [{ id, score, parts, matches, matched, tier: matched === size ? 'context' : 'partial' }]
  })
  const ids = new Set(features.map(({ id }) => id))
  for (const hit of strict.hits.slice(RANKED_HITS)) if (!ids.has(hit.id)) hits.push({ ...hit, matched: size })
  return { hits: hits.slice(0, most), all: hits.length < most && strict.all }
}

/** The candidates with everything that ranking needs. Words are only left out while few candidates were found. */
const findFeatures = async (
  ctx: Context,
  { term, type, where }: SearchCriteria,
  words: readonly ExpandedWord[],
  { hits, by_path }: RankedHits,
): Promise<Features[]> => {
  const first = hits.slice(0, RANKED_HITS)
  const titles = first.filter(({ tier }) => TITLE_TIERS.includes(tier)).length
  const searchWider = by_path === 0 && (titles < ENOUGH_TITLES || words.some(({ references }) => references.length > 0))
  const lookups = searchWider ? buildLookups(ctx, await loadTermFrequencies(ctx), { words, type, where }) : []
  const ids = first.map(({ id }) => id)
  let used = Math.min(lookups.length, 1)
  let features = await loadFeatures(ctx, words, { ids, lookups: lookups.slice(0, used) }, { type, where })
  while (used < lookups.length && features.length < ENOUGH_CANDIDATES) {
    used += 1
    features = await loadFeatures(
      ctx,
      words,
      { ids: features.map(({ id }) => id), lookups: lookups.slice(used - 1, used) },
      { type, where },
    )
  }
  const best = words.length > 1 && searchWider ? rankCandidates(term, features).slice(0, NAMED_HITS) : []
  const names = listNames(best.map((each) => each.features))
  if (names.length === 0) return features
  const namesakes = await loadFeatures(ctx, words, { ids: [], lookups: [namesakesSql(ctx, names, { type, where })] }, { type, where })
  const known = new Set(features.map(({ id }) => id))
  return [...features, ...namesakes.filter(({ id }) => !known.has(id))]
}

/** The best candidates whose namesakes are candidates, too. */
const NAMED_HITS = 3
const TITLE_TIERS: readonly Tier[] = ['exact_title', 'title_prefix', 'title_phrase', 'title_words']
