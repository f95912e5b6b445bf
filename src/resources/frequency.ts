import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type Lexeme, lexemesOf, type Term, type Word } from './term.ts'

/**
 * How many resources a term will find, roughly, from what Postgres notes about its tables when it analyzes them. Only the way to
 * look for a term follows from it, never what is found: a wrong guess costs time and nothing else.
 */
export interface Frequencies {
  readonly resources: number
  /** The share of all resources that have this lexeme, where it is not rare. */
  readonly shares: ReadonlyMap<string, number>
}

const FRESH_MS = 60_000

class Known {
  at = Number.NEGATIVE_INFINITY
  frequencies?: Promise<Frequencies>
}

export const frequenciesOf = (ctx: Context): Promise<Frequencies> => {
  const known = ctx.memory.of(Known)
  if (known.frequencies && performance.now() - known.at < FRESH_MS) return known.frequencies
  known.at = performance.now()
  const next = readFrequencies(ctx)
  const before = known.frequencies
  known.frequencies = before ? next.catch(() => before) : next
  next.catch(() => {
    known.at = Number.NEGATIVE_INFINITY
  })
  return before ?? next
}

const readFrequencies = async (ctx: Context): Promise<Frequencies> => {
  const { rows } = await sql<{ lexemes: string[]; shares: number[]; resources: number }>`
    select most_common_elems::text::text[] as lexemes, most_common_elem_freqs::float8[] as shares,
      (select greatest(reltuples, 0)::float8 from pg_class where oid = 'resource_search'::regclass) as resources
    from pg_stats where schemaname = any(current_schemas(false)) and tablename = 'resource_search' and attname = 'words'
      and most_common_elems is not null
  `.execute(ctx.db)
  const [known] = rows
  return { resources: known?.resources ?? 0, shares: new Map(known?.lexemes.map((lexeme, i) => [lexeme, known.shares[i] ?? 0])) }
}

/** The rarest words of the term: the more are looked for together, the longer it takes, and these leave little already. */
export const rarest = ({ shares }: Frequencies, { words }: Term, most: number): Word[] => {
  const rarity = (word: Word) => Math.max(...word.ways.map((way) => Math.min(...way.map((lexeme) => share(shares, lexeme, '')))))
  return words.toSorted((a, b) => rarity(a) - rarity(b)).slice(0, most)
}

/** How many resources have all words of the term (with '=', in the title): if they have nothing to do with each other, and at most. */
export const expected = ({ resources, shares }: Frequencies, { words }: Term, where: '' | '='): { likely: number; atMost: number } => {
  const each = words.map(({ ways }) =>
    Math.min(1, Math.max(...ways.map((way) => Math.min(...way.map((lexeme) => share(shares, lexeme, where)))))),
  )
  return { likely: resources * [...new Set(each)].reduce((all, one) => all * one, 1), atMost: resources * Math.min(1, ...each) }
}

const share = (shares: ReadonlyMap<string, number>, lexeme: Lexeme, where: '' | '='): number => {
  const [stem = 0, beginning = 0] = lexemesOf(lexeme, where).map((each) => shares.get(each) ?? 0)
  return where === '=' ? Math.max(stem, beginning) : stem + beginning
}
