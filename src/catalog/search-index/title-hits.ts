import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { RowState } from '../../platform/db/row-versions.ts'
import { childrenCountSql } from '../records/resource-rows.ts'
import { criteriaSql, opaqueLimit, restrictToVisible, type SearchCriteria } from './hits-sql.ts'
import { startsWithSql } from './search-term.ts'
import type { Hit, RankedHits } from './tiers.ts'

/** Matches found in the rows of resources, without the index of words. */

/** Very many resources can have exactly this title (e.g. `id`): an index has them by usage, one lookup per spelling. */
export const findExactTitles = async (ctx: Context, { term: { spellings }, most, ...criteria }: SearchCriteria): Promise<Hit[]> => {
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest((select ${spellings}::text[])) spelling cross join lateral (
      select r.id, r.external_usage from resources r where lower(r.title) collate "C" = lower(spelling) and not r.archived and ${criteriaSql(criteria)}
      order by lower(r.title) collate "C", r.external_usage desc, r.id ${opaqueLimit(most)}
    ) t order by t.external_usage desc, t.id ${opaqueLimit(most)}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => ({ id, tier: 'exact_title' }))
}

/** Finds `orders.id` among 100,000 columns titled `id` through its parent, and `public.ord` while it is typed. */
export const findByPath = async (ctx: Context, { most, ...criteria }: SearchCriteria, path: readonly string[]): Promise<Hit[]> => {
  const [parent, title] = [path.at(-2)!, path.at(-1)!]
  const { rows } = await sql<{ id: string; exact: boolean }>`
    select r.id, lower(r.title) = lower(${title}) as exact from resources p join resources r on r.parent = p.id
    where lower(p.title) collate "C" = lower(${parent}) and ${startsWithSql(sql`r.title`, title)}
      and strpos('.' || lower(r.title_full), lower(${`.${path.join('.')}`})) > 0 and ${criteriaSql(criteria)}
    order by r.archived, exact desc, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  const exact = rows.filter((row) => row.exact)
  return (exact.length > 0 ? exact : rows).map(({ id, exact }) => ({ id, tier: exact ? 'exact_title' : 'title_prefix' }))
}

/** The term contains no word, only symbols: finds titles that start with it. There are few, so all are read. */
export const findByTitlePrefix = async (ctx: Context, { term, most, ...criteria }: SearchCriteria): Promise<Hit[]> => {
  if (term.typed === '') return []
  const { rows } = await sql<{ id: string; exact: boolean }>`
    select r.id, lower(r.title) = lower(${term.typed}) as exact from resources r where ${startsWithSql(sql`r.title`, term.typed)} and ${criteriaSql(criteria)}
    order by r.archived, exact desc, r.external_usage desc, r.id limit ${most}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id, exact }) => ({ id, tier: exact ? 'exact_title' : 'title_prefix' }))
}

/** Empty search: the most used resources, archived ones last. */
export const findMostUsed = async (ctx: Context, { most, ...request }: Omit<SearchCriteria, 'term'>): Promise<RankedHits> => {
  const criteria = restrictToVisible(ctx, request)
  const hits: Hit[] = []
  for (const state of [sql`not r.archived`, sql`r.archived`]) {
    if (hits.length >= most) break
    const { rows } = await sql<{ id: string }>`
      select r.id from resources r where ${state} and ${criteriaSql(criteria)} order by r.external_usage desc, r.id limit ${most - hits.length}
    `.execute(ctx.db, ctx.limits)
    for (const { id } of rows) hits.push({ id, tier: 'usage' })
  }
  return { hits, all: hits.length < most, by_path: 0 }
}

/** The states of these rows in order. */
export const loadHitRows = async (ctx: Context, hits: readonly Hit[]): Promise<RowState[]> => {
  if (hits.length === 0) return []
  const { rows } = await sql<RowState>`
    select r.id, r.xmin::text as row_version, ${childrenCountSql(ctx.actor, 'r')}::text as children_count
    from resources r where r.id = any(${hits.map(({ id }) => id)}::uuid[])
  `.execute(ctx.db, ctx.limits)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return hits.flatMap(({ id }) => byId.get(id) ?? [])
}
