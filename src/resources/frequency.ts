import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Lexeme, Term } from './term.ts'

/**
 * How many resources a term will find, roughly, from what Postgres notes about its tables when it analyzes them. Only the way to
 * look for a term follows from it, never what is found: a wrong guess costs time and nothing else.
 */
export interface Frequencies {
  readonly resources: number
  readonly title: ReadonlyMap<string, number>
  readonly words: ReadonlyMap<string, number>
  readonly marks: ReadonlyMap<string, number>
}

type Column = 'title' | 'words'
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
  const { rows } = await sql<{ column: string; elements: string[]; frequencies: number[]; resources: number }>`
    select attname as column, most_common_elems::text::text[] as elements, most_common_elem_freqs::float8[] as frequencies,
      (select greatest(reltuples, 0)::float8 from pg_class where oid = 'resource_search'::regclass) as resources
    from pg_stats where schemaname = any(current_schemas(false)) and tablename = 'resource_search' and most_common_elems is not null
  `.execute(ctx.db)
  const of = (name: string) => {
    const row = rows.find(({ column }) => column === name)
    return new Map(row?.elements.map((element, i) => [element, row.frequencies[i] ?? 0]))
  }
  return { resources: rows[0]?.resources ?? 0, title: of('title'), words: of('words'), marks: of('marks') }
}

/** How many resources have all words of the term in this column. */
export const expected = (frequencies: Frequencies, column: Column, { words }: Term): number =>
  frequencies.resources *
  Math.min(
    1,
    ...words.map(({ ways }) => ways.reduce((sum, way) => sum + Math.min(...way.map((each) => share(frequencies[column], each))), 0)),
  )

/** How many entries of the index an unfinished word makes Postgres gather, whatever else is asked. */
export const gathered = (frequencies: Frequencies, column: Column, { words }: Term): number =>
  frequencies.resources *
  Math.max(
    0,
    ...words.flatMap(({ ways }) =>
      ways
        .flat()
        .filter(({ unfinished }) => unfinished)
        .map((each) => share(frequencies[column], each)),
    ),
  )

const share = (known: ReadonlyMap<string, number>, { text, stem, unfinished }: Lexeme): number => {
  if (!unfinished) return known.get(stem) ?? 0
  let sum = known.get(stem) ?? 0
  for (const [lexeme, frequency] of known) if (lexeme !== stem && lexeme.startsWith(text)) sum += frequency
  return sum
}
