import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import { matchesIndexSql, matchesTextSql, type SearchTerm } from './search-term.ts'
import { allWordsQuery, quoteLexeme, type SearchVector, type SearchWord } from './search-word.ts'
import type { IndexedVector } from './term-frequencies.ts'

/** Parameters of a query on the search tables `search_titles s` and `search_texts t` (migrations/0022_titles_and_texts.sql). */
export interface SearchCriteria {
  readonly term: SearchTerm
  /** Set if only these entity types are searched: they are part of the index. */
  readonly types?: readonly string[]
  /** Further conditions on `r`. Without any, the wide resource rows need not be read. */
  readonly where: readonly RawBuilder<boolean>[]
  /** Whether the conditions may leave only a few of the matching rows. */
  readonly narrow: boolean
  readonly most: number
  /** More matches are returned, up to this many, if one look-up finds all of them. */
  readonly most_at_once?: number
  /**
   * Ranking decides their order: of many matching titles only the most used are read, whatever their tier, and texts with frequent words are left
   * to the look-ups of candidates.
   */
  readonly for_ranking?: boolean
}

/** Up to this many matches of words are counted. Of more, as many: the most used ones if the words are frequent. */
export const MAX_COUNTED_MATCHES = 1_000

/** Filter lexemes for usage, from the most used down. */
export const USAGE_LEXEMES = Array.from({ length: 20 }, (_, i) => `#u${20 - i}`)

/** Matches the filter lexemes of these entity types. */
export const typesQuery = (types: readonly string[]): string => `(${types.map((type) => quoteLexeme(`#${type}`)).join('|')})`

/** Adds the condition on what the actor can see, unless that is everything. */
export const restrictToVisible = <T extends Pick<SearchCriteria, 'where'>>({ actor }: Context, criteria: T): T =>
  seesEverything(actor) ? criteria : { ...criteria, where: [visibleTo(actor), ...criteria.where] }

/**
 * A tsquery hidden from the planner: the plan is the same for all terms, and planning takes longer than executing it. Postgres only keeps a plan
 * if no parameter promises a cheaper one, so limits are hidden too.
 */
export const opaqueTsQuery = (query: string | null): RawBuilder<unknown> => sql`(select ${query}::tsquery)`
export const opaqueLimit = (rows: number): RawBuilder<unknown> => sql`limit (select ${rows}::int)`

export interface TierRow {
  readonly id: string
  readonly tier: number
}

/** The criteria as a condition on `r`, or on a title `s` whose resource is only joined if needed. */
export const criteriaSql = ({ types, where }: Pick<SearchCriteria, 'types' | 'where'>): RawBuilder<boolean> =>
  sql<boolean>`${sql.join([...(types ? [sql<boolean>`r.entity_type = any(${types}::text[])`] : []), ...where, sql`true`], sql` and `)}`
const criteriaJoinSql = ({
  types,
  where,
}: Pick<SearchCriteria, 'types' | 'where'>): { resource: RawBuilder<unknown>; matchesCriteria: RawBuilder<boolean> } => ({
  resource: where.length > 0 ? sql`join resources r on r.id = s.resource_id` : sql``,
  matchesCriteria: sql<boolean>`${sql.join([...(types ? [sql`s.words @@ ${opaqueTsQuery(typesQuery(types))}`] : []), ...where, sql`true`], sql` and `)}`,
})

/** The tier of a match in the title `s`, or in the texts `t`. */
const tierSql = (term: SearchTerm, within: IndexedVector): RawBuilder<number> =>
  within === 'texts'
    ? sql<number>`case when ${matchesTextSql(term, opaqueTsQuery)} then 5 else 6 end`
    : sql<number>`case when ${isTitleSql(term)} then 1 when ${titleStartsWithSql(term)} then 2 when ${phraseInTitleSql(term)} then 3 else 4 end`
/** The tier of a row of `search_titles s` with its texts `t`; null if some word is missing. */
export const anyTierSql = (term: SearchTerm): RawBuilder<number | null> => sql<number | null>`case
  when ${titleMatchesSql(term)} then ${tierSql(term, 'title')} when ${matchesTextSql(term, opaqueTsQuery)} then 5 when t.docs @@ ${opaqueTsQuery(term.query)} then 6 end`
export const isTitleSql = ({ joined, exact_words }: SearchTerm): RawBuilder<boolean> =>
  sql<boolean>`(replace(s.title_words, ' ', '') = ${joined} or s.title_words = ${exact_words})`
export const titleStartsWithSql = ({ joined }: SearchTerm): RawBuilder<boolean> =>
  sql<boolean>`starts_with(replace(s.title_words, ' ', ''), ${joined})`
export const phraseInTitleSql = ({ phrase }: SearchTerm): RawBuilder<boolean> => sql<boolean>`strpos(s.title_words, ${phrase}) > 0`
export const titleMatchesSql = ({ title_query }: SearchTerm): RawBuilder<boolean> => sql<boolean>`s.words @@ ${opaqueTsQuery(title_query)}`

/** Excludes rows whose title words, as far as `t` contains them, match: fewer titles have to be looked up. */
export const notInTitleSql = ({ title_words_query }: SearchTerm): RawBuilder<boolean> =>
  sql<boolean>`not ts_filter(t.words, '{a}') @@ ${opaqueTsQuery(title_words_query)}`

/** Matches a search vector together with queries for filter lexemes. The documentation vector has none; those of its row are used. */
export const matchesVectorSql = (vector: SearchVector, query: string, filters: readonly string[]): RawBuilder<unknown> => {
  if (vector === 'docs')
    return sql`t.docs @@ ${opaqueTsQuery(query)} ${filters.length > 0 ? sql`and t.words @@ ${opaqueTsQuery(filters.join('&'))}` : sql``}`
  return sql`${vector === 'title' ? sql`s` : sql`t`}.words @@ ${opaqueTsQuery([`(${query})`, ...filters].join('&'))}`
}

/** Index lookup for these words and filter lexemes. For texts it may return more rows than match. */
export const indexLookupSql = (
  { term, types }: SearchCriteria,
  words: readonly SearchWord[],
  ...filterLexemes: readonly string[]
): { readonly [vector in IndexedVector]: RawBuilder<unknown> } => {
  const filters = [...filterLexemes.map(quoteLexeme), ...(types ? [typesQuery(types)] : [])]
  const some = (vector: SearchVector) => matchesVectorSql(vector, allWordsQuery(words, vector), filters)
  const rest = (all: RawBuilder<unknown>) => (words.length < term.words.length ? sql`and (${all}) is true` : sql``)
  return {
    title: sql`select * from search_titles s where ${some('title')} ${rest(titleMatchesSql(term))} offset 0`,
    texts: sql`
      select * from search_texts t where (${some('texts')} or ${some('docs')}) and ${notInTitleSql(term)}
        ${rest(sql`t.words @@ ${opaqueTsQuery(term.text_query)} or t.docs @@ ${opaqueTsQuery(term.query)}`)} offset 0`,
  }
}

/** The matching resources among these, ranked. */
export const rankedSql = (criteria: SearchCriteria, ids: RawBuilder<unknown>, state: RawBuilder<unknown>): RawBuilder<TierRow> => {
  const { term, most } = criteria
  const { resource, matchesCriteria } = criteriaJoinSql(criteria)
  return sql<TierRow>`
    select s.resource_id as id, case when ${titleMatchesSql(term)} then ${tierSql(term, 'title')} else ${tierSql(term, 'texts')} end as tier
    from (${ids}) few (id) join search_titles s on s.resource_id = few.id ${resource} left join search_texts t on t.resource_id = few.id
    where ${matchesIndexSql(term, opaqueTsQuery)} and ${state} and ${matchesCriteria}
    order by s.archived, tier, s.usage desc, s.resource_id ${opaqueLimit(most)}`
}

/** The matching titles or texts that also satisfy `also`, without archived resources. */
export const hitsSql = (
  criteria: SearchCriteria,
  within: IndexedVector,
  rows: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  order = BEST_FIRST_SQL,
): RawBuilder<TierRow> => {
  const { resource, matchesCriteria } = criteriaJoinSql(criteria)
  return sql<TierRow>`
    select s.resource_id as id, ${tierSql(criteria.term, within)} as tier
    from (${rows}) ${within === 'title' ? sql`s` : sql`t join search_titles s on s.resource_id = t.resource_id`} ${resource}
    where ${condition} and not s.archived and ${matchesCriteria} ${order} ${opaqueLimit(criteria.most)}`
}
export const BEST_FIRST_SQL = sql`order by tier, s.usage desc, s.resource_id`
