import { type RawBuilder, sql } from 'kysely'
import { getEntityTypeConfig } from '../../catalog/entity-types/entity-types.ts'
import { healthSql } from '../../catalog/records/health.ts'
import { childrenCountSql } from '../../catalog/records/resource-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import { parseId } from '../../platform/core/id.ts'
import { asc, orderByName } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage, readPage } from '../../platform/lists/read-page.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { listIntegrations } from '../../sources/integrations/read.ts'
import type { TreeNode, TreeQuery } from './schema.ts'

/** One level of the tree: integrations, the top level of one, or the children of a resource. */
export const listTreeLevel = async (ctx: Context, { parent_id, integration_id }: TreeQuery, page: PageRequest) => {
  if (parent_id !== undefined) return listChildren(ctx, parseId(parent_id)!, page)
  if (integration_id !== undefined)
    return listResourceLevel(ctx, sql`${TOP_LEVEL_SQL} and r.integration = ${parseId(integration_id)}`, page)
  if (!can(ctx.actor, 'integrations.read')) return listResourceLevel(ctx, TOP_LEVEL_SQL, page)
  return mapPage(
    await listIntegrations(ctx, {}, page),
    ({ id, name, type, icon, resource_count }): TreeNode => ({
      id,
      kind: 'integration',
      title: name,
      entity_type: type,
      native_type: null,
      icon,
      children_count: resource_count,
      published: true,
      verified: false,
      stale: false,
      deprecated: false,
      health: 'unknown',
      integration: id,
    }),
  )
}

/** Entity types at the top level. There are few of each, found by their type; tables without a parent are found by search. */
const TOP_LEVEL_ENTITY_TYPES = ['database', 'cluster', 'dashboard_group', 'job_group', 'test_suite', 'category', 'collection']
const TOP_LEVEL_SQL = sql`r.entity_type = any(${sql.lit(`{${TOP_LEVEL_ENTITY_TYPES.join(',')}}`)}::text[]) and r.parent is null`

const listChildren = (ctx: Context, parent: string, page: PageRequest) => {
  const counted = sql<number>`coalesce((select ${childrenCountSql(ctx.actor, 'p')} from resources p where p.id = ${parent}), 0)`
  return listResourceLevel(ctx, sql`r.parent = ${parent}`, page, counted)
}

const listResourceLevel = async (ctx: Context, where: RawBuilder<unknown>, page: PageRequest, count?: RawBuilder<number>) => {
  const { results, ...head } = await readPage<{ id: string }>(ctx, page, {
    select: sql`r.id`,
    from: sql`resources r`,
    where: sql`${where} and ${visibleTo(ctx.actor)}`,
    count,
    order: [{ name: 'sort_order', type: 'decimal', value: SORT_ORDER_SQL, nullable: true }, orderByName('r.title'), asc('id', 'r.id')],
  })
  // Children are only counted for the rows of the page, not for skipped rows.
  const { rows } = await sql<Omit<TreeNode, 'icon'> & { icon: string | null }>`
    select r.id, 'resource' as kind, r.title, r.entity_type, r.native_type, r.icon,
      ${childrenCountSql(ctx.actor, 'r')} as children_count, r.published, r.verified, r.stale,
      r.deprecation is not null as deprecated, ${healthSql(ctx.actor)} as health, r.integration
    from unnest(${results.map(({ id }) => id)}::uuid[]) with ordinality k (id, n) join resources r on r.id = k.id
    where ${visibleTo(ctx.actor)} order by k.n
  `.execute(ctx.db, ctx.limits)
  return { ...head, results: rows.map((row): TreeNode => ({ ...row, icon: row.icon ?? getEntityTypeConfig(row.entity_type).icon })) }
}

/** Orders columns as in their table; the index `resources_tree` has this expression. */
export const SORT_ORDER_SQL = sql`case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details -> 'sort_order')::numeric end`
