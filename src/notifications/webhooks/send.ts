import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { AddressAllowlist } from '../../platform/outbound/address-policy.ts'
import { OutboundError, postOutbound } from '../../platform/outbound/post.ts'
import { buildSignatureHeaders } from '../../platform/outbound/sign.ts'
import { unsealSecret } from '../../platform/secrets/sealed-secret.ts'
import { claimDeliveries, isDueSql, recoverDeliveries } from '../deliveries/ledger.ts'
import { inDeliverySpan } from '../deliveries/trace-delivery.ts'
import { countDeliveryAttempt } from '../outbox/delivery-metrics.ts'
import { loadEntries } from '../outbox/entry-text.ts'
import { buildPayload, buildPing } from './payload.ts'
import { type OnDisabled, type PostResult, recordOutcome, type WebhookAttempt } from './record-outcome.ts'
import type { WebhookRow } from './webhooks.ts'

export interface SendOptions {
  readonly allowed: AddressAllowlist
  readonly publicUrl?: string
  readonly onDisabled: OnDisabled
}

const CONCURRENCY = 5 // concurrent requests to one receiver
export const LEASE = '30 seconds' // twice the request timeout

/** Sends due deliveries. Receivers are independent of each other, so that one that hangs does not delay the others. */
export class PerReceiverSender {
  readonly #running = new Map<string, Promise<void>>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  async sendDue(ctx: () => Context, options: SendOptions, stopping: () => boolean): Promise<void> {
    await recoverDeliveries(ctx())
    for (const webhook of await findDueWebhooks(ctx())) {
      if (stopping() || this.#running.has(webhook.id)) continue
      const task = sendToReceiver(ctx, webhook, options, stopping)
        .catch(this.#onError)
        .finally(() => this.#running.delete(webhook.id))
      this.#running.set(webhook.id, task)
    }
  }

  /** Resolves when all running deliveries have finished. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }
}

const sendToReceiver = async (ctx: () => Context, webhook: WebhookRow, options: SendOptions, stopping: () => boolean): Promise<void> => {
  while (!stopping()) {
    const claimed = await claimAttempts(ctx(), webhook.id)
    if (claimed.length === 0) return
    const bodies = await buildBodies(ctx(), claimed, options.publicUrl)
    const done = await Promise.allSettled(claimed.map((delivery) => sendDelivery(ctx, webhook, delivery, bodies.get(delivery.id), options)))
    const broken = done.find((each) => each.status === 'rejected')
    if (broken) throw broken.reason
    if (done.every((each) => each.status === 'fulfilled' && !each.value)) return // the receiver is failing, so the rest waits for the next round
  }
}

/** Webhooks with due deliveries. */
const findDueWebhooks = async (ctx: Context): Promise<WebhookRow[]> => {
  const { rows } = await sql<WebhookRow>`
    select w.* from webhooks w where w.enabled and exists (select from deliveries p where p.webhook_id = w.id and ${isDueSql(ctx)})
  `.execute(ctx.db)
  return rows
}

const claimAttempts = (ctx: Context, webhook_id: string): Promise<WebhookAttempt[]> =>
  claimDeliveries(ctx, {
    due: sql`
      select p.id from deliveries p join webhooks w on w.id = p.webhook_id and w.enabled
      where p.webhook_id = ${webhook_id} and ${isDueSql(ctx)} order by p.due_at limit ${CONCURRENCY} for update of p skip locked`,
    lease: LEASE,
    columns: sql`d.activity_id, d.attempts`,
  })

const buildBodies = async (ctx: Context, claimed: readonly WebhookAttempt[], publicUrl?: string): Promise<Map<string, string>> => {
  const entries = await loadEntries(
    ctx,
    claimed.flatMap(({ activity_id }) => activity_id ?? []),
  )
  return new Map(
    claimed.flatMap(({ id, activity_id }) => {
      const entry = activity_id && entries.get(activity_id)
      return activity_id === null ? [[id, buildPing(id, ctx.now)] as const] : entry ? [[id, buildPayload(entry, publicUrl)] as const] : []
    }),
  )
}

/** Returns whether the delivery succeeded. */
export const sendDelivery = async (
  ctx: () => Context,
  webhook: WebhookRow,
  delivery: WebhookAttempt,
  body: string | undefined,
  { allowed, onDisabled }: SendOptions,
): Promise<boolean> => {
  const { id, attempts, activity_id } = delivery
  return inDeliverySpan(ctx(), { id, channel: 'webhook', attempts, activities: activity_id ? [activity_id] : [] }, async (span) => {
    const result = body === undefined ? ACTIVITY_DELETED : await attemptDelivery(ctx(), webhook, delivery, body, allowed)
    const status = await recordOutcome(ctx(), webhook, delivery, result, onDisabled)
    countDeliveryAttempt(ctx().runtime.deliveries, 'webhook', status)
    span?.setAttribute('tablinum.delivery.status', status)
    return result.answer !== undefined && result.answer.status < 300
  })
}

const ACTIVITY_DELETED: PostResult = { error: 'The activity no longer exists.', ms: 0 }

const attemptDelivery = async (
  ctx: Context,
  webhook: WebhookRow,
  { id }: WebhookAttempt,
  body: string,
  allowed: AddressAllowlist,
): Promise<PostResult> => {
  const secrets = await getSigningSecrets(ctx, webhook)
  if (secrets.length === 0) return { error: 'The secret of this webhook was encrypted with a different key. Rotate the secret.', ms: 0 }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tablinum-Webhooks/1',
    ...buildSignatureHeaders({ id, at: ctx.now, body }, secrets),
  }
  const startedAt = performance.now()
  const ms = () => Math.round(performance.now() - startedAt)
  try {
    return { answer: await postOutbound(webhook.url, headers, body, allowed), ms: ms() }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { error: error.message, ms: ms() }
  }
}

const getSigningSecrets = async (ctx: Context, { id, secret, old_secret, old_secret_until }: WebhookRow): Promise<string[]> => {
  const sealed = old_secret && old_secret_until && Date.parse(old_secret_until) > ctx.now.getTime() ? [secret, old_secret] : [secret]
  return (await Promise.all(sealed.map((each) => unsealSecret(ctx, id, each)))).filter((each) => each !== undefined)
}
