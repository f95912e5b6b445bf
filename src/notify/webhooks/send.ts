import type { Context } from '../../context.ts'
import type { Allowed } from '../../outbound/addresses.ts'
import { noteTried } from '../metrics.ts'
import { readEntries } from '../words.ts'
import { type Claimed, claimOf, findDue, type OnDisabled, type Outcome, recoverClaimed, settle } from './ledger.ts'
import { payloadOf, pingOf } from './payload.ts'
import { NotAnswered, post } from './post.ts'
import { unsealSecret } from './secrets.ts'
import { headersOf } from './sign.ts'
import type { WebhookRow } from './webhooks.ts'

export interface Sending {
  readonly allowed: Allowed
  readonly publicUrl?: string
  readonly onDisabled: OnDisabled
}

const AT_A_TIME = 5 // concurrent requests to one receiver

/** Sends due deliveries. Receivers are independent of each other, so that one that hangs does not delay the others. */
export class Lanes {
  readonly #open = new Map<string, Promise<void>>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  async sendDue(ctx: () => Context, sending: Sending, stopping: () => boolean): Promise<void> {
    await recoverClaimed(ctx())
    for (const webhook of await findDue(ctx())) {
      if (stopping() || this.#open.has(webhook.id)) continue
      const lane = workLane(ctx, webhook, sending, stopping)
        .catch(this.#onError)
        .finally(() => this.#open.delete(webhook.id))
      this.#open.set(webhook.id, lane)
    }
  }

  /** Resolves when all running deliveries have finished. */
  async empty(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open.values())
  }
}

const workLane = async (ctx: () => Context, webhook: WebhookRow, sending: Sending, stopping: () => boolean): Promise<void> => {
  while (!stopping()) {
    const claimed = await claimOf(ctx(), webhook.id, AT_A_TIME)
    if (claimed.length === 0) return
    const bodies = await bodiesOf(ctx(), claimed, sending.publicUrl)
    const done = await Promise.allSettled(claimed.map((delivery) => sendOne(ctx, webhook, delivery, bodies.get(delivery.id), sending)))
    const broken = done.find((each) => each.status === 'rejected')
    if (broken) throw broken.reason
    if (done.every((each) => each.status === 'fulfilled' && !each.value)) return // the receiver is failing, so the rest waits for the next round
  }
}

const bodiesOf = async (ctx: Context, claimed: readonly Claimed[], publicUrl?: string): Promise<Map<string, string>> => {
  const entries = await readEntries(
    ctx,
    claimed.flatMap(({ activity_id }) => activity_id ?? []),
  )
  return new Map(
    claimed.flatMap(({ id, activity_id }) => {
      const entry = activity_id && entries.get(activity_id)
      return activity_id === null ? [[id, pingOf(id, ctx.now)] as const] : entry ? [[id, payloadOf(entry, publicUrl)] as const] : []
    }),
  )
}

/** Returns whether the delivery succeeded. */
export const sendOne = async (
  ctx: () => Context,
  webhook: WebhookRow,
  delivery: Claimed,
  body: string | undefined,
  { allowed, onDisabled }: Sending,
): Promise<boolean> => {
  const outcome = body === undefined ? NOTHING_LEFT : await attempt(ctx(), webhook, delivery, body, allowed)
  noteTried(ctx().runtime.deliveries, 'webhook', await settle(ctx(), webhook, delivery, outcome, onDisabled))
  return outcome.answer !== undefined && outcome.answer.status < 300
}

const NOTHING_LEFT: Outcome = { error: 'The activity no longer exists.', ms: 0 }

const attempt = async (ctx: Context, webhook: WebhookRow, { id }: Claimed, body: string, allowed: Allowed): Promise<Outcome> => {
  const secrets = await secretsOf(ctx, webhook)
  if (secrets.length === 0) return { error: 'The secret of this webhook was encrypted with a different key. Rotate the secret.', ms: 0 }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tablinum-Webhooks/1',
    ...headersOf({ id, at: ctx.now, body }, secrets),
  }
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  try {
    return { answer: await post(webhook.url, headers, body, allowed), ms: ms() }
  } catch (error) {
    if (!(error instanceof NotAnswered)) throw error
    return { error: error.message, ms: ms() }
  }
}

const secretsOf = async (ctx: Context, { id, secret, old_secret, old_secret_until }: WebhookRow): Promise<string[]> => {
  const sealed = old_secret && old_secret_until && Date.parse(old_secret_until) > ctx.now.getTime() ? [secret, old_secret] : [secret]
  return (await Promise.all(sealed.map((each) => unsealSecret(ctx, id, each)))).filter((each) => each !== undefined)
}
