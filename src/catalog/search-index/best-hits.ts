import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import {
  BEST_FIRST_SQL,
  hitsSql,
  indexLookupSql,
  isTitleSql,
  MAX_COUNTED_MATCHES,
  matchesVectorSql,
  notInTitleSql,
  opaqueLimit,
  opaqueTsQuery,
  phraseInTitleSql,
  rankedSql,
  restrictToVisible,
  type SearchCriteria,
  type TierRow,
  titleMatchesSql,
  titleStartsWithSql,
  typesQuery,
  USAGE_LEXEMES,
} from './hits-sql.ts'
import { matchesTextSql } from './search-term.ts'
import { quoteLexeme, type SearchVector, type SearchWord } from './search-word.ts'
import { estimateMatches, type Frequencies, findRarestWords, type IndexedVector, loadTermFrequencies } from './term-frequencies.ts'
import { type Hit, type RankedHits, TIERS } from './tiers.ts'
import { findByPath, findByTitlePrefix, findExactTitles } from './title-hits.ts'

/**
 * Up to this many matches, titles and texts are searched in one statement: saves a round trip of about 1 ms and costs about 20 µs per
 * match. More if all matches are needed anyway.
 */
const MAX_COMBINED_MATCHES = 200
const getCombinedLimit = ({ most, most_at_once = most }: Pick<SearchCriteria, 'most' | 'most_at_once'>): number =>
  Math.max(MAX_COMBINED_MATCHES, Math.min(MAX_COUNTED_MATCHES, most_at_once))
/** Up to this many matches, titles or texts are looked up completely and sorted: about 5 µs each, or 20 µs with the resource row. */
const getInMemorySortLimit = ({ where, most }: Pick<SearchCriteria, 'where' | 'most'>): number =>
  Math.max(where.length > 0 ? 100 : 1000, 2 * most)
/** Above this share of all resources, a sequential read finds the next match sooner than an index lookup of all. */
const SEQUENTIAL_READ_SHARE = 0.05
/** Estimates for several words may be too high by this factor, because words correlate. */
const UNCERTAINTY_FACTOR = 3
/** More than this many matches in texts take long to look up. */
const MAX_TEXT_MATCHES = 5_000
const MAX_LOOKUP_WORDS = 3 // words per index lookup; the rows found are compared with the remaining words

/**
 * The best matches of a term, in order: archived resources last, then by tier, then by usage. Few matches are looked up completely and
 * sorted. For a frequent term that would take seconds with a million resources, so matches are looked up tier by tier, and inside a tier
 * from the most used down (the index contains a rough usage), until there are enough.
 */
export const findBestHits = async (ctx: Context, request: SearchCriteria): Promise<RankedHits> => {
  const criteria = restrictToVisible(ctx, request)
  const { term, most, most_at_once = most } = criteria
  const byPath = term.path ? await findByPath(ctx, criteria, term.path) : []
  const frequencies = await loadTermFrequencies(ctx)
  const within: IndexedVector[] =
    request.for_ranking && estimateMatches(frequencies, criteria, 'texts').atMost > MAX_TEXT_MATCHES ? ['title'] : ['title', 'texts']
  const found =
    term.query === ''
      ? { hits: await findByTitlePrefix(ctx, criteria), at_once: false }
      : await findByWords(ctx, criteria, frequencies, within)
  const others = found.hits
  const hits = byPath.length === 0 ? others : [...byPath, ...others.filter(({ id }) => byPath.every((each) => each.id !== id))]
  const limit = found.at_once ? most_at_once : most
  return { hits: hits.slice(0, limit), all: hits.length < limit && within.length === 2, by_path: byPath.length }
}

interface FoundHits {
  readonly hits: readonly Hit[]
  /** They are all matches, found by one look-up. */
  readonly at_once: boolean
}

const findByWords = async (
  ctx: Context,
  criteria: SearchCriteria,
  frequencies: Frequencies,
  within: readonly IndexedVector[],
): Promise<FoundHits> => {
  const words = findRarestWords(frequencies, criteria.term, MAX_LOOKUP_WORDS)
  const likely = estimateMatches(frequencies, criteria, 'title').likely + estimateMatches(frequencies, criteria, 'texts').likely
  const all = within.length === 2 && likely <= getCombinedLimit(criteria) ? await findRareMatches(ctx, criteria, words) : undefined
  if (all) return { hits: all, at_once: true }
  const exact = criteria.types === undefined ? await findExactTitles(ctx, criteria) : []
  const hits = exact.length >= criteria.most ? exact : await findInStages(ctx, criteria, frequencies, exact, words, within)
  return { hits, at_once: false }
}

const LOWEST_USAGE_LEXEME = '#u1'

const toHit = ({ id, tier }: TierRow): Hit => ({ id, tier: TIERS[tier - 1]! })

/** All matches, found by these words and sorted. Undefined if there are too many. */
const findRareMatches = async (ctx: Context, criteria: SearchCriteria, words: readonly SearchWord[]): Promise<Hit[] | undefined> => {
  const limit = getCombinedLimit(criteria)
  const { title, texts } = indexLookupSql(criteria, words)
  const some = [title, texts].map((each) => sql`(select resource_id as id from (${each}) f limit ${sql.lit(limit + 1)})`)
  const few = sql`select distinct id from few where not exists (select from many)`
  const { rows } = await sql<TierRow | { id: null }>`
    with few as materialized (${sql.join(some, sql` union all `)}), many as materialized (select from few having count(*) > ${sql.lit(limit)})
    (${rankedSql({ ...criteria, most: criteria.most_at_once ?? criteria.most }, few, sql`true`)}) union all select null, null from many
  `.execute(ctx.db, ctx.limits)
  return toHits(rows)
}

/** The same for titles only, or for texts only (not in the title). Without archived resources. */
const findFewMatches = async (
  ctx: Context,
  criteria: SearchCriteria,
  words: readonly SearchWord[],
  within: IndexedVector,
): Promise<Hit[] | undefined> => {
  const { term } = criteria
  const sortLimit = getInMemorySortLimit(criteria)
  const condition =
    within === 'title'
      ? sql`true`
      : sql`(${matchesTextSql(term, opaqueTsQuery)} or t.docs @@ ${opaqueTsQuery(term.query)}) and not ${titleMatchesSql(term)}`
  const { rows } = await sql<TierRow | { id: null }>`
    with few as materialized (select * from (${indexLookupSql(criteria, words)[within]}) f ${opaqueLimit(sortLimit + 1)}), many as materialized (select from few having count(*) > (select ${sortLimit}::int))
    (${hitsSql(criteria, within, sql`select * from few where not exists (select from many)`, condition)}) union all select null, null from many
  `.execute(ctx.db, ctx.limits)
  return toHits(rows)
}

/** Undefined if a row without ID signals too many matches. */
const toHits = (rows: readonly (TierRow | { id: null })[]): Hit[] | undefined => {
  const hits = rows.flatMap((row) => (row.id === null ? [] : toHit(row)))
  return hits.length === rows.length ? hits : undefined
}

/** One tier to search: the index query, the expected number of matches, and further conditions. */
interface SearchStage {
  readonly vector: SearchVector
  readonly query: string
  readonly matches: number
  readonly condition: RawBuilder<boolean>
  /** Whether `also` may leave only a few rows. */
  readonly selective: boolean
  /** Only titles that are the whole term. */
  readonly exact?: boolean
}

const buildStages = (criteria: SearchCriteria, frequencies: Frequencies, within: IndexedVector): SearchStage[] => {
  const { term, types } = criteria
  const { query, title_query, text_query } = term
  const { atMost: matches } = estimateMatches(frequencies, criteria, within)
  if (within === 'texts') {
    const [inTitle, inText] = [titleMatchesSql(term), matchesTextSql(term, opaqueTsQuery)]
    return [
      { vector: 'texts', query: text_query, matches, condition: sql<boolean>`${inText} and not ${inTitle}`, selective: term.approximate },
      { vector: 'docs', query, matches, condition: sql<boolean>`not ${inText} and not ${inTitle}`, selective: false },
    ]
  }
  const several = term.words.length > 1
  const title = { vector: 'title', query: title_query, matches, selective: several } as const
  const [starts, together] = [titleStartsWithSql(term), phraseInTitleSql(term)]
  return [
    ...(types === undefined ? [] : [{ ...title, condition: isTitleSql(term), selective: true, exact: true }]),
    { ...title, condition: starts },
    { ...title, condition: sql<boolean>`${together} and not ${starts}` },
    { ...title, condition: sql<boolean>`not ${together} and not ${starts}`, selective: !several },
  ]
}

const findInStages = async (
  ctx: Context,
  criteria: SearchCriteria,
  frequencies: Frequencies,
  exact: readonly Hit[],
  words: readonly SearchWord[],
  vectors: readonly IndexedVector[],
): Promise<Hit[]> => {
  const { term, types, most } = criteria
  const found = new Map(exact.map((hit) => [hit.id, hit]))
  const isEnough = (hits: readonly Hit[]): boolean => {
    for (const hit of hits) if (found.size < most && !found.has(hit.id)) found.set(hit.id, hit)
    return found.size >= most
  }
  const uncertainty = term.words.length > 1 || types !== undefined ? UNCERTAINTY_FACTOR : 1
  for (const within of vectors) {
    const { likely } = estimateMatches(frequencies, criteria, within)
    const bounded = criteria.for_ranking && within === 'title' && likely > getInMemorySortLimit(criteria)
    const mayBeFew = !bounded && likely <= getInMemorySortLimit(criteria) * uncertainty
    const all = mayBeFew ? await findFewMatches(ctx, criteria, words, within) : undefined
    if (all && isEnough(all)) return [...found.values()]
    const stages = all ? [] : buildStages(criteria, frequencies, within)
    for (const stage of bounded ? stages.filter(({ exact }) => exact) : stages) {
      let before: { lexeme: string; hits: number } | undefined
      for (;;) {
        const missing = most - found.size
        const step = nextStep(frequencies, stage, { ...criteria, most: missing }, before)
        const hits = await lookUpStage(ctx, criteria, stage, step)
        // A lower step contains the results of the one before, so an insufficient result is only used if it is the last step.
        if ((step.lexeme === undefined || step.lexeme === LOWEST_USAGE_LEXEME || hits.length >= missing) && isEnough(hits))
          return [...found.values()]
        if (step.lexeme === undefined) break
        before = { lexeme: step.lexeme, hits: hits.length }
      }
    }
    if (bounded && isEnough(await findUsedTitles(ctx, criteria, frequencies, likely))) return [...found.values()]
  }
  if (!vectors.includes('texts')) return [...found.values()]
  const { title, texts } = indexLookupSql(criteria, term.words, '#archived')
  const ids = sql`select s.resource_id from (${title}) s union select t.resource_id from (${texts}) t`
  const { rows } = await rankedSql(criteria, ids, sql`s.archived`).execute(ctx.db, ctx.limits)
  isEnough(rows.map(toHit))
  return [...found.values()]
}

/** So many of the most used matches are sorted by tier. */
const SORTED_TITLES = 600

/** Titles of a frequent term for ranking: of used matches only as many as needed. Unused ones rank equally, so any of them will do. */
const findUsedTitles = async (ctx: Context, criteria: SearchCriteria, frequencies: Frequencies, matches: number): Promise<Hit[]> => {
  const { term, most } = criteria
  const stage: SearchStage = { vector: 'title', query: term.title_query, matches, condition: sql`true`, selective: term.words.length > 1 }
  const share = (lexeme: string) => frequencies.shares.title.get(lexeme) ?? 0
  let density = matches
  for (let levels = USAGE_LEXEMES; ; ) {
    const lexeme = levels.find((each) => share(each) * density >= SORTED_TITLES) ?? LOWEST_USAGE_LEXEME
    const hits = await lookUpStage(ctx, criteria, stage, { lexeme })
    if (hits.length >= most) return hits
    if (lexeme === LOWEST_USAGE_LEXEME) {
      const missing = { ...criteria, most: most - hits.length }
      return [...hits, ...(await lookUpStage(ctx, missing, stage, stepToUnused(frequencies, stage, criteria)))]
    }
    density = Math.max(hits.length, 0.5) / share(lexeme)
    levels = levels.slice(levels.indexOf(lexeme) + 1)
  }
}

const lookUpStage = async (
  ctx: Context,
  criteria: SearchCriteria,
  { vector, query, condition }: SearchStage,
  { lexeme, unused, sequential }: LookupStep,
): Promise<Hit[]> => {
  const { term, types } = criteria
  const inTitle = vector === 'title'
  // Used titles have their own index.
  const match = matchesVectorSql(vector, query, [
    ...(lexeme === undefined || (inTitle && lexeme === LOWEST_USAGE_LEXEME) ? [] : [quoteLexeme(lexeme)]),
    ...(types ? [typesQuery(types)] : []),
  ])
  const [table, row] = inTitle ? [sql`search_titles`, sql`s`] : [sql`search_texts`, sql`t`]
  const [used, notUsed] = inTitle
    ? [sql`and s.used`, sql`and not s.used`]
    : [sql``, sql`and not t.words @@ ${opaqueTsQuery(`'${LOWEST_USAGE_LEXEME}'`)}`]
  const matching = sql`
    select * from ${table} ${row} where ${sequential ? sql`(${match}) is true` : match} ${lexeme ? used : unused ? notUsed : sql``}
      ${inTitle ? sql`` : sql`and ${notInTitleSql(term)}`}`
  // "offset 0" makes Postgres plan for all rows, where the index is best; execution still stops at the limit.
  const some = sequential ? matching : sql`${matching} offset 0`
  const order = sequential ? sql`order by s.resource_id` : unused ? sql`` : BEST_FIRST_SQL
  const { rows } = await hitsSql(criteria, inTitle ? 'title' : 'texts', some, condition, order).execute(ctx.db, ctx.limits)
  return rows.map(toHit)
}

interface LookupStep {
  readonly lexeme?: string
  /** Only unused resources: they rank equally, so any of them will do. */
  readonly unused?: boolean
  /**
   * Matches are frequent: read sequentially until there are enough. (`is true` hides the condition from the planner; the order prevents
   * parallel workers.)
   */
  readonly sequential?: boolean
}

const stepToUnused = (
  { resources }: Frequencies,
  { matches, selective }: SearchStage,
  { narrow }: Pick<SearchCriteria, 'narrow'>,
): LookupStep => ({ unused: true, sequential: !narrow && !selective && matches > SEQUENTIAL_READ_SHARE * resources })

/** The usage level at which there should be enough matches, based on the previous step; the last step covers unused resources. */
const nextStep = (
  frequencies: Frequencies,
  stage: SearchStage,
  { where, narrow, most: missing }: Pick<SearchCriteria, 'where' | 'narrow' | 'most'>,
  before: { lexeme: string; hits: number } | undefined,
): LookupStep => {
  const { vector, matches } = stage
  if (matches <= getInMemorySortLimit({ where, most: missing }) || vector === 'docs') return {}
  if (before?.lexeme === LOWEST_USAGE_LEXEME) return stepToUnused(frequencies, stage, { narrow })
  const share = (lexeme: string) => frequencies.shares.title.get(lexeme) ?? 0
  const density = before ? Math.max(before.hits, 0.5) / share(before.lexeme) : matches
  const rest = before ? USAGE_LEXEMES.slice(USAGE_LEXEMES.indexOf(before.lexeme) + 1) : USAGE_LEXEMES
  return { lexeme: rest.find((lexeme) => share(lexeme) * density >= 1.5 * missing) ?? LOWEST_USAGE_LEXEME }
}
