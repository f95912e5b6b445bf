import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findAlternatives, findPhraseAlternatives } from '../search-words/alternatives.ts'
import { foldWord, singularForms } from '../search-words/word-forms.ts'
import type { SearchTerm } from './search-term.ts'
import { type Lexeme, quoteLexeme, type SearchWord } from './search-word.ts'

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
  /** The word itself, with its inflections. */
  readonly literal: SearchWord
  readonly alternatives: readonly Alternative[]
  /** Tags, people, groups, glossary terms and collections with this word in their name. */
  readonly references: readonly string[]
  /** Those of them whose whole name was typed. */
  readonly named: readonly string[]
  /** A custom property has this word in its name. */
  readonly names_property: boolean
}

const INFLECTION_WEIGHT = 0.95
/** A synonym from the glossary was chosen by people of this workspace. */
const GLOSSARY_WEIGHT = 0.95
const MAX_ALTERNATIVES = 12
const MAX_GLOSSARY_SYNONYMS = 20
const MAX_REFERENCES = 30
/** Resources that others refer to, in `terms`, `collections` or a custom property. */
const REFERENCED_TYPES = "('#glossary'|'#collection')"

interface ExpandedRow {
  /** Null if no text contains such a word; the vocabulary has no words under four letters, so these may occur. */
  readonly stems: readonly (string | null)[]
  readonly inflections: readonly { readonly word: string; readonly stem: string | null }[]
  /** Forms of glossary terms, one of which was typed; `stem` has the stems of all its words. */
  readonly synonyms: readonly { readonly text: string; readonly stem: string }[]
  /** `name` only if every stem of it was typed. */
  readonly targets: readonly { readonly id: string; readonly name: string | null }[]
  readonly names_property: boolean
}

/**
 * Adds to each word its inflections in the other languages, abbreviations, synonyms (also those of visible glossary terms) and related words, and the tags, people and terms it
 * names. Words that only occur in hidden resources find nothing more, because every match is checked for visibility afterwards.
 */
export const expandWords = async (ctx: Context, term: SearchTerm): Promise<ExpandedWord[]> => {
  const typed = term.words.map((word) => word.alternatives[0]![0]!)
  if (typed.length === 0) return []
  const ofPhrases = findPhraseAlternatives(typed.map(({ text }) => text))
  const others = typed.map(({ text }, i) => [...ofPhrases[i]!, ...findAlternatives(text)].slice(0, MAX_ALTERNATIVES))
  const names = new Set(typed.flatMap(({ text }) => [text, ...singularForms(text)]))
  const input = typed.map(({ text, stem }, i) => ({
    i,
    word: text,
    stem,
    quoted: quoteLexeme(stem),
    titled: quoteLexeme(`=${stem}`),
    others: others[i]!.map(({ word }) => word),
    all_stems: typed.map((each) => each.stem),
  }))
  const { rows } = await sql<ExpandedRow>`
    select
      array(
        select (
          select case when bool_and(length(w.word) < 4 or exists (select from search_vocabulary v where v.english = s.stem)) then string_agg(s.stem, ' ' order by w.n) end
          from unnest(string_to_array(o.form, ' ')) with ordinality w (word, n), coalesce((ts_lexize('search_stemmer', w.word))[1], w.word) s (stem)
        )
        from unnest(d.others) with ordinality o (form, n) order by n
      ) as stems,
      case when length(d.word) < 4 then '[]' else (
        select coalesce(json_agg(json_build_object('word', f.word, 'stem', f.stem)), '[]') from (
          select distinct on (s.stem) v.word, s.stem from search_vocabulary v, lateral (select (ts_lexize('search_stemmer', v.word))[1] as stem) s
          where (v.german = (ts_lexize('german_stem', d.word))[1] or v.spanish = (ts_lexize('spanish_stem', d.word))[1]
            or v.french = (ts_lexize('french_stem', d.word))[1]) and length(v.word) between length(d.word) - 3 and length(d.word) + 3
          order by s.stem, abs(length(v.word) - length(d.word)), v.word limit 8
        ) f
      ) end as inflections,
      (
        select coalesce(json_agg(json_build_object('text', o.form, 'stem', o.stem)), '[]') from (
          select distinct o.form, array_to_string(o.stems, ' ') as stem
          from search_synonyms f join resources r on r.id = f.resource_id join search_synonyms o on o.resource_id = f.resource_id and o.form <> f.form
          where f.stems @> array[d.stem] and f.stems <@ d.all_stems and ${visibleTo(ctx.actor)}
          limit ${sql.lit(MAX_GLOSSARY_SYNONYMS)}
        ) o
      ) as synonyms,
      (
        select coalesce(json_agg(json_build_object('id', f.target, 'name', case
          when (select bool_and(w.lexeme = any(d.all_stems)) from unnest(f.words) w)
          then coalesce(f.name, (select t.name from tags t where t.id = f.target), (select g.name from groups g where g.id = f.target), '')
        end)), '[]') from (
          (select f.target, f.words, null as name from search_references f where f.words @@ d.quoted::tsquery limit ${sql.lit(MAX_REFERENCES)})
          union all
          (select r.id, search_stem_vector(search_prepare_text(r.title)), r.title from search_titles s join resources r on r.id = s.resource_id
            where s.words @@ d.titled::tsquery and s.words @@ ${sql.lit(REFERENCED_TYPES)}::tsquery and ${visibleTo(ctx.actor)} limit ${sql.lit(MAX_REFERENCES)})
        ) f
      ) as targets,
      exists (select from custom_properties p where d.word = any(regexp_split_to_array(lower(p.name), '\\W+'))) as names_property
    from json_to_recordset(${JSON.stringify(input)}::text::json) d (i int, word text, stem text, quoted text, titled text, others text[], all_stems text[])
    order by d.i
  `.execute(ctx.db, ctx.limits)
  return term.words.map((literal, i) => {
    const { text, stem } = typed[i]!
    const { stems, inflections, synonyms, targets, names_property } = rows[i]!
    const found = new Map<string, Alternative>()
    const sameWord: Lexeme[] = []
    const add = (alternative: Alternative) => {
      if (alternative.stem !== stem && !found.has(alternative.stem)) found.set(alternative.stem, alternative)
    }
    for (const synonym of synonyms) add({ ...synonym, weight: GLOSSARY_WEIGHT })
    for (const { word, stem: form } of inflections)
      if (form && form !== stem)
        if (isSameWord(text, word)) sameWord.push({ text: form, stem: form, unfinished: false })
        else add({ text: form, stem: form, weight: INFLECTION_WEIGHT })
    for (const [n, { word, weight }] of others[i]!.entries()) {
      const otherStem = stems[n]
      if (otherStem) add({ text: word, stem: otherStem, weight })
    }
    return {
      text,
      literal: { alternatives: [...literal.alternatives, ...sameWord.map((each) => [each])] },
      alternatives: [...found.values()],
      references: targets.map(({ id }) => id),
      named: targets.filter(({ name }) => name !== null && isTyped(name, names)).map(({ id }) => id),
      names_property,
    }
  })
}

/**
 * `lieferant` and `lieferanten`. The stemmers of other languages also take `date` and `data` for forms of one word, and words of which one is
 * derived from the other.
 */
const isSameWord = (a: string, b: string): boolean => (a.startsWith(b) || b.startsWith(a)) && Math.abs(a.length - b.length) <= MAX_ENDING
const MAX_ENDING = 2 // letters

/** `purchases` does not name the group `Purchasing`, although both have the same stem. */
const isTyped = (name: string, typed: ReadonlySet<string>): boolean =>
  (foldWord(name).match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => [word, ...singularForms(word)].some((form) => typed.has(form)))
