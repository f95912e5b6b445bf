import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findAlternatives } from '../search-words/alternatives.ts'
import type { SearchTerm, SearchWord } from './search-term.ts'

/** Another word that a typed word may stand for. */
export interface Alternative {
  readonly text: string
  readonly stem: string
  /** 0..1: how close its meaning is. */
  readonly weight: number
}

/** A word of the term with everything it can match. */
export interface ExpandedWord {
  readonly text: string
  readonly literal: SearchWord
  readonly alternatives: readonly Alternative[]
  /** Tags, people and groups with this word in their name. */
  readonly references: readonly string[]
}

const INFLECTION_WEIGHT = 0.95
const MAX_ALTERNATIVES = 12
const MAX_REFERENCES = 50

/**
 * Adds to each word its inflections in the other languages, abbreviations, synonyms and related words, and the tags and people it names.
 * Words that only occur in hidden resources find nothing more, because every match is checked for visibility afterwards.
 */
export const expandWords = async (ctx: Context, term: SearchTerm): Promise<ExpandedWord[]> => {
  const typed = term.words.map((word) => word.alternatives[0]![0]!)
  if (typed.length === 0) return []
  const others = typed.map(({ text }) => findAlternatives(text))
  const input = typed.map(({ text, stem }, i) => ({
    i,
    word: text,
    query: `'${stem.replace(/['\\]/g, '$&$&')}'`,
    others: others[i]!.map(({ word }) => word),
  }))
  const { rows } = await sql<{ i: number; words: string[]; stems: string[]; inflections: string[] | null; targets: string[] | null }>`
    select d.i,
      array(select o.word from unnest(d.others) with ordinality o (word, n) order by n) as words,
      array(
        select (select string_agg(coalesce((ts_lexize('search_stemmer', part))[1], part), ' ') from unnest(string_to_array(o.word, ' ')) part)
        from unnest(d.others) with ordinality o (word, n) order by n
      ) as stems,
      case when length(d.word) >= 4 then array(
        select distinct (ts_lexize('search_stemmer', v.word))[1] from search_vocabulary v
        where (v.german = (ts_lexize('german_stem', d.word))[1] or v.spanish = (ts_lexize('spanish_stem', d.word))[1]
          or v.french = (ts_lexize('french_stem', d.word))[1]) and length(v.word) between length(d.word) - 3 and length(d.word) + 3
        limit 8
      ) end as inflections,
      array(select f.target from search_references f where f.words @@ d.query::tsquery limit ${MAX_REFERENCES}) as targets
    from json_to_recordset(${JSON.stringify(input)}::text::json) d (i int, word text, query text, others text[])
    order by d.i
  `.execute(ctx.db, ctx.limits)
  return term.words.map((literal, i) => {
    const { text, stem } = typed[i]!
    const row = rows[i]!
    const found = new Map<string, Alternative>()
    const add = (alternative: Alternative) => {
      if (alternative.stem !== stem && !found.has(alternative.stem) && found.size < MAX_ALTERNATIVES)
        found.set(alternative.stem, alternative)
    }
    for (const inflection of row.inflections ?? []) if (inflection) add({ text: inflection, stem: inflection, weight: INFLECTION_WEIGHT })
    for (const [n, { word, weight }] of others[i]!.entries()) add({ text: word, stem: row.stems[n]!, weight })
    return { text, literal, alternatives: [...found.values()], references: row.targets ?? [] }
  })
}
