import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Shown } from '../db/stamps.ts'
import { expected, type Frequencies, frequenciesOf, rarest } from './frequency.ts'
import { childrenSql } from './store.ts'
import { allOf, beginsSql, pathSql, type Term } from './term.ts'

/**
 * The best of what a term finds, in order: archived ones last; then the tier; inside a tier by usage. A term that finds little is
 * looked up whole and sorted. For one that finds very much that would take seconds at a million resources, so it is looked up tier
 * by tier, and inside a tier from the most used down (the index knows the usage roughly), until there is enough.
 * `usage` is for when nothing was typed.
 */
export const TIERS = ['exact_title', 'title_prefix', 'title_phrase', 'title_words', 'description', 'documentation', 'usage'] as const
export type Tier = (typeof TIERS)[number]

export interface Hit {
  readonly id: string
  readonly tier: Tier
}

export interface Best {
  readonly hits: readonly Hit[]
  /** These are all there are. */
  readonly all: boolean
}

export interface Wanted {
  readonly term: Term
  /** Which resources may be found at all, as a condition on `r`. */
  readonly where: RawBuilder<boolean>
  /** The only entity type that may be found, where it is only one: the index can then leave out the others. */
  readonly type?: string
  /** `where` may leave few of what the words find. */
  readonly narrow: boolean
  readonly most: number
}

/** Up to here everything is looked up and sorted: some 5 to 10 µs for each. */
const LITTLE = 1_000
/** Past this share of all resources the next match is never far, and reading on is cheaper than asking the index for all. */
const EVERYWHERE = 0.05
const MOST_TOGETHER = 3 // words; what they leave is read and compared with the rest
/** From much used to used at all. */
const USAGE = Array.from({ length: 20 }, (_, i) => `#u${20 - i}`)

export const findBest = async (ctx: Context, wanted: Wanted): Promise<Best> => {
  const { term, most } = wanted
  const named = term.path ? await atPath(ctx, wanted, term.path) : []
  const others = term.query === '' ? await beginning(ctx, wanted) : await byWords(ctx, wanted)
  const hits = named.length === 0 ? others : [...named, ...others.filter(({ id }) => named.every((each) => each.id !== id))]
  return { hits: hits.slice(0, most), all: hits.length < most }
}

const byWords = async (ctx: Context, wanted: Wanted): Promise<Hit[]> => {
  const frequencies = await frequenciesOf(ctx)
  const { likely, atMost } = expected(frequencies, wanted.term, '')
  if (atMost <= LITTLE) return atOnce(ctx, wanted, frequencies)
  const exact = await titled(ctx, wanted)
  if (exact.length >= wanted.most) return exact
  return likely <= LITTLE / 3 ? atOnce(ctx, wanted, frequencies) : inStages(ctx, wanted, frequencies, exact)
}

const LEAST = '#u1'

const tierOf = (n: number): Tier => TIERS[n - 1]!
interface Row {
  readonly id: string
  readonly tier: number
}

/** Which tier a row of `resource_search s` and `resources r` belongs to. */
const tierSql = ({ squeezed, phrase, query, title_query, typed }: Term): RawBuilder<number> => sql<number>`
  case when lower(r.title) = lower(${typed}) or replace(s.title_words, ' ', '') = ${squeezed} then 1
    when starts_with(replace(s.title_words, ' ', ''), ${squeezed}) then 2
    when strpos(s.title_words, ${phrase}) > 0 then 3
    when s.words @@ ${title_query}::tsquery then 4
    when s.words @@ ${query}::tsquery then 5 else 6 end`

const atOnce = async (ctx: Context, { term, where, most }: Wanted, frequencies: Frequencies): Promise<Hit[]> => {
  const few = term.words.length > MOST_TOGETHER ? sql`${allOf(rarest(frequencies, term, MOST_TOGETHER), '')}::tsquery` : undefined
  const query = sql`${term.query}::tsquery`
  const { rows } = await sql<Row>`
    select r.id, ${tierSql(term)} as tier
    from (
      select s.* from resource_search s where (s.words @@ ${few ?? query} or s.docs @@ ${few ?? query})
        ${few ? sql`and (s.words @@ ${query} or s.docs @@ ${query}) is true` : sql``} offset 0
    ) s join resources r on r.id = s.resource_id
    where ${where}
    order by r.archived, tier, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id, tier }) => ({ id, tier: tierOf(tier) }))
}

/** One tier to look through: what to ask the index, how much it should find, and what else must hold of `s` and `r`. */
interface Stage {
  readonly column: 'words' | 'docs'
  readonly query: string
  readonly matches: number
  readonly also?: RawBuilder<boolean>
  /** `also` may leave few. */
  readonly picky: boolean
}

const stagesOf = (term: Term, frequencies: Frequencies): Stage[] => {
  const { query, title_query, squeezed, phrase } = term
  const starts = sql<boolean>`starts_with(replace(s.title_words, ' ', ''), ${squeezed})`
  const together = sql<boolean>`strpos(s.title_words, ${phrase}) > 0`
  const titles = expected(frequencies, term, '=')
  const several = term.words.length > 1
  const inTitle = { column: 'words', query: title_query, matches: titles.atMost, picky: several } as const
  const matches = expected(frequencies, term, '').atMost
  return [
    // Few titles are sorted at once, many tier by tier.
    ...(titles.likely <= LITTLE
      ? [{ ...inTitle, matches: titles.likely }]
      : [
          { ...inTitle, also: starts },
          { ...inTitle, also: sql<boolean>`${together} and not ${starts}` },
          { ...inTitle, also: sql<boolean>`not ${together} and not ${starts}`, picky: !several },
        ]),
    { column: 'words', query, matches, also: sql<boolean>`not s.words @@ ${title_query}::tsquery`, picky: false },
    { column: 'docs', query, matches, also: sql<boolean>`not s.words @@ ${query}::tsquery`, picky: false },
  ]
}

const inStages = async (
  ctx: Context,
  { term, type, where, narrow, most }: Wanted,
  frequencies: Frequencies,
  exact: readonly Hit[],
): Promise<Hit[]> => {
  const found = new Map(exact.map((hit) => [hit.id, hit]))
  const isEnough = (rows: readonly Row[]): boolean => {
    for (const { id, tier } of rows) if (found.size < most && !found.has(id)) found.set(id, { id, tier: tierOf(tier) })
    return found.size >= most
  }
  const alive = sql<boolean>`not r.archived and ${where}`
  for (const stage of stagesOf(term, frequencies)) {
    let before: { mark: string; rows: number } | undefined
    for (;;) {
      const missing = most - found.size
      const step = nextStep(frequencies, stage, missing, narrow, before)
      const rows = await look(ctx, term, stage, { ...step, type, where: alive, most })
      // A step down finds what the one before found, and more: so one that did not find enough is only worth keeping when it is the last.
      if ((step.mark === undefined || step.mark === LEAST || rows.length >= missing) && isEnough(rows)) return [...found.values()]
      if (step.mark === undefined) break
      before = { mark: step.mark, rows: rows.length }
    }
  }
  const archived = sql`(s.words @@ ${`(${term.query})&'#archived'`}::tsquery or s.docs @@ ${term.query}::tsquery)`
  const { rows } = await sql<Row>`
    select r.id, ${tierSql(term)} as tier from (select s.* from resource_search s where ${archived} offset 0) s
    join resources r on r.id = s.resource_id
    where r.archived and ${where}
    order by tier, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  isEnough(rows)
  return [...found.values()]
}

const look = async (
  ctx: Context,
  term: Term,
  { column, query, also }: Stage,
  { mark, unused, reading, type, where, most }: Step & Pick<Wanted, 'type' | 'where' | 'most'>,
): Promise<Row[]> => {
  const marks = [mark !== LEAST && mark, type && `#${type}`].flatMap((each) => (each ? `'${each}'` : []))
  const asked = [`(${query})`, ...(column === 'words' ? marks : [])].join('&')
  const used = mark ? sql`and s.used` : unused ? sql`and not s.used` : sql``
  const match = sql<boolean>`s.${sql.ref(column)} @@ ${asked}::tsquery`
  const matching = sql`
    select s.* from resource_search s where ${reading ? sql`(${match}) is true` : match} and ${also ?? sql`true`} ${used}
      ${column === 'docs' && marks.length > 0 ? sql`and s.words @@ ${marks.join('&')}::tsquery` : sql``}`
  // "offset 0" plans it as if all were wanted, which is what the index is good at; it still ends with the last row asked for.
  const { rows } = await sql<Row>`
    select r.id, ${tierSql(term)} as tier from (${matching} ${reading ? sql`` : sql`offset 0`}) s join resources r on r.id = s.resource_id
    where ${where}
    ${reading ? sql`order by s.resource_id` : unused ? sql`` : sql`order by tier, r.external_usage desc, r.id`} limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows
}

interface Step {
  readonly mark?: string
  /** Only what is not used at all: all equal, so the first ones will do. */
  readonly unused?: boolean
  /** Matches are everywhere: read on until there are enough. (`is true` hides the condition from the planner; the order keeps it to one process.) */
  readonly reading?: boolean
}

/** Down to the usage where there should be enough, judging by what the step before found; at the end everything not used at all. */
const nextStep = (
  { resources, shares }: Frequencies,
  { column, matches, picky }: Stage,
  missing: number,
  narrow: boolean,
  before: { mark: string; rows: number } | undefined,
): Step => {
  if (matches <= LITTLE || column === 'docs') return {}
  if (before?.mark === LEAST) return { unused: true, reading: !narrow && !picky && matches > EVERYWHERE * resources }
  const share = (mark: string) => shares.get(mark) ?? 0
  const density = before ? Math.max(before.rows, 0.5) / share(before.mark) : matches
  const rest = before ? USAGE.slice(USAGE.indexOf(before.mark) + 1) : USAGE
  return { mark: rest.find((mark) => share(mark) * density >= 1.5 * missing) ?? LEAST }
}

/** Very many may have just this title (`id`): an index has them by usage, for each way to write it. */
const titled = async (ctx: Context, { term: { spellings }, where, most }: Wanted): Promise<Hit[]> => {
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${spellings}::text[]) spelling cross join lateral (
      select r.id, r.external_usage from resources r where lower(r.title) collate "C" = lower(spelling) and not r.archived and ${where}
      order by lower(r.title) collate "C", r.external_usage desc, r.id limit ${most}
    ) t order by t.external_usage desc, t.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => ({ id, tier: 'exact_title' }))
}

/** `orders.id` among a hundred thousand titles `id`: found from its parent. */
const atPath = async (ctx: Context, { where, most }: Wanted, path: readonly string[]): Promise<Hit[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from resources p join resources r on r.parent = p.id
    where lower(p.title) collate "C" = lower(${path.at(-2)}) and ${pathSql(path, 'r')} and ${where}
    order by r.archived, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => ({ id, tier: 'exact_title' }))
}

/** No word was typed, only signs: titles that begin so. Few do, so they are all read. */
const beginning = async (ctx: Context, { term, where, most }: Wanted): Promise<Hit[]> => {
  if (term.typed === '') return []
  const { rows } = await sql<{ id: string; exact: boolean }>`
    select r.id, lower(r.title) = lower(${term.typed}) as exact from resources r where ${beginsSql(sql`r.title`, term.typed)} and ${where}
    order by r.archived, exact desc, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id, exact }) => ({ id, tier: exact ? 'exact_title' : 'title_prefix' }))
}

/** The hits as rows to be shown, in their order, with these texts of theirs. */
export const showHits = async (ctx: Context, hits: readonly Hit[], texts: readonly TextField[] = []): Promise<ShownHit[]> => {
  if (hits.length === 0) return []
  const columns = [
    sql`r.id`,
    sql`r.xmin::text as stamp`,
    sql`${childrenSql(ctx.actor, 'r')}::text as children_count`,
    ...texts.map((text) => sql`${sql.ref(`r.${text}`)}`),
  ]
  const { rows } = await sql<ShownHit>`
    select ${sql.join(columns)} from resources r where r.id = any(${hits.map(({ id }) => id)}::uuid[])
  `.execute(ctx.db, ctx.limits)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return hits.flatMap(({ id }) => byId.get(id) ?? [])
}

export type TextField = 'title' | 'description' | 'definition'
type ShownHit = Shown & { readonly [text in TextField]?: string | null }
