import { findUserActor } from '../../platform/authentication/actors.ts'
import { type Channel, DeliveryError, type SentMessage } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'
import { buildAlertMessage } from '../alerts/alert-message.ts'
import { findChannelReader } from '../channels/channel-reader.ts'
import { type Destination, findDestination } from '../channels/destination.ts'
import { buildDigestMessage } from '../deliveries/digest-message.ts'
import { markSubmitted, recoverDeliveries } from '../deliveries/ledger.ts'
import {
  claimMessages,
  findThread,
  type MessageDelivery,
  markDropped,
  markFailed,
  markHeld,
  markSent,
} from '../deliveries/message-deliveries.ts'
import { inDeliverySpan } from '../deliveries/trace-delivery.ts'
import { findQuietEnd, type QuietHours } from '../inbox/quiet-hours.ts'
import { findPersonalAddress } from '../inbox/settings.ts'
import { countDeliveryAttempt } from '../outbox/delivery-metrics.ts'

export interface SenderOptions {
  readonly channels: readonly Channel[]
  readonly publicUrl?: string
}

const CONCURRENCY = 5

/** Sends due deliveries, several at a time, until none are left. Safe to run in several instances. */
export const sendDueDeliveries = async (
  ctx: () => Context,
  { channels, publicUrl }: SenderOptions,
  stopping: () => boolean,
): Promise<void> => {
  if (channels.length === 0) return
  await recoverDeliveries(ctx())
  while (!stopping()) {
    const claimed = await claimMessages(
      ctx(),
      channels.map(({ name }) => name),
      CONCURRENCY,
    )
    if (claimed.length === 0) return
    // A failed delivery does not affect the others; it is retried when its lease expires.
    const done = await Promise.allSettled(
      claimed.map(async (delivery) => {
        const channel = channels.find(({ name }) => name === delivery.channel)!
        await inDeliverySpan(ctx(), { ...delivery, activities: listActivities(delivery) }, async (span) => {
          const status = await deliverOne(ctx, delivery, channel, publicUrl)
          countDeliveryAttempt(ctx().runtime.deliveries, channel.name, status)
          span?.setAttribute('tablinum.delivery.status', status)
        })
      }),
    )
    const broken = done.find((each) => each.status === 'rejected')
    if (broken) throw broken.reason
  }
}

const listActivities = ({ alert, resources }: MessageDelivery): string[] =>
  alert ? alert.items.flatMap(({ activity }) => activity ?? []) : resources.flatMap(({ activity_ids }) => activity_ids)

/** Returns the new status of the delivery. */
const deliverOne = async (ctx: () => Context, delivery: MessageDelivery, channel: Channel, publicUrl?: string): Promise<string> => {
  const recipient = await findRecipient(ctx(), delivery)
  if (typeof recipient === 'string') return markDropped(ctx(), delivery, recipient)
  const quietUntil = findHold(recipient.quiet_hours, delivery, ctx().now)
  if (quietUntil) return markHeld(ctx(), delivery, quietUntil)
  const content = await buildContent(ctx(), delivery, recipient, publicUrl)
  if (!content) return markDropped(ctx(), delivery, 'The recipient can no longer see any of these changes.')
  const { uncertain_since } = delivery
  const message = { ...content, thread: await findThread(ctx(), delivery) }
  const existingReceipt = uncertain_since === null ? undefined : await channel.find?.(message, new Date(uncertain_since))
  if (existingReceipt) return markSent(ctx(), delivery, { receipt: existingReceipt })
  const startedAt = performance.now()
  const ms = () => Math.round(performance.now() - startedAt)
  let sent: SentMessage
  try {
    sent = await channel.send(message, async () => {
      if (!(await markSubmitted(ctx(), delivery))) throw new DeliveryError('again', 'The lease expired before the message was sent.')
    })
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    return markFailed(ctx(), delivery, error)
  }
  return markSent(ctx(), delivery, sent, ms())
}

interface Recipient extends Destination {
  /** Undefined for the Slack channel of a monitor, which may name everything. */
  readonly reader?: Actor
  readonly personal: boolean
  readonly quiet_hours?: QuietHours | null
}

const findHold = (quiet: QuietHours | null | undefined, { alert }: MessageDelivery, now: Date): Date | undefined => {
  const isCritical = alert?.items.some(({ severity }) => severity === 'critical')
  return quiet && !(quiet.except_critical && isCritical) ? findQuietEnd(quiet, now) : undefined
}

/** A text says why it cannot be sent. */
const findRecipient = async (
  ctx: Context,
  { user_id, address, channel_id, channel, alert }: MessageDelivery,
): Promise<Recipient | string> => {
  if (channel_id !== null) {
    const destination = await findDestination(ctx, channel_id)
    if (typeof destination === 'string') return destination
    return { ...destination, reader: await findChannelReader(ctx, alert?.closed_teams), personal: false }
  }
  if (user_id === null) return { to: address!, personal: false }
  const found = await findPersonalAddress(ctx, user_id, channel)
  const reader = await findUserActor(ctx.db, user_id)
  return found && reader
    ? { to: found.address, quiet_hours: found.quiet_hours, reader, personal: true }
    : 'The recipient no longer exists or has turned this channel off.'
}

const buildContent = async (ctx: Context, delivery: MessageDelivery, { reader, to, secret, personal }: Recipient, publicUrl?: string) => {
  if (delivery.alert)
    return buildAlertMessage(ctx, delivery.id, delivery.alert, { to, secret, personal, reader, publicUrl, channel: delivery.channel })
  return reader && buildDigestMessage(ctx, delivery, { reader, to, publicUrl })
}
