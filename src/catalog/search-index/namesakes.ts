import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { getMostUsedLexeme } from './candidates.ts'
import { criteriaSql, restrictToVisible, type SearchCriteria, typesQuery } from './hits-sql.ts'
import type { Features, Match } from './match-features.ts'
import { quoteLexeme } from './search-word.ts'
import type { Frequencies } from './term-frequencies.ts'
import { toNameKey } from './title-words.ts'

/**
 * Tables about the same subject have the same name in every layer (`raw.shop.refunds`, `stg_shop__refunds`, `fct_refunds`), but often only
 * one of them is described. What is said about one therefore counts for the others, too.
 */
const MAX_NAMES = 2
const MAX_NAMESAKES = 40
const LARGE_CATALOG = 200_000 // resources
const PARTS = ['column', 'event_property']
/** What is true of a table is mostly true of its namesakes; owners, tags and paths are not. */
const INHERITED: readonly Match[] = ['title', 'title_beginning', 'part', 'description']
const REPLACED: readonly Match[] = [
  'none',
  'documentation',
  'context_synonym',
  'description_synonym',
  'title_related',
  'context_related',
  'description_related',
]

/** The names of the best candidates whose namesakes the words may not have found. */
export const listNames = (best: readonly Features[]): string[] => {
  const described = best.filter(({ entity_type, matches }) => !PARTS.includes(entity_type) && matches.some(isInText))
  return [...new Set(described.map(({ about }) => about.subject.trim()))].filter((name) => name !== '').slice(0, MAX_NAMES)
}

const isInText = (match: Match): boolean => match === 'description' || match === 'part'

/** In a large catalog only among the most used resources: frequent names take long to look up. */
export const findNamesakeLexeme = (frequencies: Frequencies): string | undefined =>
  frequencies.resources > LARGE_CATALOG ? getMostUsedLexeme(frequencies) : undefined

/** The most used resources whose titles contain one of these names. */
export const namesakesSql = (
  ctx: Context,
  names: readonly string[],
  criteria: Pick<SearchCriteria, 'types' | 'where'> & { readonly lexeme: string | undefined },
): RawBuilder<unknown> => {
  const { types, where, lexeme } = restrictToVisible(ctx, criteria)
  const marks = [types && typesQuery(types), lexeme && quoteLexeme(lexeme)].flatMap((mark) => (mark ? `&${mark}` : []))
  return sql`(
    select s.resource_id as id from search_titles s ${where.length > 0 ? sql`join resources r on r.id = s.resource_id` : sql``}
    where s.words @@ (
      select string_agg(n.query, '|')::tsquery from (
        select '(' || string_agg(quote_literal('=' || t.stem), '&') || ')' || ${marks.join('')} as query
        from unnest((select ${names}::text[])) with ordinality u (name, i), search_query_words(u.name) t group by u.i
      ) n
    ) and not s.archived and ${where.length > 0 ? criteriaSql({ types, where }) : sql`true`}
    order by s.usage desc, s.resource_id limit ${sql.lit(MAX_NAMESAKES)})`
}

/** Each candidate with the matches it has through its namesakes. */
export const addNamesakeMatches = (candidates: readonly Features[]): Features[] => {
  const inherited = new Map<string, Set<number>>()
  const keys = candidates.map(({ entity_type, about }) => (PARTS.includes(entity_type) ? '' : toNameKey(about.subject)))
  for (const [i, { matches }] of candidates.entries()) {
    if (keys[i] === '') continue
    const words = inherited.get(keys[i]!) ?? new Set<number>()
    for (const [n, match] of matches.entries()) if (INHERITED.includes(match)) words.add(n)
    inherited.set(keys[i]!, words)
  }
  return candidates.map((features, i) => ({
    ...features,
    matches: features.matches.map((match, n) => (REPLACED.includes(match) && inherited.get(keys[i]!)?.has(n) ? 'namesake' : match)),
  }))
}
