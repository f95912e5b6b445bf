import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { ExpandedWord } from './expand-words.ts'
import { criteriaSql, opaqueTsQuery, restrictToVisible, type SearchCriteria, USAGE_LEXEMES } from './hits-sql.ts'
import { type Frequencies, getTextShare } from './term-frequencies.ts'
import { expandedQuery } from './word-queries.ts'

/**
 * Resources that may match when the words are also searched as synonyms, in the context (path, columns, properties, tags, owners), or when
 * only most of the words match. Ranking decides afterwards; here it only matters that the good ones are among them.
 */
const MAX_LOOKUP_ROWS = 1_500 // rows that one lookup sorts by usage
const MAX_ROWS_PER_LOOKUP = 40
const MAX_COMBINED_WORDS = 6

export interface CandidateRequest extends Pick<SearchCriteria, 'type' | 'where'> {
  readonly words: readonly ExpandedWord[]
}

/** Lookups of candidates, from strict to loose: all words, then fewer and fewer. Each list is one query that returns `id`. */
export const buildLookups = (ctx: Context, frequencies: Frequencies, everything: CandidateRequest): RawBuilder<unknown>[] => {
  const request = restrictToVisible(ctx, everything)
  const words = chooseWords(frequencies, request.words)
  const references = findReferencesSql(request)
  return words.map((_, i) => {
    const required = words.length - i
    const groups = required === 1 ? words.map((word) => [[word]]) : [combinations(words, required)]
    const lookups = groups.flatMap((lists) => buildGroupLookups(request, frequencies, lists))
    return sql`${sql.join(i === 0 ? [...lookups, ...references] : lookups, sql` union `)}`
  })
}

/** The rarest words: more of them would make too many combinations. */
const chooseWords = (frequencies: Frequencies, words: readonly ExpandedWord[]): ExpandedWord[] => {
  const rarest = words.toSorted((a, b) => estimateShare(frequencies, a) - estimateShare(frequencies, b)).slice(0, MAX_COMBINED_WORDS)
  return words.filter((word) => rarest.includes(word))
}

const estimateShare = ({ shares }: Frequencies, { literal, alternatives }: ExpandedWord): number =>
  Math.max(
    ...[...literal.alternatives.flat(), ...alternatives.map(({ text, stem }) => ({ text, stem, unfinished: false }))].map((lexeme) =>
      getTextShare(shares, lexeme),
    ),
  )

const combinations = <T>(items: readonly T[], size: number): T[][] =>
  size === 0 ? [[]] : items.flatMap((item, i) => combinations(items.slice(i + 1), size - 1).map((rest) => [item, ...rest]))

/** The resources that match any of these word lists completely. */
const buildGroupLookups = (
  request: CandidateRequest,
  frequencies: Frequencies,
  lists: readonly (readonly ExpandedWord[])[],
): RawBuilder<unknown>[] => {
  const share = lists.reduce((sum, list) => sum + Math.min(...list.map((word) => estimateShare(frequencies, word))), 0)
  const lexemes = [...usageLexeme(frequencies, share), ...(request.type ? [`#${request.type}`] : [])]
  return VECTORS.map((vector) => lookupSql(request, vector, lists, lexemes))
}

/** Only resources used this much, if sorting all matches would take too long. */
const usageLexeme = ({ resources, shares }: Frequencies, share: number): string[] => {
  const matches = resources * Math.min(1, share)
  if (matches <= MAX_LOOKUP_ROWS) return []
  const level = USAGE_LEXEMES.findLast((lexeme) => matches * (shares.title.get(lexeme) ?? 0) <= MAX_LOOKUP_ROWS)
  return [level ?? USAGE_LEXEMES[0]!]
}

const anyListQuery = (lists: readonly (readonly ExpandedWord[])[], format: 'title' | 'stem', lexemes: readonly string[]): string => {
  const any = lists.map((list) => `(${list.map((word) => expandedQuery(word, format)).join('&')})`).join('|')
  return [`(${any})`, ...lexemes.map((lexeme) => `'${lexeme}'`)].join('&')
}

const VECTORS = ['title', 'texts', 'context'] as const

/** The most used resources that match in this vector. */
const lookupSql = (
  { type, where }: CandidateRequest,
  vector: (typeof VECTORS)[number],
  lists: readonly (readonly ExpandedWord[])[],
  lexemes: readonly string[],
): RawBuilder<unknown> => {
  const resource = where.length > 0 ? sql`join resources r on r.id = t.resource_id` : sql``
  const condition = where.length > 0 ? criteriaSql({ type, where }) : sql`true`
  const [table, notArchived, order] =
    vector === 'title'
      ? [sql`search_titles`, sql`not t.archived`, sql`t.usage desc`]
      : [sql.table(`search_${vector}`), sql`t.level >= 0`, sql`t.level desc`]
  return sql`(
    select t.resource_id as id from ${table} t ${resource}
    where ${vectorSql(vector, lists, lexemes)} and ${notArchived} and ${condition}
    order by ${order}, t.resource_id limit ${sql.lit(MAX_ROWS_PER_LOOKUP)})`
}

const vectorSql = (
  vector: (typeof VECTORS)[number],
  lists: readonly (readonly ExpandedWord[])[],
  lexemes: readonly string[],
): RawBuilder<unknown> => {
  if (vector === 'title') return sql`t.words @@ ${opaqueTsQuery(anyListQuery(lists, 'title', lexemes))}`
  const inWords = sql`t.words @@ ${opaqueTsQuery(anyListQuery(lists, 'stem', lexemes))}`
  if (vector === 'context') return inWords
  // The documentation has no filter lexemes; those of its row count.
  const quoted = lexemes.map((lexeme) => `'${lexeme}'`).join('&')
  return sql`(${inWords} or t.docs @@ ${opaqueTsQuery(anyListQuery(lists, 'stem', []))} ${quoted ? sql`and t.words @@ ${opaqueTsQuery(quoted)}` : sql``})`
}

/** Resources that have a tag, owner or term named by one of the words. */
const findReferencesSql = (request: CandidateRequest): RawBuilder<unknown>[] => {
  const targets = [...new Set(request.words.flatMap(({ references }) => references))]
  if (targets.length === 0) return []
  return [
    sql`(
      select r.id from resources r
      where r.id in (
        select f.resource_id from resource_refs f where f.target = any(${targets}::uuid[]) and f.field in ('tags', 'owners', 'owners_groups', 'collections', 'terms') limit 5000
      ) and not r.archived and ${criteriaSql(request)}
      order by r.external_usage desc, r.id limit ${sql.lit(MAX_ROWS_PER_LOOKUP)})`,
  ]
}
