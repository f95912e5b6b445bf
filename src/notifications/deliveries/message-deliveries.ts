import { sql } from 'kysely'
import type { ChannelName, DeliveryError, Message, SentMessage } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { Alert } from './alert.ts'
import { type Claim, claimDeliveries, isDueSql, MAX_MESSAGE_ATTEMPTS, type Outcome, REPEATABLE_CHANNELS, settleDelivery } from './ledger.ts'

/** A message to a person, to the Slack channel of a monitor (`address`) or to a notification channel. */
export interface MessageDelivery extends Claim {
  readonly user_id: string | null
  readonly address: string | null
  readonly channel_id: string | null
  readonly channel: ChannelName
  readonly resources: readonly { resource_id: string; activity_ids: string[]; changes_count: number }[]
  readonly resources_count: number
  readonly attempts: number
  readonly alert: Alert | null
  readonly thread: string | null
  /** Time of an earlier attempt that may have been delivered. */
  readonly uncertain_since: string | null
}

const LEASE = '45 seconds' // longer than connecting, the SMTP greeting and sending may take
const FIRST_PAUSE_MS = 30_000
const FIRST_PAUSE_OF_ALERTS_MS = 5_000
const MAX_PAUSE_MS = 3_600_000

/** The messages (`o`) before this one (`p`) in the same thread and to the same recipient. */
const earlierInThreadSql = (p: string, o: string) =>
  sql.raw(`
    ${o}.thread = ${p}.thread and ${o}.channel = ${p}.channel and ${o}.user_id is not distinct from ${p}.user_id
    and ${o}.address is not distinct from ${p}.address and ${o}.channel_id is not distinct from ${p}.channel_id and ${o}.id < ${p}.id`)

/** The message to reply to: the first of the thread that was sent to the same recipient. */
export const findThread = async (ctx: Context, { id, thread }: MessageDelivery): Promise<Message['thread']> => {
  if (thread === null) return undefined
  const { rows } = await sql<{ id: string; receipt: string | null }>`
    select o.id, o.receipt from deliveries p join deliveries o on ${earlierInThreadSql('p', 'o')}
    where p.id = ${id} and o.status = 'sent' order by o.id limit 1
  `.execute(ctx.db)
  return rows[0]
}

export const claimMessages = (ctx: Context, channels: readonly ChannelName[], limit: number): Promise<MessageDelivery[]> =>
  claimDeliveries(ctx, {
    due: sql`
      select p.id from deliveries p
      where ${isDueSql(ctx)} and p.webhook_id is null and p.channel = any(${channels}::text[])
        -- A reply waits until the message it replies to was sent or has failed.
        and not exists (select from deliveries o where ${earlierInThreadSql('p', 'o')} and o.status in ('pending', 'sending'))
      order by p.due_at, p.id limit ${limit} for update skip locked`,
    lease: LEASE,
    columns: sql`d.user_id, d.address, d.channel_id, d.channel, d.resources, d.resources_count, d.attempts, d.alert, d.thread, d.uncertain_since`,
  })

/** The pause before the next message about the same resources starts now, however long sending took. */
export const markSent = (ctx: Context, delivery: MessageDelivery, { receipt, response }: SentMessage, ms = 0): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    const { user_id, channel, resources } = delivery
    const status = await settle(ctx, delivery, { status: 'sent', receipt, response: response && { ...response, ms } })
    await sql`
      update notification_windows w
      set last_sent_at = ${ctx.now}::timestamptz, due_at = greatest(w.due_at, ${ctx.now}::timestamptz + case when w.due_at is not null then interval '5 minutes' end)
      where w.user_id = ${user_id} and w.channel = ${channel} and w.resource_id = any(${resources.map((each) => each.resource_id)}::uuid[])
    `.execute(ctx.db)
    return status
  })

/** Holds a message back without an attempt. */
export const markHeld = async (ctx: Context, { id, claim }: MessageDelivery, until: Date): Promise<string> => {
  await sql`
    update deliveries
    set status = 'pending', claim = null, leased_until = null, attempts = attempts - 1, due_at = ${until}::timestamptz,
      held_until = ${until}::timestamptz, updated_at = ${ctx.now}::timestamptz
    where id = ${id} and claim = ${claim}
  `.execute(ctx.db)
  return 'held'
}

/** Called when a person changes their quiet hours: what was held back is decided again. */
export const releaseHeld = async (ctx: Context, user_id: string): Promise<void> => {
  await sql`
    update deliveries set due_at = ${ctx.now}::timestamptz, held_until = null
    where user_id = ${user_id} and status = 'pending' and held_until > ${ctx.now}::timestamptz
  `.execute(ctx.db)
}

/** For messages without content or recipient. */
export const markDropped = (ctx: Context, delivery: MessageDelivery, error: string): Promise<string> =>
  settle(ctx, delivery, { status: 'dropped', error })

export const markFailed = (ctx: Context, delivery: MessageDelivery, error: DeliveryError): Promise<string> =>
  settle(ctx, delivery, decideAfterFailure(delivery, error))

/** A message whose result is unknown is sent again if receivers ignore duplicates. Alerts always are: a duplicate is better than none. */
const decideAfterFailure = ({ channel, alert, attempts }: MessageDelivery, { fate, message, after_ms }: DeliveryError): Outcome => {
  if (fate === 'never') return { status: 'failed', error: message }
  if (fate === 'unknown' && !REPEATABLE_CHANNELS.includes(channel) && !alert) return { status: 'uncertain', error: message }
  if (attempts >= MAX_MESSAGE_ATTEMPTS) return { status: 'failed', error: message }
  const pause = computeBackoff(attempts, alert ? FIRST_PAUSE_OF_ALERTS_MS : FIRST_PAUSE_MS)
  return { status: 'pending', error: message, pause_ms: Math.max(after_ms ?? 0, pause), uncertain: fate === 'unknown' }
}

/** Exponential backoff with jitter. */
const computeBackoff = (attempts: number, first: number): number =>
  Math.min(MAX_PAUSE_MS, first * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)

/** Returns the new status, also if the lease had expired: another instance then repeats the attempt. */
const settle = async (ctx: Context, delivery: MessageDelivery, outcome: Outcome): Promise<string> => {
  await settleDelivery(ctx, delivery, outcome)
  return outcome.status
}
