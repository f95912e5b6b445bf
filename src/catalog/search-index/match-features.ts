import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type Actor, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import type { ExpandedWord } from './expand-words.ts'
import { criteriaSql, opaqueTsQuery, type SearchCriteria } from './hits-sql.ts'
import { finishWord, MAX_PREFIX_LENGTH, quoteLexeme } from './search-term.ts'
import { alternativesQuery, literalQuery, referencesQuery } from './word-queries.ts'

/** Where a word matches, best first. The position in the list is the code that the statement returns. */
export const MATCHES = [
  'none',
  'title',
  'named',
  'title_synonym',
  'reference',
  'part_phrase',
  'part',
  'path',
  'property',
  'description',
  'namesake',
  'context_synonym',
  'description_synonym',
  'documentation',
  'title_related',
  'context_related',
  'description_related',
] as const
export type Match = (typeof MATCHES)[number]

/** What ranking needs to know about a candidate. */
export interface Features {
  readonly id: string
  readonly entity_type: string
  /** ` order items `: the words of the title. */
  readonly title_words: string
  /** `shop.public.orders` */
  readonly title_full: string
  readonly usage: number
  readonly views: number
  readonly archived: boolean
  readonly stale: boolean
  readonly deprecated: boolean
  readonly verified: boolean
  readonly described: boolean
  /** Owned by the caller or by one of their teams. */
  readonly own: boolean
  /** One entry per word. */
  readonly matches: readonly Match[]
}

/** Alternatives above this weight mean the same; the others are only related. */
const SYNONYM_WEIGHT = 0.6

/** Reads the features of the visible candidates that satisfy the criteria: those with these IDs, and those that the lookups find. */
export const loadFeatures = async (
  ctx: Context,
  words: readonly ExpandedWord[],
  { ids, lookups }: { readonly ids: readonly string[]; readonly lookups: readonly RawBuilder<unknown>[] },
  { type, where }: Pick<SearchCriteria, 'type' | 'where'>,
): Promise<Features[]> => {
  if (ids.length === 0 && lookups.length === 0) return []
  const { user_id, teams } = ctx.actor
  const { rows } = await sql<Omit<Features, 'matches'> & { matches: number[] }>`
    select r.id, r.entity_type, s.title_words, r.title_full, s.usage, r.internal_usage as views, r.archived, r.stale, r.deprecation is not null as deprecated, r.verified,
      coalesce(r.description, '') <> '' as described,
      coalesce(${user_id}::uuid = any(r.owners), false) or coalesce(r.teams && ${teams}::uuid[], false) as own,
      array[${words.length === 0 ? sql`` : sql.join(words.map((word) => matchSql(ctx, word, words)))}]::int[] as matches
    from (${sql.join([sql`select unnest(${ids}::uuid[])`, ...lookups], sql` union `)}) c (id) join resources r on r.id = c.id join search_titles s on s.resource_id = c.id
      left join search_texts t on t.resource_id = c.id left join search_context x on x.resource_id = c.id
    where ${visibleTo(ctx.actor)} and ${criteriaSql({ type, where })}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ matches, ...row }) => ({ ...row, matches: matches.map((code) => MATCHES[code]!) }))
}

const codeOf = (match: Match): RawBuilder<number> => sql.lit(MATCHES.indexOf(match)) as RawBuilder<number>

const matchSql = (ctx: Context, word: ExpandedWord, words: readonly ExpandedWord[]): RawBuilder<number> => {
  const [title, stem] = [opaqueTsQuery(literalQuery(word, 'title')), opaqueTsQuery(literalQuery(word, 'stem'))]
  const synonyms = toQueries(ctx, word, (weight) => weight >= SYNONYM_WEIGHT)
  const related = toQueries(ctx, word, (weight) => weight < SYNONYM_WEIGHT)
  const weighted = (weight: string) => opaqueTsQuery(literalQuery(word, 'stem', weight))
  const cases = [
    sql`when ${titleMatchSql(word, title)} then ${codeOf('title')}`,
    ...referenceCase(word.named, 'named'),
    ...partPhraseCase(ctx, words),
    ...(synonyms ? [sql`when s.words @@ ${synonyms.title} then ${codeOf('title_synonym')}`] : []),
    ...referenceCase(word.references, 'reference'),
    sql`when x.words @@ ${stem} and ${hasVisibleMatch(ctx, sql`x.words`, word)} then case when x.words @@ ${weighted('C')} then ${codeOf('part')} when x.words @@ ${weighted('D')} then ${codeOf('property')} else ${codeOf('path')} end`,
    sql`when t.words @@ ${stem} then ${codeOf('description')}`,
    ...(synonyms
      ? [
          sql`when x.words @@ ${synonyms.context} then ${codeOf('context_synonym')}`,
          sql`when t.words @@ ${synonyms.stem} then ${codeOf('description_synonym')}`,
        ]
      : []),
    sql`when t.docs @@ ${stem} then ${codeOf('documentation')}`,
    ...(related
      ? [
          sql`when s.words @@ ${related.title} then ${codeOf('title_related')}`,
          sql`when x.words @@ ${related.context} then ${codeOf('context_related')}`,
          sql`when t.words @@ ${related.stem} then ${codeOf('description_related')}`,
        ]
      : []),
  ]
  return sql<number>`case ${sql.join(cases, sql` `)} else 0 end`
}

const referenceCase = (ids: readonly string[], match: Match): RawBuilder<unknown>[] =>
  ids.length === 0
    ? []
    : [
        sql`when r.tags && ${ids}::uuid[] or r.owners && ${ids}::uuid[] or r.owners_groups && ${ids}::uuid[] or r.collections && ${ids}::uuid[] or r.terms && ${ids}::uuid[] or x.words @@ ${opaqueTsQuery(referencesQuery(ids)!)} then ${codeOf(match)}`,
      ]

/** All words in a row in the name of a column: whoever types `tariff number` means tables with this column. */
const partPhraseCase = ({ actor }: Context, words: readonly ExpandedWord[]): RawBuilder<unknown>[] => {
  if (words.length < 2) return []
  const stems = words.map(({ literal }) => literal.alternatives[0]![0]!.stem)
  const inRow = opaqueTsQuery(stems.map((stem) => `${quoteLexeme(stem)}:C`).join('<->'))
  const inTitle = opaqueTsQuery(stems.map((stem) => quoteLexeme(`=${stem}`)).join('&'))
  const visible = seesEverything(actor) ? sql`` : sql`and ${hasVisiblePart(actor, inTitle)}`
  return [sql`when x.words @@ ${inRow} ${visible} then ${codeOf('part_phrase')}`]
}

/** The index has only the first letters of a long prefix, so the rest is compared with the title. */
const titleMatchSql = (word: ExpandedWord, query: RawBuilder<unknown>): RawBuilder<boolean> => {
  const long = word.literal.alternatives.flat().filter(({ text, unfinished }) => unfinished && text.length > MAX_PREFIX_LENGTH)
  if (long.length === 0) return sql<boolean>`s.words @@ ${query}`
  const whole = opaqueTsQuery(literalQuery({ ...word, literal: finishWord(word.literal) }, 'title'))
  return sql<boolean>`(s.words @@ ${whole} or s.words @@ ${query} and strpos(replace(s.title_words, ' ', ''), ${long[0]!.text}) > 0)`
}

const toQueries = ({ actor }: Context, word: ExpandedWord, isWanted: (weight: number) => boolean) => {
  // Names of parts count by synonyms only for callers who can see every part.
  const contextWeights = seesEverything(actor) ? '' : NOT_PARTS
  const [title, stem, context] = [
    alternativesQuery(word, 'title', isWanted),
    alternativesQuery(word, 'stem', isWanted),
    alternativesQuery(word, 'stem', isWanted, contextWeights),
  ]
  if (title === undefined || stem === undefined || context === undefined) return undefined
  return { title: opaqueTsQuery(title), stem: opaqueTsQuery(stem), context: opaqueTsQuery(context) }
}

/** The weights of path and properties in the context. */
const NOT_PARTS = 'BD'

/** A hidden column must not show through its table: the word has to occur outside of the parts, or in a part that the caller can see. */
const hasVisibleMatch = ({ actor }: Context, words: RawBuilder<unknown>, word: ExpandedWord): RawBuilder<boolean> =>
  seesEverything(actor)
    ? sql<boolean>`true`
    : sql<boolean>`(${words} @@ ${opaqueTsQuery(literalQuery(word, 'stem', NOT_PARTS))} or ${hasVisiblePart(actor, opaqueTsQuery(literalQuery(word, 'title')))})`

const hasVisiblePart = (actor: Actor, query: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from resources p join search_titles ps on ps.resource_id = p.id
  where p.parent = r.id and ${visibleTo(actor, 'p')} and ps.words @@ ${query})`
