import { sql } from 'kysely'
import type { ChannelName, DeliveryError, Message } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { Alert } from './alert.ts'

/** Claims deliveries and records their outcome. Leases use the clock of the database, which all instances share. */
export interface Delivery {
  readonly id: string
  /** Null if it is sent to a Slack channel (`address`). */
  readonly user_id: string | null
  readonly address: string | null
  readonly channel: ChannelName
  readonly resources: readonly { resource_id: string; activity_ids: string[]; changes_count: number }[]
  readonly resources_count: number
  readonly attempts: number
  readonly claim: string
  readonly alert: Alert | null
  readonly thread: string | null
  /** Time of an earlier attempt that may have been delivered. */
  readonly doubtful_since: string | null
}

const LEASE = '45 seconds' // longer than connecting, the SMTP greeting and sending may take
const LEASE_AFTER_SUBMIT = '60 seconds'
const MAX_ATTEMPTS = 16 // about nine hours
const FIRST_PAUSE_MS = 30_000
const FIRST_PAUSE_OF_ALERTS_MS = 5_000
const MAX_PAUSE_MS = 3_600_000

/** The messages (`o`) before this one (`p`) in the same thread and to the same recipient. */
const earlierInThreadSql = (p: string, o: string) =>
  sql.raw(`
    ${o}.thread = ${p}.thread and ${o}.channel = ${p}.channel and ${o}.user_id is not distinct from ${p}.user_id
    and ${o}.address is not distinct from ${p}.address and ${o}.id < ${p}.id`)

/** The message to reply to: the first of the thread that was sent to the same recipient. */
export const findThread = async (ctx: Context, { id, thread }: Delivery): Promise<Message['thread']> => {
  if (thread === null) return undefined
  const { rows } = await sql<{ id: string; receipt: string | null }>`
    select o.id, o.receipt from notification_deliveries p join notification_deliveries o on ${earlierInThreadSql('p', 'o')}
    where p.id = ${id} and o.status = 'sent' order by o.id limit 1
  `.execute(ctx.db)
  return rows[0]
}

/** Claims due deliveries. No other instance can claim them before the lease expires. */
export const claimDeliveries = async (ctx: Context, channels: readonly ChannelName[], limit: number): Promise<Delivery[]> => {
  const { rows } = await sql<Delivery>`
    update notification_deliveries d
    set status = 'sending', claim = ${newId()}, leased_until = clock_timestamp() + ${LEASE}::interval, handed_over_at = null,
      attempts = d.attempts + 1, updated_at = ${ctx.now}::timestamptz
    where d.id in (
      select p.id from notification_deliveries p
      where p.status = 'pending' and p.due_at <= ${ctx.now}::timestamptz and p.channel = any(${channels}::text[])
        -- A reply waits until the message it replies to was sent or has failed.
        and not exists (select from notification_deliveries o where ${earlierInThreadSql('p', 'o')} and o.status in ('pending', 'sending'))
      order by p.due_at, p.id limit ${limit} for update skip locked)
    returning d.id, d.user_id, d.address, d.channel, d.resources, d.resources_count, d.attempts, d.claim, d.alert, d.thread, d.doubtful_since
  `.execute(ctx.db)
  return rows
}

/** Recorded right before the message is submitted. If the lease has expired, it must not be sent, because another instance may send it. */
export const markSubmitted = async (ctx: Context, { id, claim }: Delivery): Promise<boolean> => {
  const { rows } = await sql`
    update notification_deliveries
    set handed_over_at = clock_timestamp(), leased_until = clock_timestamp() + ${LEASE_AFTER_SUBMIT}::interval
    where id = ${id} and claim = ${claim} and status = 'sending' and leased_until > clock_timestamp() returning id
  `.execute(ctx.db)
  return rows.length > 0
}

/** The pause before the next message about the same resources starts now, however long sending took. */
export const markSent = (ctx: Context, { id, claim, user_id, channel, resources }: Delivery, receipt?: string): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    await sql`
      update notification_deliveries
      set status = 'sent', sent_at = ${ctx.now}::timestamptz, receipt = ${receipt ?? null}, claim = null, leased_until = null, error = null, updated_at = ${ctx.now}::timestamptz
      where id = ${id} and claim = ${claim}
    `.execute(ctx.db)
    await sql`
      update notification_windows w
      set told_at = ${ctx.now}::timestamptz, due_at = greatest(w.due_at, ${ctx.now}::timestamptz + case when w.due_at is not null then interval '5 minutes' end)
      where w.user_id = ${user_id} and w.channel = ${channel} and w.resource_id = any(${resources.map((each) => each.resource_id)}::uuid[])
    `.execute(ctx.db)
    return 'sent'
  })

/** For messages without content or recipient. */
export const markDropped = (ctx: Context, delivery: Delivery, why: string): Promise<string> => updateStatus(ctx, delivery, 'dropped', why)

/**
 * `repeatable`: receivers ignore duplicates, so a message whose result is unknown is sent again. Alerts are always sent again, because a
 * duplicate alert is better than a missing one.
 */
export const markFailed = async (ctx: Context, delivery: Delivery, error: DeliveryError, repeatable: boolean): Promise<string> => {
  const { fate, message, after_ms } = error
  if (fate === 'never') return updateStatus(ctx, delivery, 'failed', message)
  if (fate === 'unknown' && !repeatable && !delivery.alert) return updateStatus(ctx, delivery, 'uncertain', message)
  if (delivery.attempts >= MAX_ATTEMPTS) return updateStatus(ctx, delivery, 'failed', message)
  const pause = computeBackoff(delivery.attempts, delivery.alert ? FIRST_PAUSE_OF_ALERTS_MS : FIRST_PAUSE_MS)
  return updateStatus(ctx, delivery, 'pending', message, Math.max(after_ms ?? 0, pause), fate === 'unknown')
}

/** Exponential backoff with jitter. */
const computeBackoff = (attempts: number, first: number): number =>
  Math.min(MAX_PAUSE_MS, first * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)

const updateStatus = async (
  ctx: Context,
  { id, claim }: Delivery,
  status: string,
  error: string,
  pause_ms = 0,
  doubtful = false,
): Promise<string> => {
  await sql`
    update notification_deliveries
    set status = ${status}, error = ${error.slice(0, 1000)}, claim = null, leased_until = null,
      doubtful_since = case when ${String(doubtful)}::text::boolean then coalesce(doubtful_since, handed_over_at) else doubtful_since end,
      due_at = ${new Date(ctx.now.getTime() + pause_ms)}::timestamptz, updated_at = ${ctx.now}::timestamptz
    where id = ${id} and claim = ${claim}
  `.execute(ctx.db)
  return status
}

/**
 * Recovers deliveries whose sender crashed. If the message was not submitted, it is queued again. Otherwise it may have been delivered: it is
 * sent again if receivers ignore duplicates, else marked as uncertain for an admin to decide.
 */
export const recoverDeliveries = async (ctx: Context, repeatable: readonly ChannelName[]): Promise<void> => {
  await sql`
    update notification_deliveries
    set status = case when attempts >= ${MAX_ATTEMPTS} then 'failed'
        when handed_over_at is null or alert is not null or channel = any(${repeatable}::text[]) then 'pending' else 'uncertain' end,
      doubtful_since = coalesce(doubtful_since, handed_over_at),
      error = case when handed_over_at is null then 'The server stopped before the message was sent.'
        else 'The server stopped while sending; the message may have been delivered.' end,
      claim = null, leased_until = null, due_at = ${ctx.now}::timestamptz, updated_at = ${ctx.now}::timestamptz
    where status = 'sending' and leased_until < clock_timestamp()
  `.execute(ctx.db)
}
