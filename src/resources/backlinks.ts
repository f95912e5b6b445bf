import { sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { asc, byName } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import { briefsOf } from './brief.ts'
import { findRow } from './store.ts'

/** Resources whose documentation links to another as `/r/<id>`. Triggers maintain the table `resource_links`. */
const LINKS = sql`resource_links l join resources r on r.id = l.resource_id`
const linking = (ctx: Context, id: string) => sql`l.target = ${id} and ${visibleTo(ctx.actor)}`

export const listBacklinks = async (ctx: Context, id: string, page: PageRequest) => {
  if (!(await findRow(ctx.db, ctx.actor, id))) throw notFound('resource', id)
  const { results, ...head } = await readPage<{ id: string }>(ctx, page, {
    select: sql`r.id`,
    from: LINKS,
    where: linking(ctx, id),
    order: [byName('r.title'), asc('id', 'r.id')],
  })
  const ids = results.map((each) => each.id)
  return { ...head, results: await briefsOf(ctx, ids) }
}

export const countBacklinks = async (ctx: Context, id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${LINKS} where ${linking(ctx, id)}`.execute(
    ctx.db,
    ctx.limits,
  )
  return rows[0]!.count
}
