import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { seesEverything } from '../../platform/permissions/permissions.ts'
import { findAlternatives } from '../search-words/alternatives.ts'
import { rankCorrections } from '../search-words/spelling.ts'
import type { ParsedWord } from './search-term.ts'
import { type SearchWord, wordQuery } from './search-word.ts'
import { listOneMistakeVariants, similarWordsSql, similarWordsVisibleToSql } from './spelling.ts'

const MAX_CORRECTIONS = 5

interface Correction {
  /** Empty if the word was only split. */
  readonly meant: readonly string[]
  /** The words that most likely were meant. */
  readonly likely: readonly string[]
  readonly word: SearchWord
}
/** By the position of the word. */
type Corrections = ReadonlyMap<number, Correction>
export const NO_CORRECTIONS: Corrections = new Map()

/**
 * A word is corrected if the vocabulary contains no form of it, nor (for a prefix) a word that starts with it. For callers who do not see
 * everything, only what they can see counts. Words with synonyms are not typing errors.
 */
export const findCorrections = async (ctx: Context, rows: readonly ParsedWord[], words: readonly SearchWord[]): Promise<Corrections> => {
  const corrected = new Map<number, Correction>()
  const seesAll = seesEverything(ctx.actor)
  const doubtful = rows
    .flatMap((row, i) => {
      const { unfinished } = words[i]!.alternatives[0]![0]!
      const unseen = !row.seen && !(unfinished && row.begun)
      return CORRECTABLE_WORD.test(row.word) && row.parts.length === 1 && (unseen || !seesAll) && findAlternatives(row.word).length === 0
        ? [
            {
              i,
              word: row.word,
              unfinished,
              variants: listOneMistakeVariants(row.word),
              titled: wordQuery(words[i]!, 'title'),
              stemmed: wordQuery(words[i]!, 'docs'),
            },
          ]
        : []
    })
    .slice(0, MAX_CORRECTIONS)
  if (doubtful.length === 0) return corrected
  const { rows: similar } = await sql<SimilarWords>`
    select d.i, m.words, m.prefixes, m.splits
    from json_to_recordset(${JSON.stringify(doubtful)}::text::json) d (i int, word text, unfinished boolean, variants text[], titled text, stemmed text),
      lateral (${seesAll ? similarWordsSql : similarWordsVisibleToSql(ctx.actor)}) m
  `.execute(ctx.db, ctx.limits)
  for (const { i, words: candidates, prefixes, splits } of similar) {
    const stems = new Map(candidates.map(({ word, stem }) => [word, stem]))
    const finished = rankCorrections(rows[i]!.word, candidates).slice(0, MAX_MEANT)
    // A finished word is the better guess, unless nothing is near and the word is still being typed.
    const begun = finished.length > 0 ? [] : prefixes.slice(0, MAX_MEANT)
    const split = splits.slice(0, 1).map((parts) => parts.map((part) => ({ ...part, unfinished: false })))
    if (finished.length + begun.length + split.length === 0) continue
    const alternatives = [
      ...(finished.length + begun.length === 0 ? words[i]!.alternatives : []),
      ...finished.map((text) => [{ text, stem: stems.get(text)!, unfinished: false }]),
      ...begun.map((text) => [{ text, stem: text, unfinished: true }]),
      ...split,
    ]
    const meant = [...finished, ...begun]
    corrected.set(i, { meant, likely: meant.length > 0 ? meant.slice(0, 1) : split[0]!.map(({ text }) => text), word: { alternatives } })
  }
  return corrected
}

interface SimilarWords {
  readonly i: number
  readonly words: readonly { readonly word: string; readonly stem: string }[]
  readonly prefixes: readonly string[]
  readonly splits: readonly (readonly { readonly text: string; readonly stem: string }[])[]
}

const MAX_MEANT = 3
const CORRECTABLE_WORD = /^\D{4,30}$/u
