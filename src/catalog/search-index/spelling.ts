import { type RawBuilder, sql } from 'kysely'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'

/**
 * Spelling corrections for an unknown word `d`, as a row with `meant`; no row if the word is not a typo. `d.titled` is its query on titles,
 * `d.said` its query on texts (see term.ts).
 */
export const correctSpellingSql: RawBuilder<unknown> = sql`
  select search_nearest(d.word) as meant where (select count(*) from search_titles s where s.words @@ d.titled::tsquery) = 0 offset 0`

/**
 * The same, restricted to what this actor can see: a hidden word must neither prevent a correction nor be suggested. The vocabulary does
 * not know which resources contain a word, so each candidate is looked up in visible titles. The word itself is looked up first in used
 * resources, then in titles that start with it: both are fast for a frequent word, for which the full index would have to collect every
 * match.
 */
export const correctSpellingVisibleToSql = (actor: Actor): RawBuilder<unknown> => {
  const visible = visibleTo(actor, 'r')
  const titleStartsWith = sql`lower(r.title) collate "C" >= d.word and lower(r.title) collate "C" < d.word || chr(1114111)`
  const inTitles = sql`select from search_titles s join resources r on r.id = s.resource_id where ${visible}`
  const inTexts = sql`select from search_texts t join resources r on r.id = t.resource_id where ${visible}`
  return sql`
    select (
      select array_agg(few.word order by few.similarity desc, few.word) from (
        select near.word, near.similarity from (
          select v.word, v.distance, similarity(v.word, d.word) as similarity, min(v.distance) over () as least
          from (
            select distinct v.word, levenshtein_less_equal(v.word, d.word, 2) as distance from search_vocabulary v
            where v.word % d.word and length(v.word) between length(d.word) - 2 and length(d.word) + 2
              and levenshtein_less_equal(v.word, d.word, 2) <= case when length(d.word) < 5 then 1 else 2 end
            offset 0
          ) v
          where exists (
            ${inTitles} and s.words @@ (select '''=' || t.stem || '''' from search_typed(v.word) t limit 1)::tsquery
              and strpos(s.title_words, ' ' || v.word || ' ') > 0
          )
        ) near where near.distance = near.least order by near.similarity desc, near.word limit 3
      ) few
    ) as meant
    where not exists (${inTitles} and s.used and s.words @@ d.titled::tsquery)
      and not exists (select from resources r where ${visible} and ${titleStartsWith})
      and not exists (${inTitles} and s.words @@ d.titled::tsquery)
      and not exists (${inTexts} and (t.words @@ d.said::tsquery or t.docs @@ d.said::tsquery))
    offset 0`
}
