import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { runInBatches } from '../../platform/db/in-batches.ts'

declare module '../../platform/context/runtime.ts' {
  interface RuntimeUsage {
    /** Page views counted in memory and written every few seconds. */
    readonly views: ViewCounts
  }
}

/**
 * Page views of resources. Views are collected in memory and written together every few seconds, so that a read does not cost a write. The
 * record is updated within a minute, or once an hour for frequently viewed resources, because each update creates a new row version that
 * has to be rendered again.
 */
const COUNT_INTERVAL_MS = 60_000
const RECOUNT_INTERVAL_MS = 3_600_000
const MAX_REMEMBERED = 100_000

export class ViewCounts {
  pending = new Map<string, number>()
  uncounted = new Set<string>()
  countedAt = Number.NEGATIVE_INFINITY
  /** Time of the last update, for resources updated in the last hour. */
  readonly counted = new Map<string, number>()
}

export const trackView = (ctx: Context, resource_id: string): void => {
  if (!ctx.actor.user_id) return
  const { pending } = ctx.runtime.usage.views
  const key = `${resource_id} ${ctx.actor.user_id}`
  pending.set(key, (pending.get(key) ?? 0) + 1)
}

/** Writes the views collected since the last call and, if due, updates the counts of the resources. */
export const flushViews = async (ctx: Context, { last = false } = {}): Promise<void> => {
  const views = ctx.runtime.usage.views
  if (views.pending.size > 0) await savePendingViews(ctx, views)
  if (views.uncounted.size === 0 || !(last || performance.now() - views.countedAt >= COUNT_INTERVAL_MS)) return
  const now = performance.now()
  evictCounted(views, now)
  const due = [...views.uncounted].filter((id) => last || !views.counted.has(id))
  for (const id of due) {
    views.uncounted.delete(id)
    views.counted.set(id, now)
  }
  views.countedAt = now
  if (due.length > 0) await recountViews(ctx.db, due, ctx.now)
}

/** Oldest first: a Map iterates in insertion order. */
const evictCounted = ({ counted }: ViewCounts, now: number): void => {
  for (const [id, at] of counted) {
    if (now - at < RECOUNT_INTERVAL_MS && counted.size <= MAX_REMEMBERED) return
    counted.delete(id)
  }
}

/** Views of deleted resources are dropped. */
const savePendingViews = async (ctx: Context, views: ViewCounts): Promise<void> => {
  const { pending } = views
  views.pending = new Map()
  const rows = [...pending].map(([key, n]) => ({ resource_id: key.slice(0, 36), user_id: key.slice(37), n }))
  await sql`
    with seen as (
      select v.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as v(resource_id uuid, user_id uuid, n int)
      join resources r on r.id = v.resource_id order by v.resource_id, v.user_id
      for key share of r
    )
    insert into resource_views (resource_id, day, user_id, views, last_at)
    select resource_id, ${ctx.now}::timestamptz::date, user_id, n, ${ctx.now}::timestamptz from seen
    on conflict (resource_id, day, user_id) do update set views = resource_views.views + excluded.views, last_at = excluded.last_at
  `.execute(ctx.db)
  for (const { resource_id } of rows) views.uncounted.add(resource_id)
}

const USAGE_DAYS = 90
/** Limited because the list is part of the resource row and of every response. */
const MAX_USERS = 20

/** Each user counts once per day. */
const recountViews = async (db: Db, ids: readonly string[], now: Date): Promise<void> => {
  await sql`
    with counted as (
      select i.id, count(v.user_id)::int as views, (
          select array_agg(u.user_id order by u.user_id) from (
            select w.user_id from resource_views w where w.resource_id = i.id and w.day > ${now}::timestamptz::date - ${USAGE_DAYS}::int
            group by w.user_id order by max(w.last_at) desc limit ${sql.lit(MAX_USERS)}
          ) u
        ) as users
      from unnest(${ids}::uuid[]) i(id) left join resource_views v on v.resource_id = i.id and v.day > ${now}::timestamptz::date - ${USAGE_DAYS}::int
      group by i.id
    ), locked as (
      select r.id from resources r where r.id = any(${ids}::uuid[]) order by r.id for no key update
    )
    update resources r set internal_usage = c.views, internal_users = c.users
    from counted c join locked l on l.id = c.id
    where r.id = c.id and (r.internal_usage, r.internal_users) is distinct from (c.views, c.users)
  `.execute(db)
}

/** Runs once a day: views older than 90 days no longer count. */
export const deleteOldViews = async (ctx: Context): Promise<void> => {
  await runInBatches((limit) =>
    inTransaction(ctx, async ({ db, now }) => {
      const { rows } = await sql<{ id: string }>`
        delete from resource_views where ctid = any(array(
          select ctid from resource_views where day <= ${now}::timestamptz::date - ${USAGE_DAYS}::int limit ${limit}))
        returning resource_id as id
      `.execute(db)
      const ids = [...new Set(rows.map(({ id }) => id))]
      for (let i = 0; i < ids.length; i += 1000) await recountViews(db, ids.slice(i, i + 1000), now)
      return rows.length
    }),
  )
}
