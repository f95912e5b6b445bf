import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import type { ExpandedWord } from './expand-words.ts'
import { criteriaSql, opaqueTsQuery, type SearchCriteria } from './hits-sql.ts'
import { type Frequencies, getTextShare, loadTermFrequencies } from './term-frequencies.ts'
import { expandedQuery } from './word-queries.ts'

/**
 * Resources that may match when the words are also searched as synonyms, in the context (path, columns, properties, tags, owners), or when
 * only most of the words match. Ranking decides afterwards; here it only matters that the good ones are among them.
 */
const MAX_LOOKUP_ROWS = 1_500 // rows that one lookup sorts by usage
const MAX_ROWS_PER_LOOKUP = 40
const MAX_COMBINED_WORDS = 6
const ENOUGH = 30

const USAGE_LEXEMES = Array.from({ length: 20 }, (_, i) => `#u${i + 1}`)

export interface CandidateRequest extends Pick<SearchCriteria, 'type' | 'where'> {
  readonly words: readonly ExpandedWord[]
  /** Already found: counts towards enough. */
  readonly found: number
}

export const findCandidates = async (ctx: Context, request: CandidateRequest): Promise<string[]> => {
  const frequencies = await loadTermFrequencies(ctx)
  const words = chooseWords(frequencies, request.words)
  const ids = new Set<string>(await findByReferences(ctx, request))
  for (let required = words.length; required >= 1; required -= 1) {
    const groups = required === 1 ? words.map((word) => [[word]]) : [combinations(words, required)]
    for (const id of await lookUp(ctx, request, frequencies, groups)) ids.add(id)
    if (ids.size + request.found >= ENOUGH) break
  }
  return [...ids]
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

/** Each group is one lookup: a list of word lists, any of which must match completely. */
const lookUp = async (
  ctx: Context,
  request: CandidateRequest,
  frequencies: Frequencies,
  groups: readonly (readonly (readonly ExpandedWord[])[])[],
): Promise<string[]> => {
  const lookups = groups.flatMap((lists) => {
    const share = lists.reduce((sum, list) => sum + Math.min(...list.map((word) => estimateShare(frequencies, word))), 0)
    const lexemes = [...usageLexeme(frequencies, share), ...(request.type ? [`#${request.type}`] : [])]
    return [
      titleLookup(ctx, request, lists, lexemes),
      textLookup(ctx, request, lists, lexemes),
      contextLookup(ctx, request, lists, lexemes),
    ]
  })
  const { rows } = await sql<{ id: string }>`${sql.join(lookups, sql` union `)}`.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => id)
}

/** Only resources used this much, if sorting all matches would take too long. */
const usageLexeme = ({ resources, shares }: Frequencies, share: number): string[] => {
  const matches = resources * Math.min(1, share)
  if (matches <= MAX_LOOKUP_ROWS) return []
  const level = USAGE_LEXEMES.find((lexeme) => matches * (shares.title.get(lexeme) ?? 0) <= MAX_LOOKUP_ROWS)
  return [level ?? USAGE_LEXEMES.at(-1)!]
}

const anyListQuery = (lists: readonly (readonly ExpandedWord[])[], format: 'title' | 'stem', lexemes: readonly string[]): string => {
  const any = lists.map((list) => `(${list.map((word) => expandedQuery(word, format)).join('&')})`).join('|')
  return [`(${any})`, ...lexemes.map((lexeme) => `'${lexeme}'`)].join('&')
}

const resourceSql = ({ actor }: Context, { type, where }: CandidateRequest) => {
  const conditions = seesEverything(actor) ? where : [visibleTo(actor), ...where]
  return conditions.length === 0
    ? { join: sql``, matches: sql`true` }
    : { join: sql`join resources r on r.id = s.resource_id`, matches: criteriaSql({ type, where: conditions }) }
}

const mostUsed = sql`and not s.archived order by s.usage desc, s.resource_id limit ${sql.lit(MAX_ROWS_PER_LOOKUP)}`

type Lookup = (
  ctx: Context,
  request: CandidateRequest,
  lists: readonly (readonly ExpandedWord[])[],
  lexemes: readonly string[],
) => RawBuilder<unknown>

const titleLookup: Lookup = (ctx, request, lists, lexemes) => {
  const { join, matches } = resourceSql(ctx, request)
  return sql`(
    select s.resource_id as id from search_titles s ${join}
    where s.words @@ ${opaqueTsQuery(anyListQuery(lists, 'title', lexemes))} and ${matches} ${mostUsed})`
}

const textLookup: Lookup = (ctx, request, lists, lexemes) => {
  const { join, matches } = resourceSql(ctx, request)
  const query = anyListQuery(lists, 'stem', [])
  const filter = lexemes.map((lexeme) => `'${lexeme}'`).join('&')
  return sql`(
    select s.resource_id as id from search_texts t join search_titles s on s.resource_id = t.resource_id ${join}
    where (t.words @@ ${opaqueTsQuery(query)} or t.docs @@ ${opaqueTsQuery(query)}) ${filter ? sql`and t.words @@ ${opaqueTsQuery(filter)}` : sql``} and ${matches} ${mostUsed})`
}

const contextLookup: Lookup = (ctx, request, lists, lexemes) => {
  const { join, matches } = resourceSql(ctx, request)
  return sql`(
    select s.resource_id as id from search_context c join search_titles s on s.resource_id = c.resource_id ${join}
    where c.words @@ ${opaqueTsQuery(anyListQuery(lists, 'stem', lexemes))} and ${matches} ${mostUsed})`
}

/** Resources that have a tag or owner named by one of the words. */
const findByReferences = async (ctx: Context, request: CandidateRequest): Promise<string[]> => {
  const targets = [...new Set(request.words.flatMap(({ references }) => references))]
  if (targets.length === 0) return []
  const conditions = [visibleTo(ctx.actor), ...request.where]
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r
    where r.id in (
      select f.resource_id from resource_refs f where f.target = any(${targets}::uuid[]) and f.field in ('tags', 'owners', 'owners_groups', 'collections') limit 5000
    ) and not r.archived and ${criteriaSql({ type: request.type, where: conditions })}
    order by r.external_usage desc, r.id limit ${MAX_ROWS_PER_LOOKUP}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => id)
}
