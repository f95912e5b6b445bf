import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { ExpandedWord } from './expand-words.ts'
import { criteriaSql, restrictToVisible, type SearchCriteria, typesQuery, USAGE_LEXEMES } from './hits-sql.ts'
import { findPropertyValues } from './property-names.ts'
import { markWordFinished, quoteLexeme } from './search-word.ts'
import { type Frequencies, getTextShare } from './term-frequencies.ts'
import { expandedQuery } from './word-queries.ts'

/**
 * Resources that may match when the words are also searched as synonyms, in the context (path, columns, properties, tags, owners), or when
 * only most of the words match. Ranking decides afterwards; here it only matters that the good ones are among them.
 */
const MAX_LOOKUP_ROWS = 1_500 // rows that one lookup sorts by usage
const MAX_ROWS_PER_LOOKUP = 40
/** With fewer candidates than this, the next step is made: others of the same words, or those that match fewer of them. */
const ENOUGH_CANDIDATES = 30
/** The same for words that are frequent, where the next step takes long. */
const ENOUGH_OF_FREQUENT = 10
/** An index lookup compares so many resources with the words, whatever the words are. */
const MAX_MOST_USED = 2_500
const MAX_COMBINED_WORDS = 6

type Criteria = Pick<SearchCriteria, 'types' | 'where'>

interface CandidateRequest {
  readonly words: readonly ExpandedWord[]
  readonly types?: readonly string[]
}

/** The look-ups of one step. */
export interface CandidateStep {
  /** It is only needed if fewer candidates were found before. */
  readonly below: number
  /** It finds resources that match only some of the words. */
  readonly partial: boolean
  readonly lookups: readonly Lookup[]
  /** Tags, owners, terms and collections whose resources are candidates, too. */
  readonly references: readonly string[]
}

/** tsqueries on the three vectors of a resource. */
interface Lookup {
  readonly title: string
  readonly stem: string
  /** On the documentation, which has no filter lexemes: those of its row (`marks`) count. */
  readonly docs: string | null
  readonly marked_docs: string | null
  readonly marks: string | null
}

/**
 * Steps from strict to loose: all words, then fewer and fewer. Words with many matches are first looked up among the most used resources, which
 * takes a fraction of the time and mostly suffices.
 */
export const buildSteps = (frequencies: Frequencies, { words: all, types }: CandidateRequest): CandidateStep[] => {
  const values = findPropertyValues(all)
  const words = chooseWords(frequencies, all).map((word) => finishFrequent(frequencies, word))
  const references = [...new Set(all.flatMap((word) => word.references))]
  return words
    .flatMap((_, i) => {
      const required = words.length - i
      const groups =
        required === 1 ? words.map((word) => [[word]]) : [combinations(words, required), ...(values.length > 0 ? [[values]] : [])]
      const matches = groups.map((lists) => estimateListMatches(frequencies, lists))
      const lookUp = (lexemes: readonly (string | undefined)[], below: number) => ({
        below,
        partial: required < words.length,
        lookups: groups.map((lists, n) => buildLookup(lists, [lexemes[n] && quoteLexeme(lexemes[n]), types && typesQuery(types)])),
      })
      const all = matches.map((each) => getUsageLexeme(frequencies, each))
      if (Math.max(...matches) <= MAX_LOOKUP_ROWS) return [lookUp(all, ENOUGH_CANDIDATES)]
      const mostUsed = getMostUsedLexeme(frequencies)
      return [
        lookUp(
          all.map(() => mostUsed),
          ENOUGH_CANDIDATES,
        ),
        lookUp(all, ENOUGH_OF_FREQUENT),
      ]
    })
    .map((step, i) => ({ ...step, references: i === 0 ? references : [] }))
}

/** The rarest words: more of them would make too many combinations. */
const chooseWords = (frequencies: Frequencies, words: readonly ExpandedWord[]): ExpandedWord[] => {
  const rarest = words.toSorted((a, b) => estimateShare(frequencies, a) - estimateShare(frequencies, b)).slice(0, MAX_COMBINED_WORDS)
  return words.filter((word) => rarest.includes(word))
}

/** Looking up every beginning of texts takes long for a frequent word, and somebody who typed one mostly means it. */
const finishFrequent = (frequencies: Frequencies, word: ExpandedWord): ExpandedWord =>
  frequencies.resources * estimateShare(frequencies, word) > MAX_LOOKUP_ROWS ? { ...word, literal: markWordFinished(word.literal) } : word

const estimateShare = ({ shares }: Frequencies, { literal, alternatives }: ExpandedWord): number =>
  Math.max(
    ...[...literal.alternatives.flat(), ...alternatives.map(({ text, stem }) => ({ text, stem, unfinished: false }))].map((lexeme) =>
      getTextShare(shares, lexeme),
    ),
  )

const combinations = <T>(items: readonly T[], size: number): T[][] =>
  size === 0 ? [[]] : items.flatMap((item, i) => combinations(items.slice(i + 1), size - 1).map((rest) => [item, ...rest]))

/** Finds the resources that match any of these word lists completely. */
const buildLookup = (lists: readonly (readonly ExpandedWord[])[], filters: readonly (string | undefined)[]): Lookup => {
  const marks = filters.flatMap((filter) => filter ?? [])
  const query = (format: 'title' | 'stem') =>
    `(${lists.map((list) => `(${list.map((word) => expandedQuery(word, format)).join('&')})`).join('|')})`
  const stems = query('stem')
  const marked = marks.length > 0
  return {
    title: [query('title'), ...marks].join('&'),
    stem: [stems, ...marks].join('&'),
    docs: marked ? null : stems,
    marked_docs: marked ? stems : null,
    marks: marked ? marks.join('&') : null,
  }
}

/** An upper bound. */
const estimateListMatches = (frequencies: Frequencies, lists: readonly (readonly ExpandedWord[])[]): number =>
  frequencies.resources *
  Math.min(
    1,
    lists.reduce((sum, list) => sum + Math.min(...list.map((word) => estimateShare(frequencies, word))), 0),
  )

/** Only resources used this much, if sorting all matches would take too long. */
const getUsageLexeme = ({ shares }: Frequencies, matches: number): string | undefined =>
  matches <= MAX_LOOKUP_ROWS
    ? undefined
    : (USAGE_LEXEMES.findLast((lexeme) => matches * (shares.title.get(lexeme) ?? 0) <= MAX_LOOKUP_ROWS) ?? USAGE_LEXEMES[0]!)

/** The lowest usage that few enough resources have. */
export const getMostUsedLexeme = ({ resources, shares }: Frequencies): string =>
  USAGE_LEXEMES.findLast((lexeme) => resources * (shares.title.get(lexeme) ?? 0) <= MAX_MOST_USED) ?? USAGE_LEXEMES[0]!

/**
 * The IDs of the candidates: the most used resources that each look-up finds in each vector, or that have one of the references. The text is
 * the same for any words, so that it is planned once: planning it takes longer than running it.
 */
export const candidatesSql = (ctx: Context, { lookups, references }: CandidateStep, everything: Criteria): RawBuilder<unknown> => {
  const criteria = restrictToVisible(ctx, everything)
  return sql`
    select l.id from (
        select * from json_to_recordset(${JSON.stringify(lookups)}::text::json) g (title tsquery, stem tsquery, docs tsquery, marked_docs tsquery, marks tsquery)
        limit ${sql.lit(MAX_COMBINED_WORDS)}
      ) g
      cross join lateral (
        ${mostUsedSql(criteria, sql`search_titles`, sql`t.words @@ g.title and not t.archived`, sql`t.usage`)}
        union all
        ${mostUsedSql(criteria, sql`search_texts`, sql`(t.words @@ g.stem or t.docs @@ g.docs or t.docs @@ g.marked_docs and t.words @@ g.marks) and t.level >= 0`, sql`t.level`)}
        union all
        ${mostUsedSql(criteria, sql`search_context`, sql`t.words @@ g.stem and t.level >= 0`, sql`t.level`)}
      ) l
    union
    (
      select r.id from resources r
      where r.id in (
        select f.resource_id from resource_refs f where f.target = any((select ${references}::uuid[])::uuid[]) and f.field in ('tags', 'owners', 'owners_groups', 'collections', 'terms') limit 5000
      ) and not r.archived and ${criteriaSql(criteria)}
      order by r.external_usage desc, r.id limit ${sql.lit(MAX_ROWS_PER_LOOKUP)})`
}

const mostUsedSql = (
  { types, where }: Criteria,
  table: RawBuilder<unknown>,
  matches: RawBuilder<unknown>,
  usage: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const resource = where.length > 0 ? sql`join resources r on r.id = t.resource_id` : sql``
  const condition = where.length > 0 ? criteriaSql({ types, where }) : sql`true`
  return sql`(
    select t.resource_id as id from ${table} t ${resource} where ${matches} and ${condition}
    order by ${usage} desc, t.resource_id limit ${sql.lit(MAX_ROWS_PER_LOOKUP)})`
}
