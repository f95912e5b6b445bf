import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findBriefs } from '../listing/brief.ts'
import { getResource } from '../listing/read.ts'
import { titleQuerySql } from '../query-language/named-targets.ts'
import { findField } from '../records/fields.ts'
import { refersToOneSql } from '../records/refs.ts'
import { nameKey } from './name-key.ts'
import type { NamedLikeTerm, TermSuggestions, TermUsage } from './schema.ts'

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
const SUGGESTED_TYPES = ['table', 'column', 'dashboard', 'chart', 'report', 'event', 'event_property']
const MAX_CANDIDATES = 2_000
const MAX_RESULTS = 200

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
  // Those that are used have an index of their own. Of the others, which have no order, no more are read than are needed.
  const { rows } = await sql<{ id: string; title: string }>`
    with used as materialized (
      ${candidates(sql`s.used`)} order by s.usage desc, r.id limit ${sql.lit(MAX_CANDIDATES)}
    ), others as materialized (
      ${candidates(sql`not s.used`)} limit ${sql.lit(MAX_CANDIDATES)} - (select count(*) from used)
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

const MAX_NAMES = 5_000

/** Terms named like the resource or one of its columns that they do not have yet. */
export const suggestTerms = async (ctx: Context, id: string): Promise<TermSuggestions> => {
  await getResource(ctx, id)
  const [{ rows: resources }, { rows: terms }] = await Promise.all([
    sql<{ id: string; title: string; terms: string[] | null }>`
      select r.id, r.title, r.terms from resources r
      where (r.id = ${id}::uuid or r.parent = ${id}::uuid and r.entity_type = 'column') and r.entity_type = any(${SUGGESTED_TYPES}::text[])
        and not r.stale and ${visibleTo(ctx.actor)}
      order by r.id <> ${id}::uuid, ${findField('sort_order')!.value('r')}, r.id limit ${sql.lit(MAX_NAMES)}
    `.execute(ctx.db, ctx.limits),
    sql<{ id: string; title: string; description: string | null; synonyms: unknown }>`
      select r.id, r.title, left(r.description, 300) as description, r.details -> 'synonyms' as synonyms from resources r
      where r.entity_type = 'glossary' and not r.archived and ${visibleTo(ctx.actor)} order by r.external_usage desc, r.id limit ${sql.lit(MAX_NAMES)}
    `.execute(ctx.db, ctx.limits),
  ])
  const byKey = Map.groupBy(
    terms.flatMap((term) => [term.title, ...toTexts(term.synonyms)].map((name) => ({ key: nameKey(name), term }))),
    ({ key }) => key,
  )
  const results = resources.flatMap((resource) => {
    const key = nameKey(resource.title)
    const alike = new Set((key === '' ? [] : (byKey.get(key) ?? [])).map(({ term }) => term))
    return [...alike]
      .filter((term) => !resource.terms?.includes(term.id))
      .map((term) => ({
        resource_id: resource.id,
        resource_title: resource.title,
        term_id: term.id,
        term_title: term.title,
        term_description: term.description,
      }))
  })
  return {
    truncated: results.length > MAX_RESULTS || resources.length === MAX_NAMES || terms.length === MAX_NAMES,
    results: results.slice(0, MAX_RESULTS),
  }
}

/** A source may have written something else. */
const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])
