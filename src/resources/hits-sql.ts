import { type RawBuilder, sql } from 'kysely'
import type { Searched } from './frequency.ts'
import { allOf, foundInSql, type Place, type Term, toldSql, type Word } from './term.ts'

/** Parameters of a query on the search tables `search_titles s` and `search_texts t` (migrations/0022_titles_and_texts.sql). */
export interface Wanted {
  readonly term: Term
  /** Set if only one entity type is searched: it is part of the index. */
  readonly type?: string
  /** Further conditions on `r`. Without any, the wide resource rows need not be read. */
  readonly where: readonly RawBuilder<boolean>[]
  /** Whether the conditions may leave only a few of the matching rows. */
  readonly narrow: boolean
  readonly most: number
}

/** A tsquery hidden from the planner: the plan is the same for all terms, and planning takes longer than executing it. */
export const asked = (query: string): RawBuilder<unknown> => sql`(select ${query}::tsquery)`

export interface Row {
  readonly id: string
  readonly tier: number
}

/** The criteria as a condition on `r`, or on a title `s` whose resource is only joined if needed. */
export const wantedSql = ({ type, where }: Pick<Wanted, 'type' | 'where'>): RawBuilder<boolean> =>
  sql<boolean>`${sql.join([...(type ? [sql<boolean>`r.entity_type = ${type}`] : []), ...where, sql`true`], sql` and `)}`
const joinedSql = ({ type, where }: Pick<Wanted, 'type' | 'where'>): { resource: RawBuilder<unknown>; isWanted: RawBuilder<boolean> } => ({
  resource: where.length > 0 ? sql`join resources r on r.id = s.resource_id` : sql``,
  isWanted: sql<boolean>`${sql.join([...(type ? [sql`s.words @@ ${asked(`'#${type}'`)}`] : []), ...where, sql`true`], sql` and `)}`,
})

/** The tier of a match in the title `s`, or in the texts `t`. */
const tierSql = (term: Term, within: Searched): RawBuilder<number> =>
  within === 'texts'
    ? sql<number>`case when ${toldSql(term, asked)} then 5 else 6 end`
    : sql<number>`case when ${isTitleSql(term)} then 1 when ${startsSql(term)} then 2 when ${togetherSql(term)} then 3 else 4 end`
export const isTitleSql = ({ squeezed, entire }: Term): RawBuilder<boolean> =>
  sql<boolean>`(replace(s.title_words, ' ', '') = ${squeezed} or s.title_words = ${entire})`
export const startsSql = ({ squeezed }: Term): RawBuilder<boolean> =>
  sql<boolean>`starts_with(replace(s.title_words, ' ', ''), ${squeezed})`
export const togetherSql = ({ phrase }: Term): RawBuilder<boolean> => sql<boolean>`strpos(s.title_words, ${phrase}) > 0`
export const titledSql = ({ title_query }: Term): RawBuilder<boolean> => sql<boolean>`s.words @@ ${asked(title_query)}`

/** Excludes rows whose title words, as far as `t` contains them, match: fewer titles have to be looked up. */
export const notHeadedSql = ({ heading_query }: Term): RawBuilder<boolean> =>
  sql<boolean>`not ts_filter(t.words, '{a}') @@ ${asked(heading_query)}`

/** Matches a search vector together with filter lexemes. The documentation vector has none; those of its row are used. */
export const matchesSql = (place: Place, query: string, marks: readonly string[]): RawBuilder<unknown> => {
  const quoted = marks.map((mark) => `'${mark}'`)
  if (place === 'docs') return sql`t.docs @@ ${asked(query)} ${quoted.length > 0 ? sql`and t.words @@ ${asked(quoted.join('&'))}` : sql``}`
  return sql`${place === 'title' ? sql`s` : sql`t`}.words @@ ${asked([`(${query})`, ...quoted].join('&'))}`
}

/** Index lookup for these words and filter lexemes. For texts it may return more rows than match. */
export const indexedSql = (
  { term, type }: Wanted,
  words: readonly Word[],
  ...more: readonly string[]
): { readonly [place in Searched]: RawBuilder<unknown> } => {
  const some = (place: Place) => matchesSql(place, allOf(words, place), [...more, ...(type ? [`#${type}`] : [])])
  const rest = (all: RawBuilder<unknown>) => (words.length < term.words.length ? sql`and (${all}) is true` : sql``)
  return {
    title: sql`select * from search_titles s where ${some('title')} ${rest(titledSql(term))} offset 0`,
    texts: sql`
      select * from search_texts t where (${some('texts')} or ${some('docs')}) and ${notHeadedSql(term)}
        ${rest(sql`t.words @@ ${asked(term.text_query)} or t.docs @@ ${asked(term.query)}`)} offset 0`,
  }
}

/** The matching resources among these, ranked. */
export const sortedSql = (wanted: Wanted, ids: RawBuilder<unknown>, state: RawBuilder<unknown>): RawBuilder<Row> => {
  const { term, most } = wanted
  const { resource, isWanted } = joinedSql(wanted)
  return sql<Row>`
    select s.resource_id as id, case when ${titledSql(term)} then ${tierSql(term, 'title')} else ${tierSql(term, 'texts')} end as tier
    from (${ids}) few (id) join search_titles s on s.resource_id = few.id ${resource} left join search_texts t on t.resource_id = few.id
    where ${foundInSql(term, asked)} and ${state} and ${isWanted}
    order by s.archived, tier, s.usage desc, s.resource_id limit ${most}`
}

/** The matching titles or texts that also satisfy `also`, without archived resources. */
export const hitsSql = (
  wanted: Wanted,
  within: Searched,
  rows: RawBuilder<unknown>,
  also: RawBuilder<unknown>,
  order = BEST_FIRST,
): RawBuilder<Row> => {
  const { resource, isWanted } = joinedSql(wanted)
  return sql<Row>`
    select s.resource_id as id, ${tierSql(wanted.term, within)} as tier
    from (${rows}) ${within === 'title' ? sql`s` : sql`t join search_titles s on s.resource_id = t.resource_id`} ${resource}
    where ${also} and not s.archived and ${isWanted} ${order} limit ${wanted.most}`
}
export const BEST_FIRST = sql`order by tier, s.usage desc, s.resource_id`
