import { type RawBuilder, sql } from 'kysely'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'

/**
 * Words of the vocabulary that look like an unknown word `d`: `words` for a finished word, `prefixes` for one that is being typed
 * (`d.unfinished`), `splits` if it consists of two words. `d.variants` are the texts with one mistake more or less, `d.titled` is its query on titles, `d.stemmed` on other texts.
 */
const MAX_SIMILAR_WORDS = 100
const MAX_PREFIXES = 5
const MIN_VOCABULARY_WORD = 4

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

/** Every text that becomes `word` by one missing, additional, wrong or swapped letter; swapped letters first. */
export const listOneMistakeVariants = (word: string): string[] => {
  const places = [...word].map((_, i) => [word.slice(0, i), word.slice(i)] as const)
  const variants = [
    ...places.flatMap(([start, end]) => (end.length > 1 ? [start + end[1]! + end[0]! + end.slice(2)] : [])),
    ...places.map(([start, end]) => start + end.slice(1)),
    ...places.flatMap(([start, end]) => LETTERS.map((letter) => start + letter + end.slice(1))),
    ...[...places, [word, ''] as const].flatMap(([start, end]) => LETTERS.map((letter) => start + letter + end)),
  ]
  return [...new Set(variants)].filter((variant) => variant !== word)
}

const wordsSql = (visible: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  (
    select coalesce(json_agg(json_build_object('word', v.word, 'stem', coalesce(v.english, v.word))), '[]') from (
      select v.word, v.english from search_vocabulary v where v.word = any(d.variants)
      union
      (select v.word, v.english from search_vocabulary v
        where v.word % d.word and length(v.word) between length(d.word) - 2 and length(d.word) + 2 limit ${MAX_SIMILAR_WORDS})
    ) v where ${visible}
  )`

/** `giftcard` is `gift` and `card`, if both are words of the catalog. The vocabulary has no words under four letters. */
const splitsSql: RawBuilder<unknown> = sql`
  (
    select coalesce(json_agg(json_build_array(json_build_object('text', p.head, 'stem', h.stem), json_build_object('text', p.tail, 'stem', t.stem))), '[]')
    from generate_series(${sql.lit(MIN_VOCABULARY_WORD)}, length(d.word) - ${sql.lit(MIN_VOCABULARY_WORD)}) n,
      lateral (select left(d.word, n) as head, substr(d.word, n + 1) as tail) p,
      lateral (select coalesce((ts_lexize('search_stemmer', p.head))[1], p.head) as stem) h,
      lateral (select coalesce((ts_lexize('search_stemmer', p.tail))[1], p.tail) as stem) t
    where exists (select from search_vocabulary v where v.english = h.stem) and exists (select from search_vocabulary v where v.english = t.stem)
  )`

/** Each prefix with one vocabulary word that starts with it; the most common prefixes first. */
const prefixesSql = (visible: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  case when d.unfinished then array(
    select p.prefix from (
      select x.prefix, x.n, (
        select count(*) from (
          select from search_vocabulary v where v.word >= x.prefix and v.word < x.prefix || chr(1114111) and ${visible} limit 20
        ) f
      ) as words
      from unnest(d.variants) with ordinality x (prefix, n)
    ) p where p.words > 0 order by p.words desc, p.n limit ${MAX_PREFIXES}
  ) else '{}' end`

export const similarWordsSql: RawBuilder<unknown> = sql`
  select ${wordsSql(sql<boolean>`true`)} as words, ${prefixesSql(sql<boolean>`true`)} as prefixes, ${splitsSql} as splits`

/**
 * The same, restricted to what this actor can see: a hidden word must neither prevent a correction nor be suggested. The vocabulary does
 * not know which resources contain a word, so each candidate is looked up in visible titles. The word itself is looked up first in used
 * resources, then in titles that start with it: both are fast for a frequent word, for which the full index would have to collect every
 * match.
 */
export const similarWordsVisibleToSql = (actor: Actor): RawBuilder<unknown> => {
  const visible = visibleTo(actor, 'r')
  const titleStartsWith = sql`lower(r.title) collate "C" >= d.word and lower(r.title) collate "C" < d.word || chr(1114111)`
  const inTitles = sql`select from search_titles s join resources r on r.id = s.resource_id where ${visible}`
  const inTexts = sql`select from search_texts t join resources r on r.id = t.resource_id where ${visible}`
  const inContext = sql`select from search_context x join resources r on r.id = x.resource_id where ${visible}`
  const isVisible = sql<boolean>`exists (
    ${inTitles} and s.words @@ (select '''=' || t.stem || '''' from search_query_words(v.word) t limit 1)::tsquery and strpos(s.title_words, ' ' || v.word || ' ') > 0
  )`
  return sql`
    select ${wordsSql(isVisible)} as words, ${prefixesSql(isVisible)} as prefixes, ${splitsSql} as splits
    where not exists (${inTitles} and s.used and s.words @@ d.titled::tsquery)
      and not exists (select from resources r where ${visible} and ${titleStartsWith})
      and not exists (${inTitles} and s.words @@ d.titled::tsquery)
      and not exists (${inTexts} and (t.words @@ d.stemmed::tsquery or t.docs @@ d.stemmed::tsquery))
      and not exists (${inContext} and ts_filter(x.words, '{b,d}') @@ d.stemmed::tsquery)
      and not exists (select from search_references f where f.words @@ d.stemmed::tsquery)
      and not exists (
        select from search_synonyms f join resources r on r.id = f.resource_id
        where f.stems @> array(select t.stem from search_query_words(d.word) t) and ${visible}
      )
    offset 0`
}
