import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { asc, orderByName } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findBriefs } from '../listing/brief.ts'
import { findResourceRow } from '../records/resource-rows.ts'

/** Resources whose documentation links to another as `/r/<id>`. Triggers maintain the table `resource_links`. */
const LINKS_SQL = sql`resource_links l join resources r on r.id = l.resource_id`
const linksToSql = (ctx: Context, id: string) => sql`l.target = ${id} and ${visibleTo(ctx.actor)}`

export const listBacklinks = async (ctx: Context, id: string, page: PageRequest) => {
  if (!(await findResourceRow(ctx.db, ctx.actor, id))) throw notFound('resource', id)
  const { results, ...head } = await readPage<{ id: string }>(ctx, page, {
    select: sql`r.id`,
    from: LINKS_SQL,
    where: linksToSql(ctx, id),
    order: [orderByName('r.title'), asc('id', 'r.id')],
  })
  const ids = results.map((each) => each.id)
  return { ...head, results: await findBriefs(ctx, ids) }
}

export const countBacklinks = async (ctx: Context, id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${LINKS_SQL} where ${linksToSql(ctx, id)}`.execute(
    ctx.db,
    ctx.limits,
  )
  return rows[0]!.count
}
