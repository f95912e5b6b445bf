import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { Id, Ids, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'
import { ENTITY_TYPES, getEntityTypeConfig } from '../entity-types/entity-types.ts'
import { Deprecation } from '../records/deprecation.ts'
import { childrenCountSql } from '../records/resource-rows.ts'

/** A resource summary for lists, without the documentation, which can be long. */
export const ResourceBrief = Type.Object(
  {
    id: Id(),
    title: Type.String(),
    title_full: Type.String(),
    title_cased: Type.String(),
    entity_type: OneOf(ENTITY_TYPES),
    native_type: NullableString(),
    icon: Type.String(),
    description: NullableString('The first 300 characters of the description.'),
    published: Type.Boolean(),
    archived: Type.Boolean(),
    verified: Type.Boolean(),
    pii: Type.Boolean(),
    stale: Type.Boolean(),
    deprecation: Nullable(Deprecation),
    owners: Ids('User IDs.'),
    tags: Ids('Tag IDs.'),
    terms: Ids('Glossary term IDs.'),
    integration: NullableId(),
    parent: NullableId(),
    updated_at: Timestamp,
    total_usage: Type.Integer({ description: 'The sum of `external_usage` and `internal_usage`.' }),
    external_usage: Type.Integer({ description: 'Number of queries in the source in the 24 hours before the last sync.' }),
    internal_usage: Type.Integer({ description: 'Page views in Tablinum in the last 90 days. Each user is counted once per day.' }),
    children_count: Type.Integer({ description: 'Number of direct children visible to the caller.' }),
  },
  { title: 'ResourceBrief' },
)
export type ResourceBrief = Static<typeof ResourceBrief>

/** The columns of a summary, selected from `resources r`. */
const briefColumnsSql = (actor: Actor): RawBuilder<unknown> => sql`
  r.id, r.title, r.title_full, r.title_cased, r.entity_type, r.native_type, r.icon, left(r.description, 300) as description,
  r.published, r.archived, r.verified, r.pii, r.stale, r.deprecation, coalesce(r.owners, '{}') as owners, coalesce(r.tags, '{}') as tags, coalesce(r.terms, '{}') as terms, r.integration, r.parent,
  r.updated_at, r.external_usage + r.internal_usage as total_usage, r.external_usage, r.internal_usage,
  ${childrenCountSql(actor, 'r')} as children_count`

/** Summaries of the resources the actor can see, in this order. `ids` is a query that returns `id` and its position `n`. */
export const findBriefsByQuery = async (ctx: Context, ids: RawBuilder<unknown>): Promise<ResourceBrief[]> => {
  const { rows } = await sql<Omit<ResourceBrief, 'icon'> & { icon: string | null }>`
    select ${briefColumnsSql(ctx.actor)} from (${ids}) k join resources r on r.id = k.id where ${visibleTo(ctx.actor)} order by k.n
  `.execute(ctx.db, ctx.limits)
  return rows.map((row) => ({ ...row, icon: row.icon ?? getEntityTypeConfig(row.entity_type).icon }))
}

export const findBriefs = async (ctx: Context, ids: readonly string[]): Promise<ResourceBrief[]> =>
  ids.length === 0 ? [] : findBriefsByQuery(ctx, sql`select u.id, u.n from unnest(${ids}::uuid[]) with ordinality u (id, n)`)
