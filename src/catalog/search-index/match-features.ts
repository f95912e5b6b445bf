import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type Actor, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import type { Meanings } from '../search-vectors/nearest.ts'
import type { ExpandedWord } from './expand-words.ts'
import { anyTierSql, criteriaSql, opaqueTsQuery, type SearchCriteria } from './hits-sql.ts'
import { MAX_PREFIX_LENGTH, markWordFinished, quoteLexeme } from './search-word.ts'
import { TIERS, type Tier } from './tiers.ts'
import { readTitle, type TitleWords } from './title-words.ts'
import { alternativesQuery, literalQuery, referencesQuery } from './word-queries.ts'

/** Where a word matches, best first. The position in the list is the code that the statement returns. */
export const MATCHES = [
  'none',
  'title',
  'title_beginning',
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
  'meaning',
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
  /** What its title is about. */
  readonly about: TitleWords
  readonly usage: number
  readonly views: number
  readonly archived: boolean
  readonly stale: boolean
  readonly deprecated: boolean
  readonly verified: boolean
  readonly described: boolean
  /** Owned by the caller or by one of their teams. */
  readonly own: boolean
  /** If it contains every word itself. */
  readonly tier: Tier | undefined
  /** 0..1: how close its meaning is, if an embeddings service is set. */
  readonly meaning: number
  /** One entry per word. */
  readonly matches: readonly Match[]
}

/** Alternatives above this weight mean the same; the others are only related. */
const SYNONYM_WEIGHT = 0.6

/** Reads the features of these candidates that the caller can see and that satisfy the criteria. */
export const loadFeatures = async (
  ctx: Context,
  words: readonly ExpandedWord[],
  candidates: RawBuilder<unknown>,
  { term, types, where }: Pick<SearchCriteria, 'term' | 'types' | 'where'>,
  meanings: Meanings,
): Promise<Features[]> => {
  const { user_id, teams } = ctx.actor
  const { rows } = await sql<Omit<Features, 'matches' | 'meaning' | 'tier' | 'about'> & { matches: number[]; tier: number | null }>`
    with w as materialized (select * from json_to_recordset(${JSON.stringify(words.map((word, n) => toWordQueries(ctx, word, n)))}::text::json) w (${WORD_COLUMNS}))
    select r.id, r.entity_type, s.title_words, r.title_full, s.usage, r.internal_usage as views, r.archived, r.stale, r.deprecation is not null as deprecated, r.verified,
      coalesce(r.description, '') <> '' as described,
      coalesce((select ${user_id}::uuid) = any(r.owners), false) or coalesce(r.teams && (select ${teams}::uuid[]), false) as own,
      ${anyTierSql(term)} as tier,
      array(select ${matchSql(ctx, toPhrase(words))} from w order by w.n) as matches
    from (${candidates}) c (id) join resources r on r.id = c.id join search_titles s on s.resource_id = c.id
      left join search_texts t on t.resource_id = c.id left join search_context x on x.resource_id = c.id
    where ${visibleTo(ctx.actor)} and ${criteriaSql({ types, where })}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ matches, tier, ...row }) => {
    const meaning = meanings.get(row.id)
    // A resource that means the same need not contain the words.
    const unmatched = meaning === undefined ? 'none' : 'meaning'
    return {
      ...row,
      about: readTitle(row),
      tier: tier === null ? undefined : TIERS[tier - 1]!,
      meaning: meaning ?? 0,
      matches: matches.map((code) => (code === 0 ? unmatched : MATCHES[code]!)),
    }
  })
}

/** What a word is compared with; null matches nothing. The statement is the same for any words, so that it is planned once. */
const toWordQueries = ({ actor }: Context, word: ExpandedWord, n: number) => {
  const isSynonym = (weight: number) => weight >= SYNONYM_WEIGHT
  const isRelated = (weight: number) => weight < SYNONYM_WEIGHT
  // Names of parts count by synonyms only for callers who can see every part.
  const contextWeights = seesEverything(actor) ? '' : NOT_PARTS
  const unfinished = word.literal.alternatives.flat().find((lexeme) => lexeme.unfinished)
  return {
    n,
    title: literalQuery(word, 'title'),
    // The index has only the first letters of a long prefix, so the rest is compared with the title.
    prefix: unfinished && unfinished.text.length > MAX_PREFIX_LENGTH ? unfinished.text : undefined,
    whole: literalQuery(unfinished ? { ...word, literal: markWordFinished(word.literal) } : word, 'title'),
    begins: unfinished !== undefined,
    stem: literalQuery(word, 'stem'),
    in_part: literalQuery(word, 'stem', 'C'),
    in_property: literalQuery(word, 'stem', 'D'),
    not_in_part: literalQuery(word, 'stem', NOT_PARTS),
    named: word.named,
    named_query: referencesQuery(word.named),
    refs: word.references,
    refs_query: referencesQuery(word.references),
    synonym_title: alternativesQuery(word, 'title', isSynonym),
    synonym_stem: alternativesQuery(word, 'stem', isSynonym),
    synonym_context: alternativesQuery(word, 'stem', isSynonym, contextWeights),
    related_title: alternativesQuery(word, 'title', isRelated),
    related_stem: alternativesQuery(word, 'stem', isRelated),
    related_context: alternativesQuery(word, 'stem', isRelated, contextWeights),
  }
}
const WORD_COLUMNS = sql.raw(
  `n int, title tsquery, prefix text, whole tsquery, begins boolean, stem tsquery, in_part tsquery, in_property tsquery, not_in_part tsquery,
    named uuid[], named_query tsquery, refs uuid[], refs_query tsquery, synonym_title tsquery, synonym_stem tsquery, synonym_context tsquery,
    related_title tsquery, related_stem tsquery, related_context tsquery`,
)

/** All words in a row in the name of a column: `tariff number` finds the tables with this column first. */
interface Phrase {
  readonly inRow: string | null
  readonly inTitle: string | null
}
const toPhrase = (words: readonly ExpandedWord[]): Phrase => {
  if (words.length < 2) return { inRow: null, inTitle: null }
  const stems = words.map(({ literal }) => literal.alternatives[0]![0]!.stem)
  return {
    inRow: stems.map((stem) => `${quoteLexeme(stem)}:C`).join('<->'),
    inTitle: stems.map((stem) => quoteLexeme(`=${stem}`)).join('&'),
  }
}

const codeOf = (match: Match): RawBuilder<number> => sql.lit(MATCHES.indexOf(match)) as RawBuilder<number>

/** Where the word `w` matches the resource `r`. */
const matchSql = ({ actor }: Context, phrase: Phrase): RawBuilder<number> => {
  // A hidden column must not show through its table: the word has to occur outside of the parts, or in a part that the caller can see.
  const [isVisible, isPhraseVisible] = seesEverything(actor)
    ? [sql`true`, sql`true`]
    : [sql`(x.words @@ w.not_in_part or ${hasVisiblePart(actor, sql`w.title`)})`, hasVisiblePart(actor, sql`${phrase.inTitle}::tsquery`)]
  return sql<number>`case
    when s.words @@ w.whole then ${codeOf('title')}
    when w.begins and s.words @@ w.title and (w.prefix is null or strpos(replace(s.title_words, ' ', ''), w.prefix) > 0) then ${codeOf('title_beginning')}
    when ${refersSql('named')} then ${codeOf('named')}
    when x.words @@ ${opaqueTsQuery(phrase.inRow)} and ${isPhraseVisible} then ${codeOf('part_phrase')}
    when s.words @@ w.synonym_title then ${codeOf('title_synonym')}
    when ${refersSql('refs')} then ${codeOf('reference')}
    when x.words @@ w.stem and ${isVisible} then case when x.words @@ w.in_part then ${codeOf('part')} when x.words @@ w.in_property then ${codeOf('property')} else ${codeOf('path')} end
    when t.words @@ w.stem then ${codeOf('description')}
    when x.words @@ w.synonym_context then ${codeOf('context_synonym')}
    when t.words @@ w.synonym_stem then ${codeOf('description_synonym')}
    when t.docs @@ w.stem then ${codeOf('documentation')}
    when s.words @@ w.related_title then ${codeOf('title_related')}
    when x.words @@ w.related_context then ${codeOf('context_related')}
    when t.words @@ w.related_stem then ${codeOf('description_related')}
    else ${codeOf('none')} end`
}

const refersSql = (column: 'named' | 'refs'): RawBuilder<boolean> => {
  const [ids, query] = [sql.ref(`w.${column}`), sql.ref(`w.${column}_query`)]
  return sql<boolean>`(${query} is not null and (r.tags && ${ids} or r.owners && ${ids} or r.owners_groups && ${ids} or r.collections && ${ids} or r.terms && ${ids} or x.words @@ ${query}))`
}

/** The weights of path and properties in the context. */
const NOT_PARTS = 'BD'

const hasVisiblePart = (actor: Actor, query: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from resources p join search_titles ps on ps.resource_id = p.id
  where p.parent = r.id and ${visibleTo(actor, 'p')} and ps.words @@ ${query})`
