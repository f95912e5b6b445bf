import { type RawBuilder, sql } from 'kysely'
import { type Actor, visibleTo } from '../access/permissions.ts'

/**
 * What a doubtful word `d` may have been meant to be, as a row with `meant`; no row when it is no typing error. `d.titled` asks for it in
 * titles, `d.said` in texts (resources/term.ts).
 */
export const nearestOfAll: RawBuilder<unknown> = sql`
  select search_nearest(d.word) as meant where (select count(*) from search_titles s where s.words @@ d.titled::tsquery) = 0 offset 0`

/**
 * The same in what this actor sees: neither may a hidden word stop a correction, nor be one. The vocabulary does not know whose a word is,
 * so each that is near is looked for in the titles they see. Whether they see the word itself is asked of used resources first, then of
 * titles that begin with it: both answer at once for a frequent word, of which the index of all would first gather every place.
 */
export const nearestVisibleTo = (actor: Actor): RawBuilder<unknown> => {
  const visible = visibleTo(actor, 'r')
  const titleBegins = sql`lower(r.title) collate "C" >= d.word and lower(r.title) collate "C" < d.word || chr(1114111)`
  const titled = sql`select from search_titles s join resources r on r.id = s.resource_id where ${visible}`
  const told = sql`select from search_texts t join resources r on r.id = t.resource_id where ${visible}`
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
            ${titled} and s.words @@ (select '''=' || t.stem || '''' from search_typed(v.word) t limit 1)::tsquery
              and strpos(s.title_words, ' ' || v.word || ' ') > 0
          )
        ) near where near.distance = near.least order by near.similarity desc, near.word limit 3
      ) few
    ) as meant
    where not exists (${titled} and s.used and s.words @@ d.titled::tsquery)
      and not exists (select from resources r where ${visible} and ${titleBegins})
      and not exists (${titled} and s.words @@ d.titled::tsquery)
      and not exists (${told} and (t.words @@ d.said::tsquery or t.docs @@ d.said::tsquery))
    offset 0`
}
