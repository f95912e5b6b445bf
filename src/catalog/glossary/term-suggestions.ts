import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { getResource } from '../listing/read.ts'
import { findField } from '../records/fields.ts'
import { identityUpstreamSql } from '../records/identity-upstream.ts'
import { nameKey } from './name-key.ts'
import type { TermReason, TermSuggestion, TermSuggestions } from './schema.ts'
import { MAX_RESULTS, SUGGESTED_TYPES } from './terms.ts'

const MAX_NAMES = 5_000
const BY_NAME: TermReason = { type: 'name', resource_id: null, resource_title: null }

interface Target {
  readonly id: string
  readonly title: string
  readonly terms: readonly string[] | null
  /** Titles of terms that somebody rejected for it, in lower case. */
  readonly rejected: readonly string[] | null
}
interface Term {
  readonly id: string
  readonly title: string
  readonly description: string | null
}

/** Terms that the resource or its columns may be about, by name and by lineage, and do not have yet. Rejected ones are not suggested again. */
export const suggestTerms = async (ctx: Context, id: string): Promise<TermSuggestions> => {
  await getResource(ctx, id)
  const [targets, named] = await Promise.all([findTargets(ctx, id), findNamedTerms(ctx)])
  const passedOn = await findPassedOnTerms(
    ctx,
    id,
    targets.map((target) => target.id),
  )
  const results = targets.flatMap((target) => {
    const found = new Map<string, { term: Term; reasons: TermReason[] }>()
    const add = (term: Term, reason: TermReason) => {
      const { reasons } = found.get(term.id) ?? { reasons: [] }
      found.set(term.id, { term, reasons: [...reasons, reason] })
    }
    for (const term of named.byKey.get(nameKey(target.title)) ?? []) add(term, BY_NAME)
    for (const { term, reason } of passedOn.get(target.id) ?? []) add(term, reason)
    return [...found.values()]
      .filter(({ term }) => !target.terms?.includes(term.id) && !target.rejected?.includes(term.title.toLowerCase()))
      .map(({ term, reasons }) => toSuggestion(target, term, reasons))
  })
  return {
    truncated: results.length > MAX_RESULTS || targets.length === MAX_NAMES || named.truncated,
    results: results.slice(0, MAX_RESULTS),
  }
}

const toSuggestion = ({ id, title }: Target, term: Term, reasons: TermReason[]): TermSuggestion => ({
  resource_id: id,
  resource_title: title,
  term_id: term.id,
  term_title: term.title,
  term_description: term.description,
  reasons: reasons.slice(0, MAX_REASONS),
})
const MAX_REASONS = 5

/** The resource and its columns, as far as terms can be about them. */
const findTargets = async (ctx: Context, id: string): Promise<Target[]> => {
  const { rows } = await sql<Target>`
    select r.id, r.title, r.terms, s.rejected from resources r left join lateral (
      select array_agg(lower(s.value)) as rejected from change_suggestions s where s.resource_id = r.id and s.field = 'term' and s.status = 'rejected'
    ) s on true
    where (r.id = ${id}::uuid or r.parent = ${id}::uuid and r.entity_type = 'column') and r.entity_type = any(${SUGGESTED_TYPES}::text[])
      and not r.stale and ${visibleTo(ctx.actor)}
    order by r.id <> ${id}::uuid, ${findField('sort_order')!.value('r')}, r.id limit ${sql.lit(MAX_NAMES)}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Terms by the words of their title and synonyms. */
const findNamedTerms = async (ctx: Context): Promise<{ byKey: ReadonlyMap<string, ReadonlySet<Term>>; truncated: boolean }> => {
  const { rows: terms } = await sql<Term & { synonyms: unknown }>`
    select r.id, r.title, left(r.description, 300) as description, r.details -> 'synonyms' as synonyms from resources r
    where r.entity_type = 'glossary' and not r.archived and ${visibleTo(ctx.actor)} order by r.external_usage desc, r.id limit ${sql.lit(MAX_NAMES)}
  `.execute(ctx.db, ctx.limits)
  const byKey = new Map<string, Set<Term>>()
  for (const { synonyms, ...term } of terms)
    for (const key of [term.title, ...toTexts(synonyms)].map(nameKey))
      if (key !== '') byKey.set(key, (byKey.get(key) ?? new Set()).add(term))
  return { byKey, truncated: terms.length === MAX_NAMES }
}

/** A source may have stored a value of another type in this field. */
const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])

/**
 * Terms by lineage: those of the nearest upstream columns that have any and whose values arrive unchanged, and those of a table that this one repeats row
 * by row. `offset 0` makes each join a lookup: the planner cannot know how few rows there are, and without it reads the whole catalog (900 ms instead of
 * 10 with 300,000 resources).
 */
const findPassedOnTerms = async (ctx: Context, id: string, targets: readonly string[]) => {
  const columns = targets.filter((target) => target !== id)
  const { rows } = await sql<Term & { target: string; source: string; source_title: string }>`
    with up as materialized (
      ${identityUpstreamSql({ actor: ctx.actor, columns: targets, until: sql<boolean>`(r.terms is not null)` })}
      union all ${repeatedTableSql(id, columns)}
    ), sources as (
      select u.id as target, r.id, r.title_full, r.terms, u.distance, min(u.distance) over (partition by u.id) as nearest
      from up u cross join lateral (
        select r.id, r.title_full, r.terms from resources r where r.id = u.source and r.terms is not null and ${visibleTo(ctx.actor)} offset 0
      ) r
    )
    select s.target, s.id as source, s.title_full as source_title, t.id, t.title, left(t.description, 300) as description
    from sources s cross join lateral unnest(s.terms) with ordinality n(term, position) cross join lateral (
      select t.* from resources t where t.id = n.term and t.entity_type = 'glossary' and not t.archived and ${visibleTo(ctx.actor, 't')} offset 0
    ) t where s.distance = s.nearest
    order by s.title_full, s.id, n.position
  `.execute(ctx.db, ctx.limits)
  const suggested = rows.map(({ target, source, source_title, ...term }) => ({
    target,
    term,
    reason: { type: 'lineage', resource_id: source, resource_title: source_title } satisfies TermReason,
  }))
  return Map.groupBy(suggested, ({ target }) => target)
}

/** The table that this one repeats row by row: its only source, from which every column comes without aggregation. */
const repeatedTableSql = (id: string, columns: readonly string[]) => sql`
  select ${id}::uuid, (min(e.upstream::text))::uuid, 1 from lineage_edges e
  where e.downstream between ${id}::uuid and ${id}::uuid and e.kind = 'table' and ${columns.length} > 0
    and not exists (select from unnest(${columns}::uuid[]) c(id) where not exists (
      select from lineage_edges o where o.downstream between c.id and c.id and o.kind in ('identity', 'expression') offset 0
    ) or exists (select from lineage_edges o where o.downstream between c.id and c.id and o.kind = 'aggregation' offset 0))
  having count(distinct e.upstream) = 1`
