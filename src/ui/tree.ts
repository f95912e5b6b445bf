import { type RawBuilder, sql } from 'kysely'
import { can, seesEverything, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { readId } from '../id.ts'
import { listIntegrations } from '../integrations/read.ts'
import { type PageRequest, pageOf } from '../lists/page.ts'
import { kindOf } from '../resources/kinds.ts'
import { visibleChildren } from '../resources/store.ts'
import type { TreeNode, TreeQuery } from './schema.ts'

/** One level of the tree: integrations, the top of one, or the children of a resource. */
export const readTree = async (ctx: Context, { parent_id, integration_id }: TreeQuery, page: PageRequest) => {
  if (parent_id !== undefined) return readLevel(ctx, sql`r.parent = ${readId(parent_id)}`, page)
  if (integration_id !== undefined) return readLevel(ctx, sql`${AT_THE_TOP} and r.integration = ${readId(integration_id)}`, page)
  if (!can(ctx.actor, 'integrations.read')) return readLevel(ctx, AT_THE_TOP, page)
  const { results, ...envelope } = await listIntegrations(ctx, {}, page)
  return {
    ...envelope,
    results: results.map(
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
        integration: id,
      }),
    ),
  }
}

/** What contains others and stands in nothing. There are few of each of these, found by their type; loose tables are found by searching. */
const CONTAINERS = ['database', 'cluster', 'dashboard_group', 'job_group', 'test_suite', 'category', 'collection']
const AT_THE_TOP = sql`r.entity_type = any(${sql.lit(`{${CONTAINERS.join(',')}}`)}::text[]) and r.parent is null`

const readLevel = async (ctx: Context, where: RawBuilder<unknown>, page: PageRequest) => {
  const seen = sql`${where} and ${visibleTo(ctx.actor)}`
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<Omit<TreeNode, 'icon'> & { icon: string | null }>`
      select r.id, 'resource' as kind, r.title, r.entity_type, r.native_type, r.icon,
        ${seesEverything(ctx.actor) ? sql`r.children_count` : visibleChildren(ctx.actor, 'r')} as children_count, r.published, r.verified, r.stale, r.integration
      from (
        select r.id, row_number() over (order by ${IN_ORDER}, lower(r.title), r.id) as n from resources r where ${seen}
        order by n limit ${page.page_size} offset ${page.offset}
      ) k join resources r on r.id = k.id order by k.n
    `.execute(ctx.db, ctx.limits),
    sql<{ count: number }>`select count(*) as count from resources r where ${seen}`.execute(ctx.db, ctx.limits),
  ])
  return pageOf(
    page,
    counted[0]!.count,
    rows.map((row): TreeNode => ({ ...row, icon: row.icon ?? kindOf(row.entity_type).icon })),
  )
}

/** Columns as their table has them. */
const IN_ORDER = sql`case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details -> 'sort_order')::numeric end`
