import { type RawBuilder, sql } from 'kysely'
import { seesEverything, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Shown } from '../db/row-versions.ts'
import { expected, type Frequencies, frequenciesOf, rarest, type Searched } from './frequency.ts'
import {
  asked,
  BEST_FIRST,
  hitsSql,
  indexedSql,
  isTitleSql,
  matchesSql,
  notHeadedSql,
  type Row,
  sortedSql,
  startsSql,
  titledSql,
  togetherSql,
  type Wanted,
  wantedSql,
} from './hits-sql.ts'
import { childrenSql } from './store.ts'
import { beginsSql, type Place, pathSql, toldSql, type Word } from './term.ts'

/**
 * The best matches of a term, in order: archived resources last, then by tier, then by usage. Few matches are looked up completely and
 * sorted. For a frequent term that would take seconds with a million resources, so matches are looked up tier by tier, and inside a tier
 * from the most used down (the index contains a rough usage), until there are enough. `usage` is the tier of an empty search.
 */
export const TIERS = ['exact_title', 'title_prefix', 'title_phrase', 'title_words', 'description', 'documentation', 'usage'] as const
export type Tier = (typeof TIERS)[number]

export interface Hit {
  readonly id: string
  readonly tier: Tier
}

export interface Best {
  readonly hits: readonly Hit[]
  /** Whether these are all matches. */
  readonly all: boolean
}

/**
 * Up to this many matches, titles and texts are searched in one statement: saves a round trip of about 1 ms and costs about 20 µs per
 * match.
 */
const RARE = 200
/** Up to this many matches, titles or texts are looked up completely and sorted: about 5 µs each, or 20 µs with the resource row. */
const littleFor = ({ where, most }: Pick<Wanted, 'where' | 'most'>): number => Math.max(where.length > 0 ? 100 : 1000, 2 * most)
/** Above this share of all resources, a sequential read finds the next match sooner than an index lookup of all. */
const EVERYWHERE = 0.05
/** Estimates for several words may be too high by this factor, because words correlate. */
const UNSURE = 3
const MOST_TOGETHER = 3 // words per index lookup; the rows found are compared with the remaining words
/** Filter lexemes for usage, from the most used down. */
const USAGE = Array.from({ length: 20 }, (_, i) => `#u${20 - i}`)

export const findBest = async (ctx: Context, request: Wanted): Promise<Best> => {
  const wanted = visibly(ctx, request)
  const { term, most } = wanted
  const named = term.path ? await atPath(ctx, wanted, term.path) : []
  const others = term.query === '' ? await beginning(ctx, wanted) : await byWords(ctx, wanted)
  const hits = named.length === 0 ? others : [...named, ...others.filter(({ id }) => named.every((each) => each.id !== id))]
  return { hits: hits.slice(0, most), all: hits.length < most }
}

const visibly = <T extends Pick<Wanted, 'where'>>({ actor }: Context, wanted: T): T =>
  seesEverything(actor) ? wanted : { ...wanted, where: [visibleTo(actor), ...wanted.where] }

const byWords = async (ctx: Context, wanted: Wanted): Promise<Hit[]> => {
  const frequencies = await frequenciesOf(ctx)
  const words = rarest(frequencies, wanted.term, MOST_TOGETHER)
  const atMost = expected(frequencies, wanted, 'title').atMost + expected(frequencies, wanted, 'texts').atMost
  const all = atMost <= RARE ? await rare(ctx, wanted, words) : undefined
  if (all) return all
  const exact = wanted.type === undefined ? await titled(ctx, wanted) : []
  return exact.length >= wanted.most ? exact : inStages(ctx, wanted, frequencies, exact, words)
}

const LEAST = '#u1'

const hitOf = ({ id, tier }: Row): Hit => ({ id, tier: TIERS[tier - 1]! })

/** All matches, found by these words and sorted. Undefined if there are too many. */
const rare = async (ctx: Context, wanted: Wanted, words: readonly Word[]): Promise<Hit[] | undefined> => {
  const { title, texts } = indexedSql(wanted, words)
  const some = [title, texts].map((each) => sql`(select resource_id as id from (${each}) f limit ${RARE + 1})`)
  const few = sql`select distinct id from few where not exists (select from many)`
  const { rows } = await sql<Row | { id: null }>`
    with few as materialized (${sql.join(some, sql` union all `)}), many as materialized (select from few having count(*) > ${RARE})
    (${sortedSql(wanted, few, sql`true`)}) union all select null, null from many
  `.execute(ctx.db, ctx.limits)
  return hitsOf(rows)
}

/** The same for titles only, or for texts only (not in the title). Without archived resources. */
const few = async (ctx: Context, wanted: Wanted, words: readonly Word[], within: Searched): Promise<Hit[] | undefined> => {
  const { term } = wanted
  const little = littleFor(wanted)
  const also = within === 'title' ? sql`true` : sql`(${toldSql(term, asked)} or t.docs @@ ${asked(term.query)}) and not ${titledSql(term)}`
  const { rows } = await sql<Row | { id: null }>`
    with few as materialized (select * from (${indexedSql(wanted, words)[within]}) f limit ${little + 1}), many as materialized (select from few having count(*) > ${little})
    (${hitsSql(wanted, within, sql`select * from few where not exists (select from many)`, also)}) union all select null, null from many
  `.execute(ctx.db, ctx.limits)
  return hitsOf(rows)
}

/** Undefined if a row without ID signals too many matches. */
const hitsOf = (rows: readonly (Row | { id: null })[]): Hit[] | undefined => {
  const hits = rows.flatMap((row) => (row.id === null ? [] : hitOf(row)))
  return hits.length === rows.length ? hits : undefined
}

/** One tier to search: the index query, the expected number of matches, and further conditions. */
interface Stage {
  readonly place: Place
  readonly query: string
  readonly matches: number
  readonly also: RawBuilder<boolean>
  /** Whether `also` may leave only a few rows. */
  readonly picky: boolean
}

const stagesOf = (wanted: Wanted, frequencies: Frequencies, within: Searched): Stage[] => {
  const { term, type } = wanted
  const { query, title_query, text_query } = term
  const { atMost: matches } = expected(frequencies, wanted, within)
  if (within === 'texts') {
    const [titled, told] = [titledSql(term), toldSql(term, asked)]
    return [
      { place: 'texts', query: text_query, matches, also: sql<boolean>`${told} and not ${titled}`, picky: term.roughly },
      { place: 'docs', query, matches, also: sql<boolean>`not ${told} and not ${titled}`, picky: false },
    ]
  }
  const several = term.words.length > 1
  const title = { place: 'title', query: title_query, matches, picky: several } as const
  const [starts, together] = [startsSql(term), togetherSql(term)]
  return [
    ...(type === undefined ? [] : [{ ...title, also: isTitleSql(term), picky: true }]),
    { ...title, also: starts },
    { ...title, also: sql<boolean>`${together} and not ${starts}` },
    { ...title, also: sql<boolean>`not ${together} and not ${starts}`, picky: !several },
  ]
}

const inStages = async (
  ctx: Context,
  wanted: Wanted,
  frequencies: Frequencies,
  exact: readonly Hit[],
  words: readonly Word[],
): Promise<Hit[]> => {
  const { term, type, most } = wanted
  const found = new Map(exact.map((hit) => [hit.id, hit]))
  const isEnough = (hits: readonly Hit[]): boolean => {
    for (const hit of hits) if (found.size < most && !found.has(hit.id)) found.set(hit.id, hit)
    return found.size >= most
  }
  const unsure = term.words.length > 1 || type !== undefined ? UNSURE : 1
  for (const within of ['title', 'texts'] as const) {
    const mayBeFew = expected(frequencies, wanted, within).likely <= littleFor(wanted) * unsure
    const all = mayBeFew ? await few(ctx, wanted, words, within) : undefined
    if (all && isEnough(all)) return [...found.values()]
    for (const stage of all ? [] : stagesOf(wanted, frequencies, within)) {
      let before: { mark: string; hits: number } | undefined
      for (;;) {
        const missing = most - found.size
        const step = nextStep(frequencies, stage, { ...wanted, most: missing }, before)
        const hits = await look(ctx, wanted, stage, step)
        // A lower step contains the results of the one before, so an insufficient result is only used if it is the last step.
        if ((step.mark === undefined || step.mark === LEAST || hits.length >= missing) && isEnough(hits)) return [...found.values()]
        if (step.mark === undefined) break
        before = { mark: step.mark, hits: hits.length }
      }
    }
  }
  const { title, texts } = indexedSql(wanted, term.words, '#archived')
  const ids = sql`select s.resource_id from (${title}) s union select t.resource_id from (${texts}) t`
  const { rows } = await sortedSql(wanted, ids, sql`s.archived`).execute(ctx.db, ctx.limits)
  isEnough(rows.map(hitOf))
  return [...found.values()]
}

const look = async (ctx: Context, wanted: Wanted, { place, query, also }: Stage, { mark, unused, reading }: Step): Promise<Hit[]> => {
  const { term, type } = wanted
  const inTitle = place === 'title'
  // Used titles have their own index.
  const match = matchesSql(
    place,
    query,
    [inTitle && mark === LEAST ? undefined : mark, type && `#${type}`].flatMap((each) => each ?? []),
  )
  const [table, row] = inTitle ? [sql`search_titles`, sql`s`] : [sql`search_texts`, sql`t`]
  const [used, notUsed] = inTitle ? [sql`and s.used`, sql`and not s.used`] : [sql``, sql`and not t.words @@ ${asked(`'${LEAST}'`)}`]
  const matching = sql`
    select * from ${table} ${row} where ${reading ? sql`(${match}) is true` : match} ${mark ? used : unused ? notUsed : sql``}
      ${inTitle ? sql`` : sql`and ${notHeadedSql(term)}`}`
  // "offset 0" makes Postgres plan for all rows, where the index is best; execution still stops at the limit.
  const some = reading ? matching : sql`${matching} offset 0`
  const order = reading ? sql`order by s.resource_id` : unused ? sql`` : BEST_FIRST
  const { rows } = await hitsSql(wanted, inTitle ? 'title' : 'texts', some, also, order).execute(ctx.db, ctx.limits)
  return rows.map(hitOf)
}

interface Step {
  readonly mark?: string
  /** Only unused resources: they rank equally, so any of them will do. */
  readonly unused?: boolean
  /**
   * Matches are frequent: read sequentially until there are enough. (`is true` hides the condition from the planner; the order prevents
   * parallel workers.)
   */
  readonly reading?: boolean
}

/** The usage level at which there should be enough matches, based on the previous step; the last step covers unused resources. */
const nextStep = (
  { resources, shares }: Frequencies,
  { place, matches, picky }: Stage,
  { where, narrow, most: missing }: Pick<Wanted, 'where' | 'narrow' | 'most'>,
  before: { mark: string; hits: number } | undefined,
): Step => {
  if (matches <= littleFor({ where, most: missing }) || place === 'docs') return {}
  if (before?.mark === LEAST) return { unused: true, reading: !narrow && !picky && matches > EVERYWHERE * resources }
  const share = (mark: string) => shares.title.get(mark) ?? 0
  const density = before ? Math.max(before.hits, 0.5) / share(before.mark) : matches
  const rest = before ? USAGE.slice(USAGE.indexOf(before.mark) + 1) : USAGE
  return { mark: rest.find((mark) => share(mark) * density >= 1.5 * missing) ?? LEAST }
}

/** Very many resources can have exactly this title (e.g. `id`): an index has them by usage, one lookup per spelling. */
const titled = async (ctx: Context, { term: { spellings }, most, ...wanted }: Wanted): Promise<Hit[]> => {
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${spellings}::text[]) spelling cross join lateral (
      select r.id, r.external_usage from resources r where lower(r.title) collate "C" = lower(spelling) and not r.archived and ${wantedSql(wanted)}
      order by lower(r.title) collate "C", r.external_usage desc, r.id limit ${most}
    ) t order by t.external_usage desc, t.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => ({ id, tier: 'exact_title' }))
}

/** Finds `orders.id` among 100,000 columns titled `id` through its parent. */
const atPath = async (ctx: Context, { most, ...wanted }: Wanted, path: readonly string[]): Promise<Hit[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from resources p join resources r on r.parent = p.id
    where lower(p.title) collate "C" = lower(${path.at(-2)}) and ${pathSql(path, 'r')} and ${wantedSql(wanted)}
    order by r.archived, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => ({ id, tier: 'exact_title' }))
}

/** The term contains no word, only symbols: finds titles that start with it. There are few, so all are read. */
const beginning = async (ctx: Context, { term, most, ...wanted }: Wanted): Promise<Hit[]> => {
  if (term.typed === '') return []
  const { rows } = await sql<{ id: string; exact: boolean }>`
    select r.id, lower(r.title) = lower(${term.typed}) as exact from resources r where ${beginsSql(sql`r.title`, term.typed)} and ${wantedSql(wanted)}
    order by r.archived, exact desc, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id, exact }) => ({ id, tier: exact ? 'exact_title' : 'title_prefix' }))
}

/** Empty search: the most used resources, archived ones last. */
export const findMostUsed = async (ctx: Context, { most, ...request }: Omit<Wanted, 'term'>): Promise<Best> => {
  const wanted = visibly(ctx, request)
  const hits: Hit[] = []
  for (const state of [sql`not r.archived`, sql`r.archived`]) {
    if (hits.length >= most) break
    const { rows } = await sql<{ id: string }>`
      select r.id from resources r where ${state} and ${wantedSql(wanted)} order by r.external_usage desc, r.id limit ${most - hits.length}
    `.execute(ctx.db, ctx.limits)
    for (const { id } of rows) hits.push({ id, tier: 'usage' })
  }
  return { hits, all: hits.length < most }
}

/** Loads the rows of these hits in order, with the requested texts. */
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
