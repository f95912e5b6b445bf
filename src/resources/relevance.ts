import { type RawBuilder, sql } from 'kysely'
import { seesEverything } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { expected, type Frequencies, frequenciesOf, gathered } from './frequency.ts'
import type { Shown } from './read.ts'
import { visibleChildren } from './store.ts'
import { beginsSql, type Term } from './term.ts'

/**
 * The best of what a term finds, in order: archived ones last; then the tier; inside a tier by usage. A term that finds little is
 * looked up whole and sorted. For one that finds very much that would take seconds at a million resources, so it is looked up tier
 * by tier, and inside a tier from the most used down (`marks` says the usage inside the index), until there is enough.
 */
/** `usage`: nothing was typed. */
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
  readonly most: number
}

/** Up to here everything is looked up and sorted: some 5 µs for each. */
const LITTLE = 1_000
/** Past this an unfinished word costs more inside the index than out of it. */
const WIDE = 20_000
const CLASSES = ['u8', 'u7', 'u6', 'u5', 'u4', 'u3', 'u2', 'u1']

export const findBest = async (ctx: Context, wanted: Wanted): Promise<Best> => {
  const { term, most } = wanted
  if (term.query === '' && term.titleStart === undefined) return { hits: [], all: true }
  const frequencies = await frequenciesOf(ctx)
  const staged = term.titleStart !== undefined || expected(frequencies, 'words', term) > LITTLE
  const hits = staged ? await inStages(ctx, wanted, frequencies) : await atOnce(ctx, wanted)
  return { hits: hits.slice(0, most), all: hits.length < most }
}

const tierOf = (n: number): Tier => TIERS[n - 1]!
interface Row {
  readonly id: string
  readonly tier: number
}

/** Which tier a row of `resource_search s` and `resources r` belongs to. */
const tierSql = ({ squeezed, phrase, query, typed }: Term): RawBuilder<number> => sql<number>`
  case when lower(r.title) = lower(${typed}) or replace(s.title_words, ' ', '') = ${squeezed} then 1
    when starts_with(replace(s.title_words, ' ', ''), ${squeezed}) then 2
    when strpos(s.title_words, ${phrase}) > 0 then 3
    when s.title @@ ${query}::tsquery then 4
    when s.words @@ ${query}::tsquery then 5 else 6 end`

const atOnce = async (ctx: Context, { term, where, most }: Wanted): Promise<Hit[]> => {
  const query = sql`${term.query}::tsquery`
  const { rows } = await sql<Row>`
    select r.id, ${tierSql(term)} as tier
    from resource_search s join resources r on r.id = s.resource_id
    where (s.words @@ ${query} or s.docs @@ ${query}) and ${where}
    order by r.archived, tier, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id, tier }) => ({ id, tier: tierOf(tier) }))
}

/** One tier to look through: a column of the index, and what else must hold of `s` and `r`. */
interface Stage {
  readonly column: 'title' | 'words' | 'docs'
  readonly also: RawBuilder<boolean>
}

const inStages = async (ctx: Context, { term, type, where, most }: Wanted, frequencies: Frequencies): Promise<Hit[]> => {
  const found = new Map<string, Hit>()
  const isEnough = (rows: readonly Row[]): boolean => {
    for (const { id, tier } of rows) if (found.size < most && !found.has(id)) found.set(id, { id, tier: tierOf(tier) })
    return found.size >= most
  }
  const hits = () => [...found.values()]
  const alive = sql<boolean>`not r.archived and ${where}`
  if (isEnough(await titled(ctx, term, alive, most))) return hits()
  if (term.titleStart !== undefined && isEnough(await beginning(ctx, term.titleStart, alive, most))) return hits()
  if (term.query === '') return hits()
  const query = sql`${term.query}::tsquery`
  for (const { column, also } of stagesOf(term)) {
    const known = column === 'docs' ? 'words' : column
    const matches = expected(frequencies, known, term)
    const match = sql<boolean>`s.${sql.ref(column)} @@ ${query}`
    // Past a certain number the index is not asked for it: "is true" hides it from the planner.
    const matching = gathered(frequencies, known, term) > WIDE ? sql<boolean>`(${match}) is true` : match
    for (const step of descent(frequencies, matches, most - found.size)) {
      const marks = [step.mark, type].filter((mark) => mark !== undefined)
      const { rows } = await sql<Row>`
        select r.id, ${tierSql(term)} as tier from resource_search s join resources r on r.id = s.resource_id
        where ${matching} and ${also} and ${alive}
          ${marks.length > 0 ? sql`and s.marks @> ${marks}::text[]` : sql``} ${step.unused ? sql`and not s.marks @> array['u1']` : sql``}
        ${step.unused ? sql`` : sql`order by tier, r.external_usage desc, r.id`} limit ${most}
      `.execute(ctx.db, ctx.limits)
      // A step down finds what the one before found, and more: one that did not find enough is only worth keeping when it is the last.
      if ((step.last || rows.length >= most - found.size) && isEnough(rows)) return hits()
    }
  }
  const { rows } = await sql<Row>`
    select r.id, ${tierSql(term)} as tier from resource_search s join resources r on r.id = s.resource_id
    where (s.words @@ ${query} or s.docs @@ ${query}) and s.marks @> array['archived'] and r.archived and ${where}
    order by tier, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  isEnough(rows)
  return hits()
}

const stagesOf = ({ query: text, squeezed }: Term): Stage[] => {
  const query = sql`${text}::tsquery`
  const prefix = sql<boolean>`starts_with(replace(s.title_words, ' ', ''), ${squeezed})`
  return [
    { column: 'title', also: prefix },
    { column: 'title', also: sql<boolean>`not ${prefix}` },
    { column: 'words', also: sql<boolean>`not s.title @@ ${query}` },
    { column: 'docs', also: sql<boolean>`not s.words @@ ${query}` },
  ]
}

interface Step {
  readonly mark?: string
  /** Only what is not used at all: all equal, so the first ones will do. */
  readonly unused: boolean
  readonly last: boolean
}

/** From the usage where there should be enough, down to everything. */
const descent = ({ marks }: Frequencies, matches: number, wanted: number): Step[] => {
  if (matches <= LITTLE) return [{ unused: false, last: true }]
  const enough = CLASSES.filter((mark, i) => i < CLASSES.length - 1 && matches * (marks.get(mark) ?? 0) >= 2 * wanted).slice(0, 2)
  return [
    ...enough.map((mark) => ({ mark, unused: false, last: false })),
    { mark: CLASSES.at(-1), unused: false, last: true },
    { unused: true, last: true },
  ]
}

/** Very many may have just this title (`id`): an index has them by usage. */
const titled = async (ctx: Context, { typed }: Term, alive: RawBuilder<boolean>, most: number): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select r.id, 1 as tier from resources r where lower(r.title) collate "C" = lower(${typed}) and ${alive}
    order by lower(r.title) collate "C", r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Titles that begin so: all when they are few, else the most used and then whichever come first. */
const beginning = async (ctx: Context, start: string, alive: RawBuilder<boolean>, most: number): Promise<Row[]> => {
  const begins = beginsSql(sql`r.title`, start)
  const { rows } = await sql<Row>`
    select id, 2 as tier from (
      select r.id, r.external_usage from (select r.* from resources r where ${begins} limit ${LITTLE}) r where ${alive}
      union
      (select r.id, r.external_usage from (select * from resources order by external_usage desc, id limit ${LITTLE}) r where ${begins} and ${alive} limit ${most})
    ) few order by external_usage desc, id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** The hits as rows to be shown, in their order. */
export const showHits = async (ctx: Context, hits: readonly Hit[]): Promise<Shown[]> => {
  if (hits.length === 0) return []
  const children = seesEverything(ctx.actor) ? sql`r.children_count` : visibleChildren(ctx.actor, 'r')
  const { rows } = await sql<Shown>`
    select r.id, r.xmin::text as stamp, ${children}::text as children_count from resources r where r.id = any(${hits.map(({ id }) => id)}::uuid[])
  `.execute(ctx.db, ctx.limits)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return hits.flatMap(({ id }) => byId.get(id) ?? [])
}
