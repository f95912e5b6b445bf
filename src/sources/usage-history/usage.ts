import { sql } from 'kysely'
import { getResource } from '../../catalog/listing/read.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { Usage } from './schema.ts'

const KEPT_DAYS = 400
const MAX_USERS = 10

/** How often a resource was used on each day, in its source and here, and by whom. */
export const getUsage = async (ctx: Context, resource_id: string, days: number): Promise<Usage> => {
  const { id, external_users } = await getResource(ctx, resource_id)
  const [perDay, users] = await Promise.all([findDays(ctx, id, days), findTopUsers(ctx, id)])
  const named = new Set(users.map(({ name }) => name))
  // Some sources name their users without saying what they ran.
  const others = (external_users ?? []).filter((name) => !named.has(name)).map((name) => ({ name, queries: null, executions: null }))
  return { resource_id: id, days: perDay, top_users: [...users, ...others].slice(0, MAX_USERS) }
}

const findDays = async (ctx: Context, id: string, days: number): Promise<Usage['days']> => {
  const { rows } = await sql<Usage['days'][number]>`
    select to_char(d.day, 'YYYY-MM-DD') as day, case when d.day >= f.first then coalesce(u.uses, 0) end as uses,
      coalesce(v.views, 0) as views, coalesce(v.viewers, 0) as viewers
    from (
      select ${ctx.now}::timestamptz::date - n as day from generate_series(0, ${days}::int - 1) n
    ) d
    cross join (select min(u.day) as first from usage_history u where u.resource_id = ${id}) f
    left join usage_history u on u.resource_id = ${id} and u.day = d.day
    left join lateral (
      select sum(v.views)::int as views, count(*)::int as viewers from resource_views v where v.resource_id = ${id} and v.day = d.day
    ) v on true
    order by d.day
  `.execute(ctx.db, ctx.limits)
  return rows
}

const findTopUsers = async (ctx: Context, id: string): Promise<Usage['top_users']> => {
  const { rows } = await sql<Usage['top_users'][number]>`
    select n.name, count(*)::int as queries, least(sum(coalesce((r.details ->> 'freq')::bigint, r.external_usage)), 2147483647)::int as executions
    from query_reads x join resources r on r.id = x.query_id cross join unnest(r.external_users) as n(name)
    where x.resource_id = ${id} and not r.archived and not r.stale and ${visibleTo(ctx.actor)}
    group by n.name order by executions desc, queries desc, n.name limit ${MAX_USERS}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Runs every hour; the last run of a day counts. `external_usage` is what was used in the 24 hours before the last sync. */
export const recordDailyUsage = async (ctx: Context): Promise<void> => {
  await inTransaction(ctx, async ({ db, now }) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('usage_history', 0))`.execute(db)
    await sql`
      insert into usage_history (resource_id, day, uses)
      select r.id, ${now}::timestamptz::date, r.external_usage from resources r
      where r.external_usage > 0 and r.entity_type in ('table', 'dashboard')
      order by r.id
      on conflict (resource_id, day) do update set uses = excluded.uses where usage_history.uses <> excluded.uses
    `.execute(db)
  })
  const { db, now } = ctx
  await deleteInBatches(db, 'usage_history', sql`day < ${now}::timestamptz::date - ${sql.lit(KEPT_DAYS)}`)
  await deleteInBatches(db, 'usage_history', sql`not exists (select from resources r where r.id = usage_history.resource_id)`)
}
