import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { SearchTerm } from './search-term.ts'
import { type Lexeme, lexemeVariants, type SearchVector, type SearchWord } from './search-word.ts'

declare module '../../platform/context/runtime.ts' {
  interface RuntimeCaches {
    readonly termFrequencies: TermFrequencies
  }
}

/**
 * Estimates how many resources a search term matches from the table statistics of Postgres. Estimates only choose the query plan, never the
 * results: a wrong one costs time and nothing else.
 */
export interface Frequencies {
  readonly resources: number
  /** Share of all resources with this lexeme in their title or texts. Rare lexemes are missing. */
  readonly shares: { readonly [vector in IndexedVector | 'context']: ReadonlyMap<string, number> }
}
export type IndexedVector = Exclude<SearchVector, 'docs'>

const FRESH_MS = 60_000

/** Refreshed once a minute per process. The previous values are used during a refresh and if it fails. */
export class TermFrequencies {
  #at = Number.NEGATIVE_INFINITY
  #frequencies?: Frequencies
  #reading?: Promise<Frequencies>

  async get(read: () => Promise<Frequencies>): Promise<Frequencies> {
    if (this.#frequencies && performance.now() - this.#at < FRESH_MS) return this.#frequencies
    this.#reading ??= this.#read(read)
    const reading = this.#reading
    if (!this.#frequencies) return reading
    reading.catch(() => {})
    return this.#frequencies
  }

  async #read(read: () => Promise<Frequencies>): Promise<Frequencies> {
    try {
      this.#frequencies = await read()
      this.#at = performance.now()
      return this.#frequencies
    } finally {
      this.#reading = undefined
    }
  }

  clear(): void {
    this.#frequencies = undefined
    this.#reading = undefined
  }
}

export const loadTermFrequencies = (ctx: Context): Promise<Frequencies> =>
  ctx.runtime.caches.termFrequencies.get(() => readFrequencies(ctx))

const readFrequencies = async (ctx: Context): Promise<Frequencies> => {
  const { rows } = await sql<{ size: number; lexemes: string[]; shares: number[] }>`
    select greatest(c.reltuples, 0)::float8 as size, coalesce(s.most_common_elems::text::text[], '{}') as lexemes,
      coalesce(s.most_common_elem_freqs::float8[], '{}') as shares
    from unnest('{search_titles,search_texts,search_context}'::text[]) with ordinality t (name, n) join pg_class c on c.oid = t.name::regclass
      left join pg_stats s on s.schemaname = any(current_schemas(false)) and s.tablename = t.name and s.attname = 'words'
    order by t.n
  `.execute(ctx.db)
  const resources = rows[0]!.size
  const [title, texts, context] = rows.map(({ size, lexemes, shares }) => {
    const part = resources > 0 ? size / resources : 0
    return new Map(lexemes.map((lexeme, i) => [lexeme, part * (shares[i] ?? 0)]))
  })
  return { resources, shares: { title: title!, texts: texts!, context: context! } }
}

/** The rarest words of the term. Looking up more words together takes longer, and the rarest already leave few rows. */
export const findRarestWords = ({ shares }: Frequencies, { words }: SearchTerm, limit: number): SearchWord[] => {
  const anywhere = (lexeme: Lexeme) => getShare(shares, lexeme, 'title') + getShare(shares, lexeme, 'texts')
  const rarity = (word: SearchWord) => Math.max(...word.alternatives.map((alternative) => Math.min(...alternative.map(anywhere))))
  return words.toSorted((a, b) => rarity(a) - rarity(b)).slice(0, limit)
}

/** Estimates how many resources of these types contain all words: the likely number (words are independent) and the upper bound. */
export const estimateMatches = (
  { resources, shares }: Frequencies,
  { term: { words }, types }: { term: SearchTerm; types?: readonly string[] },
  vector: IndexedVector,
): { likely: number; atMost: number } => {
  const each = words.map(({ alternatives }) =>
    Math.min(1, Math.max(...alternatives.map((alternative) => Math.min(...alternative.map((lexeme) => getShare(shares, lexeme, vector)))))),
  )
  const ofTypes = types?.reduce((sum, type) => sum + (shares.title.get(`#${type}`) ?? 0), 0) ?? 1
  return { likely: resources * [...new Set(each)].reduce((all, one) => all * one, ofTypes), atMost: resources * Math.min(ofTypes, ...each) }
}

/** An estimate of the share of resources with this lexeme in any text. */
export const getTextShare = (shares: Frequencies['shares'], lexeme: Lexeme): number =>
  Math.max(getShare(shares, lexeme, 'title'), getShare(shares, lexeme, 'texts'), shares.context.get(lexeme.stem) ?? 0)

const getShare = (shares: Frequencies['shares'], lexeme: Lexeme, vector: IndexedVector): number => {
  const [stem = 0, beginning = 0] = lexemeVariants(lexeme, vector).map((each) => shares[vector].get(each) ?? 0)
  return vector === 'title' ? Math.max(stem, beginning) : stem + beginning
}
