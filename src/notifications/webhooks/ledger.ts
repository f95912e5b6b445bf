import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { WebhookResponse } from './post.ts'
import { disableWebhook, type WebhookRow } from './webhooks.ts'

/** Claims deliveries and records their outcome. Leases use the clock of the database, which all instances share. */
export interface ClaimedDelivery {
  readonly id: string
  readonly activity_id: string | null
  readonly event: string
  readonly attempts: number
  readonly claim: string
  /** A test: not retried, and a failure does not count against the webhook. */
  readonly once?: true
}

const LEASE = '30 seconds' // twice the request timeout
const SECONDS = 1_000
const MINUTES = 60 * SECONDS
const HOURS = 60 * MINUTES
/** Pauses after each attempt: three days in total, so that an outage over a weekend loses nothing. */
const RETRY_PAUSES_MS = [
  5 * SECONDS,
  MINUTES,
  5 * MINUTES,
  30 * MINUTES,
  2 * HOURS,
  5 * HOURS,
  10 * HOURS,
  14 * HOURS,
  20 * HOURS,
  24 * HOURS,
]
const DISABLE_AFTER_MS = 72 * HOURS
const GONE_STATUS = 410

/** Webhooks with due deliveries. */
export const findDueWebhooks = async (ctx: Context): Promise<WebhookRow[]> => {
  const { rows } = await sql<WebhookRow>`
    select w.* from webhooks w where w.enabled and exists (
      select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending' and d.due_at <= ${ctx.now}::timestamptz)
  `.execute(ctx.db)
  return rows
}

/** Claims due deliveries of one webhook. No other instance can claim them before the lease expires. */
export const claimDeliveriesOf = async (ctx: Context, webhook_id: string, limit: number): Promise<ClaimedDelivery[]> => {
  const { rows } = await sql<ClaimedDelivery>`
    update webhook_deliveries d
    set status = 'sending', claim = ${newId()}, leased_until = clock_timestamp() + ${LEASE}::interval, attempts = d.attempts + 1,
      updated_at = ${ctx.now}::timestamptz
    where d.id in (
      select p.id from webhook_deliveries p join webhooks w on w.id = p.webhook_id and w.enabled
      where p.webhook_id = ${webhook_id} and p.status = 'pending' and p.due_at <= ${ctx.now}::timestamptz
      order by p.due_at limit ${limit} for update of p skip locked)
    returning d.id, d.activity_id, d.event, d.attempts, d.claim
  `.execute(ctx.db)
  return rows
}

/** Deliveries of a crashed sender are sent again; receivers detect duplicates by the `webhook-id` header. */
export const recoverClaimedDeliveries = async (ctx: Context): Promise<void> => {
  await sql`
    update webhook_deliveries
    set status = 'pending', error = 'The server stopped while sending.', claim = null, leased_until = null, due_at = ${ctx.now}::timestamptz,
      updated_at = ${ctx.now}::timestamptz
    where status = 'sending' and leased_until < clock_timestamp()
  `.execute(ctx.db)
}

export interface DeliveryOutcome {
  readonly answer?: WebhookResponse
  readonly error?: string
  readonly ms: number
}

const isSuccess = ({ answer }: DeliveryOutcome): boolean => answer !== undefined && answer.status >= 200 && answer.status < 300

/** Called when a webhook was disabled automatically, in the same transaction. */
export type OnDisabled = (ctx: Context, webhook: WebhookRow, reason: string) => Promise<void>

/** Returns the new status of the delivery. */
export const recordOutcome = (
  ctx: Context,
  webhook: WebhookRow,
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
  onDisabled: OnDisabled,
): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    const succeeded = isSuccess(outcome)
    const pause = delivery.once ? undefined : RETRY_PAUSES_MS[delivery.attempts - 1]
    const { answer, ms } = outcome
    const status = succeeded ? 'delivered' : pause === undefined ? 'failed' : 'pending'
    const error = succeeded ? null : (outcome.error ?? `The receiver returned status ${answer!.status}.`)
    // With jitter, so that retries do not happen at the same time.
    const wait = Math.max(answer?.after_ms ?? 0, (pause ?? 0) * (1 + Math.random() / 5))
    const { rows } = await sql`
      update webhook_deliveries
      set status = ${status}, response_status = ${answer?.status ?? null}, response_body = ${answer?.body ?? null}, response_ms = ${ms}, error = ${error},
        delivered_at = case when ${status} = 'delivered' then ${ctx.now}::timestamptz end, claim = null, leased_until = null,
        due_at = ${new Date(ctx.now.getTime() + wait)}::timestamptz, updated_at = ${ctx.now}::timestamptz
      where id = ${delivery.id} and claim = ${delivery.claim} returning id
    `.execute(ctx.db)
    if (rows.length === 0) return 'lost' // the lease had expired, and another instance has claimed it
    if (succeeded) await markWebhookSucceeded(ctx, webhook)
    else if (!delivery.once) await recordWebhookFailure(ctx, webhook, answer?.status, onDisabled)
    return status
  })

const markWebhookSucceeded = async (ctx: Context, { id }: WebhookRow): Promise<void> => {
  await sql`update webhooks set last_delivered_at = ${ctx.now}::timestamptz, failing_since = null where id = ${id}`.execute(ctx.db)
}

const recordWebhookFailure = async (
  ctx: Context,
  webhook: WebhookRow,
  status: number | undefined,
  onDisabled: OnDisabled,
): Promise<void> => {
  const { rows } = await sql<{ failing_since: string }>`
    update webhooks set failing_since = coalesce(failing_since, ${ctx.now}::timestamptz) where id = ${webhook.id} returning failing_since
  `.execute(ctx.db)
  const since = rows[0]?.failing_since
  const reason =
    status === GONE_STATUS
      ? 'The receiver returned status 410 (Gone).'
      : since && ctx.now.getTime() - Date.parse(since) >= DISABLE_AFTER_MS
        ? 'All deliveries have failed for three days.'
        : undefined
  if (reason && (await disableWebhook(ctx, webhook, reason))) await onDisabled(ctx, webhook, reason)
}

const RETENTION = '30 days'

export const deleteOldWebhookDeliveries = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(db, 'webhook_deliveries', sql`created_at < ${now}::timestamptz - ${RETENTION}::interval and status <> 'sending'`)
