import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findBriefs } from '../listing/brief.ts'
import { getResource } from '../listing/read.ts'
import { titleQuerySql } from '../query-language/named-targets.ts'
import { refersToOneSql } from '../records/refs.ts'
import { nameKey } from './name-key.ts'
import type { NamedLikeTerm, TermUsage } from './schema.ts'

/** How many resources of each type have the term, among those that the caller can see. */
export const getTermUsage = async (ctx: Context, id: string): Promise<TermUsage> => {
  await getResource(ctx, id, 'glossary')
  const { rows } = await sql<TermUsage['by_type'][number]>`
    select r.entity_type, count(*) as count from resources r where ${refersToOneSql('terms', id)} and ${visibleTo(ctx.actor)}
    group by 1 order by 2 desc, 1
  `.execute(ctx.db, ctx.limits)
  return { count: rows.reduce((sum, { count }) => sum + count, 0), by_type: rows }
}

/** The ID of the visible term with this title, regardless of case. */
export const findTermByTitle = async (ctx: Context, title: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.entity_type = 'glossary' and lower(r.title) = lower(${title}) and not r.archived and ${visibleTo(ctx.actor)}
    order by r.created_at, r.id limit 1
  `.execute(ctx.db, ctx.limits)
  return rows[0]?.id
}

/** What a term can be about. The names of others, e.g. of documents and runs, say too little. */
export const SUGGESTED_TYPES = ['table', 'column', 'dashboard', 'chart', 'report', 'event', 'event_property']
const MAX_CANDIDATES = 2_000
export const MAX_RESULTS = 200

/** Resources that are named like the term or one of its synonyms and do not have it. */
export const findNamedLikeTerm = async (ctx: Context, id: string): Promise<NamedLikeTerm> => {
  const term = await getResource(ctx, id, 'glossary')
  const { synonyms = [] } = term as { synonyms?: readonly string[] }
  const names = [term.title, ...synonyms].filter((name) => nameKey(name) !== '')
  if (names.length === 0) return { truncated: false, results: [] }
  const keys = new Set(names.map(nameKey))
  const candidates = (used: RawBuilder<unknown>) => sql`
    select r.id, r.title, s.usage from search_titles s join resources r on r.id = s.resource_id
    where ${used} and (${sql.join(
      names.map((name) => sql`s.words @@ ${titleQuerySql(name)}`),
      sql` or `,
    )}) and r.entity_type = any(${SUGGESTED_TYPES}::text[]) and not r.archived and not coalesce(r.terms, '{}') @> array[${id}::uuid] and ${visibleTo(ctx.actor)}`
  // Resources that are used are found by an index, most used first. The others are ordered by age, so that every request lists the same ones.
  const { rows } = await sql<{ id: string; title: string }>`
    with used as materialized (
      ${candidates(sql`s.used`)} order by s.usage desc, r.id limit ${sql.lit(MAX_CANDIDATES)}
    ), others as materialized (
      ${candidates(sql`not s.used`)} order by r.id limit ${sql.lit(MAX_CANDIDATES)} - (select count(*) from used)
    )
    select c.id, c.title from (select * from used union all select * from others) c order by c.usage desc, c.id
  `.execute(ctx.db, ctx.limits)
  const alike = rows.filter(({ title }) => keys.has(nameKey(title)))
  const results = await findBriefs(
    ctx,
    alike.slice(0, MAX_RESULTS).map((row) => row.id),
  )
  return { truncated: alike.length > MAX_RESULTS || rows.length === MAX_CANDIDATES, results }
}
