import { sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { requeueDelivery } from '../deliveries/ledger.ts'
import { buildPing } from './payload.ts'
import type { WebhookAttempt } from './record-outcome.ts'
import type { WebhookDelivery, WebhookDeliveryQuery } from './schema.ts'
import { LEASE, type SendOptions, sendDelivery } from './send.ts'
import { getWebhookRow } from './webhooks.ts'

/** A request that was sent is `delivered` for the owner of a webhook. */
const STATUS = sql`case d.status when 'sent' then 'delivered' else d.status end`
const RECORD = sql`
  d.id, d.created_at, d.updated_at, d.webhook_id as webhook, d.event, d.activity_id, ${STATUS} as status, d.attempts,
  case when d.status = 'pending' then d.due_at end as due_at, d.sent_at as delivered_at, d.response_status, d.response_body, d.response_ms, d.error`

export const listWebhookDeliveries = async (ctx: Context, webhook_id: string, { status }: WebhookDeliveryQuery, page: PageRequest) => {
  await getWebhookRow(ctx, webhook_id)
  return readPage<WebhookDelivery>(ctx, page, {
    select: RECORD,
    from: sql`deliveries d`,
    where: sql`d.webhook_id = ${webhook_id} and ${status ? sql`d.status = ${status === 'delivered' ? 'sent' : status}` : sql`true`}`,
    order: [desc('timestamp', 'd.created_at'), asc('id', 'd.id')],
  })
}

export const getWebhookDelivery = async (ctx: Context, webhook_id: string, id: string): Promise<WebhookDelivery> => {
  const { rows } = await sql<WebhookDelivery>`
    select ${RECORD} from deliveries d where d.id = ${id} and d.webhook_id = ${webhook_id}`.execute(ctx.db)
  if (!rows[0]) throw notFound('delivery', id)
  return rows[0]
}

/** Sends a delivery again with the same ID. */
export const redeliver = (ctx: Context, webhook_id: string, id: string): Promise<WebhookDelivery> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'notifications.manage')
    await sql`select from deliveries where id = ${id} and webhook_id = ${webhook_id} for update`.execute(ctx.db)
    const before = await getWebhookDelivery(ctx, webhook_id, id)
    requireIfMatch(ctx, computeEtag(before))
    if (before.status === 'sending') throw conflict('This delivery is being sent. Try again when it has finished.')
    if (!(await getWebhookRow(ctx, webhook_id)).enabled) throw conflict('The webhook is disabled. Enable it first.')
    await requeueDelivery(ctx, id)
    return getWebhookDelivery(ctx, webhook_id, id)
  })

/** Sends a test immediately, even if the webhook is disabled, and returns the result. It is not retried. */
export const testWebhook = async (ctx: Context, webhook_id: string, options: SendOptions): Promise<WebhookDelivery> => {
  requirePermission(ctx.actor, 'notifications.manage')
  const webhook = await getWebhookRow(ctx, webhook_id)
  const [id, claim] = [newId(), newId()]
  await sql`
    insert into deliveries (id, channel, webhook_id, event, status, attempts, due_at, claim, leased_until, created_at, updated_at)
    values (${id}, 'webhook', ${webhook_id}, 'ping', 'sending', 1, ${ctx.now}::timestamptz, ${claim}, clock_timestamp() + ${LEASE}::interval,
      ${ctx.now}::timestamptz, ${ctx.now}::timestamptz)
  `.execute(ctx.db)
  const delivery: WebhookAttempt = { id, activity_id: null, attempts: 1, claim, isTest: true }
  await sendDelivery(() => ctx, webhook, delivery, buildPing(id, ctx.now), options)
  return getWebhookDelivery(ctx, webhook_id, id)
}

const RETENTION = '30 days'

export const deleteOldWebhookDeliveries = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(
    db,
    'deliveries',
    sql`webhook_id is not null and created_at < ${now}::timestamptz - ${RETENTION}::interval and status <> 'sending'`,
  )
