import { sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { deleteInBatches, runInBatches } from '../../platform/db/in-batches.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { requeueDelivery } from './ledger.ts'
import type { Delivery, DeliveryQuery } from './schema.ts'

/** Messages as admins see them: recipients and status, but not the content. */
const RECORD = sql`
  d.id, d.created_at, d.updated_at, d.user_id as "user", d.address, d.channel_id, d.channel, case when d.alert is null then 'changes' else 'alert' end as kind, d.status, d.attempts, case when d.status = 'pending' then d.due_at end as due_at,
  d.held_until, d.sent_at, d.error, d.resources_count`

export const listDeliveries = (ctx: Context, { status, channel, user }: DeliveryQuery, page: PageRequest) => {
  const conditions = [
    sql`d.webhook_id is null`,
    ...(status ? [sql`d.status = ${status}`] : []),
    ...(channel ? [sql`d.channel = ${channel}`] : []),
    ...(user ? [sql`d.user_id = ${parseId(user)}`] : []),
  ]
  return readPage<Delivery>(ctx, page, {
    select: RECORD,
    from: sql`deliveries d`,
    where: sql.join(conditions, sql` and `),
    order: [desc('timestamp', 'd.created_at'), asc('id', 'd.id')],
  })
}

export const getDelivery = async (ctx: Context, id: string): Promise<Delivery> => {
  const { rows } = await sql<Delivery>`select ${RECORD} from deliveries d where d.id = ${id} and d.webhook_id is null`.execute(ctx.db)
  if (!rows[0]) throw notFound('delivery', id)
  return rows[0]
}

const RETRYABLE_STATUSES = ['failed', 'uncertain'] as const

/** Sends a delivery again that failed or whose result is unknown. */
export const retryDelivery = (ctx: Context, id: string): Promise<Delivery> =>
  inTransaction(ctx, async (ctx) => {
    await sql`select from deliveries where id = ${id} for update`.execute(ctx.db)
    const before = await getDelivery(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    if (!RETRYABLE_STATUSES.some((status) => status === before.status))
      throw conflict(translatable('Only failed or uncertain deliveries can be sent again.'))
    await requeueDelivery(ctx, id)
    return getDelivery(ctx, id)
  })

const RETENTION = '90 days'
const MAX_UNSENT_AGE = '1 day'

/** Deletes old notifications, and drops deliveries that no instance could send within a day, so that they are not sent much later. */
export const deleteOldNotifications = async (ctx: Context): Promise<void> => {
  const stale = sql`${ctx.now}::timestamptz - ${MAX_UNSENT_AGE}::interval`
  await runInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      update deliveries set status = 'dropped', error = 'No server sent it within a day. Check that this channel is configured.', updated_at = ${ctx.now}::timestamptz
      where ctid = any(array(select ctid from deliveries where webhook_id is null and status = 'pending' and due_at < ${stale} limit ${limit}))
    `.execute(ctx.db)
    return Number(numAffectedRows ?? 0)
  })
  // What waits behind a message that quiet hours hold back is sent after it.
  await deleteInBatches(
    ctx.db,
    'notification_windows',
    sql`due_at < ${stale} and not exists (
      select from deliveries d where d.user_id = notification_windows.user_id and d.channel = notification_windows.channel
        and d.status = 'pending' and d.held_until > ${stale})`,
  )
  const old = sql`${ctx.now}::timestamptz - ${RETENTION}::interval`
  await deleteInBatches(ctx.db, 'notifications', sql`last_change_at < ${old}`)
  await deleteInBatches(ctx.db, 'deliveries', sql`webhook_id is null and created_at < ${old} and status not in ('pending', 'sending')`)
  // Where an incident was sent is stored until it is resolved, because its resolution goes there too.
  await deleteInBatches(
    ctx.db,
    'notification_alerts',
    sql`opened_at < ${old} and (routed is null or phase <> 'opened' or exists (
      select from notification_alerts o where o.subject_id = notification_alerts.subject_id and o.phase = 'resolved' and o.opened_at >= notification_alerts.opened_at))`,
  )
  await deleteInBatches(ctx.db, 'notification_windows', sql`due_at is null and last_sent_at < ${ctx.now}::timestamptz - interval '1 hour'`)
}
