import { sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { type PageRequest, pageOf } from '../lists/page.ts'
import { readBriefs } from './brief.ts'
import { findRow } from './store.ts'

/** What links to a resource in its documentation, as `/r/<id>`: the table `resource_links`, which triggers keep. */
const linking = (ctx: Context, id: string) =>
  sql`resource_links l join resources r on r.id = l.resource_id where l.target = ${id} and ${visibleTo(ctx.actor)}`

export const listBacklinks = async (ctx: Context, id: string, page: PageRequest) => {
  if (!(await findRow(ctx.db, ctx.actor, id))) throw notFound('resource', id)
  const [count, briefs] = await Promise.all([
    countBacklinks(ctx, id),
    readBriefs(
      ctx,
      sql`
        select r.id, row_number() over (order by lower(r.title), r.id) as n from ${linking(ctx, id)}
        order by n limit ${page.page_size} offset ${page.offset}`,
    ),
  ])
  return pageOf(page, count, briefs)
}

export const countBacklinks = async (ctx: Context, id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${linking(ctx, id)}`.execute(ctx.db, ctx.limits)
  return rows[0]!.count
}
