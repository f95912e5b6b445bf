import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'

/**
 * The ledger of everything that is sent, to people and to webhooks: who may send a delivery now, and what came of it. Leases use the clock of
 * the database, which all instances share.
 */
export interface Claim {
  readonly id: string
  readonly claim: string
}

/** Receivers ignore duplicates (by Message-ID, `webhook-id`, `dedup_key` or alias), so a delivery whose result is unknown is sent again. */
export const REPEATABLE_CHANNELS: readonly string[] = ['email', 'webhook', 'pagerduty', 'opsgenie']

type DeliveryStatus = 'sent' | 'failed' | 'uncertain' | 'dropped' | 'pending'

/** Starts an attempt of the due deliveries (`p`) that the query finds and locks. No other instance can claim them before the lease expires. */
export const claimDeliveries = async <T extends Claim>(
  ctx: Context,
  { due, lease, columns }: { due: RawBuilder<unknown>; lease: string; columns: RawBuilder<unknown> },
): Promise<T[]> => {
  const { rows } = await sql<T>`
    update deliveries d
    set status = 'sending', claim = ${newId()}, leased_until = clock_timestamp() + ${lease}::interval, submitted_at = null,
      attempts = d.attempts + 1, updated_at = ${ctx.now}::timestamptz
    where d.id in (${due})
    returning d.id, d.claim, ${columns}
  `.execute(ctx.db)
  return rows
}

/** Which deliveries (`p`) wait for an attempt. */
export const isDueSql = ({ now }: Context) => sql`p.status = 'pending' and p.due_at <= ${now}::timestamptz`

const LEASE_AFTER_SUBMIT = '60 seconds'

/** Recorded right before a message is submitted. If the lease has expired, it must not be sent, because another instance may send it. */
export const markSubmitted = async (ctx: Context, { id, claim }: Claim): Promise<boolean> => {
  const { rows } = await sql`
    update deliveries set submitted_at = clock_timestamp(), leased_until = clock_timestamp() + ${LEASE_AFTER_SUBMIT}::interval
    where id = ${id} and claim = ${claim} and status = 'sending' and leased_until > clock_timestamp() returning id
  `.execute(ctx.db)
  return rows.length > 0
}

export interface Outcome {
  readonly status: DeliveryStatus
  readonly error?: string
  /** Until the next attempt. */
  readonly pause_ms?: number
  /** The attempt may have been delivered. */
  readonly uncertain?: boolean
  /** ID assigned by the receiver of a message. */
  readonly receipt?: string
  /** Response of the receiver. */
  readonly response?: { readonly status?: number; readonly body?: string; readonly ms: number }
}

const MAX_ERROR_LENGTH = 1000

/** Ends an attempt. Returns false if its lease had expired and another instance has claimed the delivery. */
export const settleDelivery = async (
  ctx: Context,
  { id, claim }: Claim,
  { status, error, pause_ms = 0, uncertain = false, receipt, response }: Outcome,
): Promise<boolean> => {
  const { rows } = await sql`
    update deliveries
    set status = ${status}, error = ${error?.slice(0, MAX_ERROR_LENGTH) ?? null}, claim = null, leased_until = null,
      uncertain_since = case when ${String(uncertain)}::text::boolean then coalesce(uncertain_since, submitted_at) else uncertain_since end,
      sent_at = case when ${status}::text = 'sent' then ${ctx.now}::timestamptz end, receipt = ${receipt ?? null},
      response_status = ${response?.status ?? null}, response_body = ${response?.body ?? null}, response_ms = ${response?.ms ?? null},
      due_at = ${new Date(ctx.now.getTime() + pause_ms)}::timestamptz, updated_at = ${ctx.now}::timestamptz
    where id = ${id} and claim = ${claim} returning id
  `.execute(ctx.db)
  return rows.length > 0
}

/** After so many attempts a message is not sent again, about nine hours after the first. Webhooks end with the last of their pauses. */
export const MAX_MESSAGE_ATTEMPTS = 16

/**
 * Recovers deliveries whose sender crashed. If the message was not submitted, it is queued again. Otherwise it may have been delivered: it is
 * sent again if receivers ignore duplicates or if it is an alert, else marked as uncertain for an admin to decide.
 */
export const recoverDeliveries = async (ctx: Context): Promise<void> => {
  await sql`
    update deliveries
    set status = case when webhook_id is null and attempts >= ${MAX_MESSAGE_ATTEMPTS} then 'failed'
        when submitted_at is null or alert is not null or channel = any(${REPEATABLE_CHANNELS}::text[]) then 'pending' else 'uncertain' end,
      uncertain_since = coalesce(uncertain_since, submitted_at),
      error = case when webhook_id is not null then 'The server stopped while sending.'
        when submitted_at is null then 'The server stopped before the message was sent.'
        else 'The server stopped while sending; the message may have been delivered.' end,
      claim = null, leased_until = null, due_at = ${ctx.now}::timestamptz, updated_at = ${ctx.now}::timestamptz
    where status = 'sending' and leased_until < clock_timestamp()
  `.execute(ctx.db)
}

/** Sends a delivery again, with all its attempts. The caller has locked it. */
export const requeueDelivery = async (ctx: Context, id: string): Promise<void> => {
  await sql`
    update deliveries set status = 'pending', attempts = 0, due_at = ${ctx.now}::timestamptz,
      updated_at = ${nextUpdatedAtSql(ctx.now)}
    where id = ${id}
  `.execute(ctx.db)
}
