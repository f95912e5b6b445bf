import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { OutboundResponse } from '../../platform/outbound/post.ts'
import { type Claim, type Outcome, settleDelivery } from '../deliveries/ledger.ts'
import { disableWebhook, type WebhookRow } from './webhooks.ts'

/** A delivery that is being sent. */
export interface WebhookAttempt extends Claim {
  /** Null for a test. */
  readonly activity_id: string | null
  readonly attempts: number
  /** A test: not retried, and a failure does not count against the webhook. */
  readonly isTest?: true
}

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

/** The response of a receiver, or why there is none. */
export interface PostResult {
  readonly answer?: OutboundResponse
  readonly error?: string
  readonly ms: number
}

const isSuccess = ({ answer }: PostResult): boolean => answer !== undefined && answer.status >= 200 && answer.status < 300

/** Called when a webhook was disabled automatically, in the same transaction. */
export type OnDisabled = (ctx: Context, webhook: WebhookRow, reason: string) => Promise<void>

/** Ends an attempt and records whether the receiver works. Returns what came of it, in the words of the metrics. */
export const recordOutcome = (
  ctx: Context,
  webhook: WebhookRow,
  delivery: WebhookAttempt,
  result: PostResult,
  onDisabled: OnDisabled,
): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    const outcome = decideOutcome(delivery, result)
    if (!(await settleDelivery(ctx, delivery, outcome))) return 'lost' // the lease had expired, and another instance has claimed it
    if (isSuccess(result)) await markWebhookSucceeded(ctx, webhook)
    else if (!delivery.isTest) await recordWebhookFailure(ctx, webhook, result.answer?.status, onDisabled)
    return toWebhookStatus(outcome.status)
  })

const decideOutcome = ({ attempts, isTest }: WebhookAttempt, result: PostResult): Outcome => {
  const { answer, ms } = result
  const response = { status: answer?.status, body: answer?.body, ms }
  if (isSuccess(result)) return { status: 'sent', response }
  const error = result.error ?? `The receiver returned status ${answer!.status}.`
  const pause = isTest ? undefined : RETRY_PAUSES_MS[attempts - 1]
  // With jitter, so that retries do not happen at the same time.
  const pause_ms = Math.max(answer?.after_ms ?? 0, (pause ?? 0) * (1 + Math.random() / 5))
  return { status: pause === undefined ? 'failed' : 'pending', error, pause_ms, response }
}

/** A request that was sent is `delivered` for the owner of a webhook. */
const toWebhookStatus = (status: string): string => (status === 'sent' ? 'delivered' : status)

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
