import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findRemainingXidRanges, inXidRangesSql } from '../../platform/history/commits.ts'
import { afterSql, followLog, type LogStep, skipToNow } from '../outbox/follow-log.ts'

const MAX_ENTRIES = 100_000 // in one statement; large, because each step reads all entries of a transaction from its start

/**
 * Whether an entry (`a`) was committed after the webhook (`w`) was enabled. `logged_at` does not tell, because it is the start of the request,
 * and an import may commit long after that. The activity of enabling the webhook is not sent to itself.
 */
const committedSinceSql = sql`
  case when w.since_snapshot is null then a.logged_at > w.since
    else not pg_visible_in_snapshot(a.xid, w.since_snapshot) and not (a.resource_id is not distinct from w.id and a.logged_at <= w.since) end`

/** Whether a webhook (`w`) is subscribed to an entry (`a`). */
const isSubscribedSql = sql`
  w.enabled and ${committedSinceSql}
  and exists (select from unnest(w.events) e where a.activity_type = e or (right(e, 1) = '*' and starts_with(a.activity_type, left(e, -1))))
  and (w.entity_types is null or a.resource_type = any(w.entity_types))
  and (w.integrations is null or a.integration_id = any(w.integrations))`

/** Queues a delivery for each entry and subscribed webhook. Returns whether there is more. */
export const followForWebhooks = async (ctx: Context, limit = MAX_ENTRIES): Promise<boolean> => {
  const { rows } = await sql`select from webhooks where enabled limit 1`.execute(ctx.db)
  return rows.length > 0 && followLog(ctx, 'webhooks', (ctx, step) => queueNext(ctx, step, limit))
}

/** Returns the last processed entry if there may be more. */
const queueNext = async (ctx: Context, step: LogStep, limit: number): Promise<{ id: string; xid: string } | undefined> => {
  const { rows } = await sql<{ id: string; xid: string; entries_count: number }>`
    with next as materialized (
      select t.id, t.xid from ${inXidRangesSql(findRemainingXidRanges(step))} cross join lateral (
        select a.id, a.xid from (
          select a.* from activities a
          where a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${step.seen}::text::pg_snapshot)
          order by a.xid, a.id offset 0
        ) a where ${afterSql(step)} and exists (select from webhooks w where ${isSubscribedSql})
        order by a.xid, a.id limit ${limit}
      ) t order by t.xid, t.id limit ${limit}
    ), queued as (
      insert into deliveries (id, channel, webhook_id, activity_id, event, status, due_at, created_at, updated_at)
      select gen_random_uuid(), 'webhook', w.id, a.id, a.activity_type, 'pending', ${ctx.now}::timestamptz, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
      from next n join activities a on a.id = n.id join webhooks w on ${isSubscribedSql}
    )
    select n.id, n.xid::text as xid, (select count(*) from next) as entries_count from next n order by n.xid desc, n.id desc limit 1
  `.execute(ctx.db)
  const [last] = rows
  return last && last.entries_count >= limit ? last : undefined
}

/** When the first webhook is enabled, following starts now. */
export const startFollowing = (ctx: Context): Promise<void> =>
  skipToNow(ctx, 'webhooks', sql`not exists (select from webhooks where enabled)`)
