import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { Insights, InsightTrends } from './schema.ts'
import { incidentInScopeSql, type Scope } from './scope.ts'

const HOURS_SQL = sql`extract(epoch from n.resolved_at - n.first_seen_at) / 3600`
const medianSql = (condition = sql`n.resolved_at is not null`) =>
  sql`round((percentile_cont(0.5) within group (order by ${HOURS_SQL}) filter (where ${condition}))::numeric, 1)::float8`

/** Incidents `n` of targets that the caller can see, in the scope. */
const fromSql = (ctx: Context, scope: Scope) => sql`
  from monitor_incidents n join resources r on r.id = n.target where ${visibleTo(ctx.actor)} and ${incidentInScopeSql(scope)}`

export const countIncidents = async (ctx: Context, scope: Scope, since: Date): Promise<Insights['incidents']> => {
  const resolved = sql`n.resolved_at >= ${since}::timestamptz`
  const { rows } = await sql<Omit<Insights['incidents'], 'since'>>`
    select count(*) filter (where n.status <> 'resolved') as open, count(*) filter (where n.created_at >= ${since}::timestamptz) as opened,
      count(*) filter (where ${resolved}) as resolved, ${medianSql(resolved)} as median_hours_to_resolve
    ${fromSql(ctx, scope)} and (n.status <> 'resolved' or n.created_at >= ${since}::timestamptz or ${resolved})
  `.execute(ctx.db, ctx.limits)
  return { ...rows[0]!, since: since.toISOString() }
}

/** By day in UTC, without gaps. */
export const countIncidentsByDay = async (ctx: Context, scope: Scope, since: Date): Promise<InsightTrends['incidents']> => {
  const day = (column: string) => sql`(${sql.ref(`n.${column}`)} at time zone 'UTC')::date`
  const { rows } = await sql<InsightTrends['incidents'][number]>`
    with opened as (
      select ${day('created_at')} as day, count(*) as count ${fromSql(ctx, scope)} and n.created_at >= ${since}::timestamptz group by 1
    ), resolved as (
      select ${day('resolved_at')} as day, count(*) as count, ${medianSql()} as hours ${fromSql(ctx, scope)} and n.resolved_at >= ${since}::timestamptz group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(o.count, 0) as opened, coalesce(s.count, 0) as resolved, s.hours as median_hours_to_resolve
    from generate_series((${since}::timestamptz at time zone 'UTC')::date, (${ctx.now}::timestamptz at time zone 'UTC')::date, interval '1 day') g (at)
      cross join lateral (select g.at::date as day) d left join opened o on o.day = d.day left join resolved s on s.day = d.day
    order by d.day
  `.execute(ctx.db, ctx.limits)
  return rows
}
