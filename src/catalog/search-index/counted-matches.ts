import { type RawBuilder, sql } from 'kysely'
import { MAX_COUNTED_MATCHES, matchesVectorSql, opaqueTsQuery, type SearchCriteria, typesQuery, USAGE_LEXEMES } from './hits-sql.ts'
import { matchesTextSql, pathSql, type SearchTerm, startsWithSql, textsSql } from './search-term.ts'
import { quoteLexeme } from './search-word.ts'
import { estimateMatches, type Frequencies } from './term-frequencies.ts'

/** An estimate of a term of several words may be too high by this factor. */
const UNCERTAINTY_FACTOR = 3

interface MatchesToCount extends Pick<SearchCriteria, 'types' | 'where'> {
  readonly term: SearchTerm
  /** Matches too, by more than the words themselves. */
  readonly best: readonly string[]
  /** Only those that are used this much. */
  readonly usage?: string
  /** All of them, however many. */
  readonly exact?: boolean
}

/**
 * The IDs of the matches, each once; more than can be counted if there are more. Texts are only read if the titles are too few, and neither is
 * read further than that: a frequent word has millions of matches.
 */
export const matchesToCountSql = ({ term, types, where, best, usage, exact }: MatchesToCount): RawBuilder<unknown> => {
  const filters = [...(usage ? [quoteLexeme(usage)] : []), ...(types ? [typesQuery(types)] : [])]
  const marked = filters.length > 0 ? sql`and t.words @@ ${opaqueTsQuery(filters.join('&'))}` : sql``
  const resource = (id: RawBuilder<unknown>) => (where.length > 0 ? sql`join resources r on r.id = ${id}` : sql``)
  const criteria = sql.join([sql`true`, ...where], sql` and `)
  const ofTypes = types ? sql`r.entity_type = any(${types}::text[])` : sql`true`
  const most = exact ? sql`null::bigint` : sql.lit(MAX_COUNTED_MATCHES + 1)
  if (term.query === '')
    return sql`select r.id from resources r where ${startsWithSql(sql`r.title`, term.typed)} and ${ofTypes} and ${criteria} limit ${most}`
  const { path } = term
  return sql`
    with titles as materialized (
      select s.resource_id as id from search_titles s ${resource(sql`s.resource_id`)}
      where ${matchesVectorSql('title', term.title_query, filters)} and ${criteria} limit ${most}
    ), texts as materialized (
      select t.resource_id as id from ${textsSql(term)} ${resource(sql`t.resource_id`)}
      where (${matchesTextSql(term, opaqueTsQuery)} or t.docs @@ ${opaqueTsQuery(term.query)}) ${marked}
        and t.resource_id not in (select id from titles) and ${criteria}
      limit ${most} - (select count(*) from titles)
    ), words as materialized (select id from titles union all select id from texts)
    select id from words
    union all
    select id from (
      select b.id from unnest(${best}::uuid[]) b (id)
      ${path ? sql`union select r.id from resources r where ${pathSql(path, 'r')} and ${ofTypes} and ${criteria}` : sql``}
    ) others where id not in (select id from words)`
}

/** The usage at which a frequent term has enough matches to count; undefined if all of them have to be read. */
export const findUsageToCount = (frequencies: Frequencies, term: SearchTerm, types?: readonly string[]): string | undefined => {
  const { likely } = estimateMatches(frequencies, { term, types }, 'title')
  const needed = MAX_COUNTED_MATCHES * (term.words.length > 1 || types ? UNCERTAINTY_FACTOR : 1.5)
  return USAGE_LEXEMES.find((lexeme) => likely * (frequencies.shares.title.get(lexeme) ?? 0) >= needed)
}
