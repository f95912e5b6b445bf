import { type RawBuilder, sql } from 'kysely'
import { identityUpstreamSql } from '../../catalog/records/identity-upstream.ts'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'

/** Which tables drafts are made for. */
export interface DraftScope {
  readonly resource_id?: string
  readonly integration_id?: string
}

export interface DraftTarget {
  readonly id: string
  readonly entity_type: string
  readonly title: string
  readonly integration: string | null
  readonly description: string | null
}

export interface DraftTable extends DraftTarget {
  readonly title_full: string
}

export interface DraftColumn extends DraftTarget {
  readonly parent: string
}

const scopeSql = ({ resource_id, integration_id }: DraftScope): RawBuilder<unknown> =>
  resource_id === undefined
    ? sql`r.integration = ${integration_id}::uuid`
    : sql`r.id in (
        with recursive below (id, depth) as (
          select ${resource_id}::uuid, 0
          union all select c.id, b.depth + 1 from below b join resources c on c.parent = b.id and c.entity_type <> 'column' where b.depth < 10
        ) select b.id from below b)`

const targetsSql = (ctx: Context, scope: DraftScope): RawBuilder<unknown> => sql`
  from resources r where r.entity_type = 'table' and not r.stale and not r.archived and ${visibleTo(ctx.actor)} and ${scopeSql(scope)}`

export const countTables = async (ctx: Context, scope: DraftScope): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${targetsSql(ctx, scope)}`.execute(ctx.db)
  return rows[0]!.count
}

/** The next tables, in the order of their IDs. */
export const findTables = async (ctx: Context, scope: DraftScope, after: string, limit: number): Promise<DraftTable[]> => {
  const { rows } = await sql<DraftTable>`
    select r.id, r.entity_type, r.title, r.title_full, r.integration, r.description ${targetsSql(ctx, scope)} and r.id > ${after}::uuid
    order by r.id limit ${limit}`.execute(ctx.db)
  return rows
}

const MAX_COLUMNS = 20_000

export const findDraftColumns = async (ctx: Context, tables: readonly string[]): Promise<DraftColumn[]> => {
  const { rows } = await sql<DraftColumn>`
    select r.id, r.entity_type, r.title, r.integration, r.description, r.parent from resources r
    where r.parent = any(${tables}::uuid[]) and r.entity_type = 'column' and not r.stale and ${visibleTo(ctx.actor)} limit ${MAX_COLUMNS}`.execute(
    ctx.db,
  )
  return rows
}

export interface Inherited {
  /** The column without a description. */
  readonly id: string
  readonly source: string
  readonly path: string
  readonly description: string
}

/**
 * The descriptions of the nearest described columns upstream whose values are passed on unchanged. A column that is also computed from
 * others has no such source, and neither has one whose nearest sources say different things.
 */
export const findInheritedDescriptions = async (ctx: Context, columns: readonly string[]): Promise<Inherited[]> => {
  const { rows } = await sql<Inherited>`
    with up as (
      ${identityUpstreamSql({ actor: ctx.actor, columns, until: sql<boolean>`coalesce(r.description, '') <> ''` })}
    ), described as (
      select u.id, u.distance, r.id as source, r.title_full as path, r.description, min(u.distance) over (partition by u.id) as nearest
      from up u join resources r on r.id = u.source where coalesce(r.description, '') <> '' and ${visibleTo(ctx.actor)}
    )
    select d.id, (array_agg(d.source order by d.path, d.source))[1] as source, (array_agg(d.path order by d.path, d.source))[1] as path,
      min(d.description) as description
    from described d where d.distance = d.nearest group by d.id having count(distinct d.description) = 1`.execute(ctx.db)
  return rows
}
