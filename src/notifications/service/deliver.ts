import { findUserActor } from '../../platform/authentication/actors.ts'
import { type Channel, DeliveryError } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { buildAlertMessage } from '../alerts/message.ts'
import { markSubmitted, recoverDeliveries } from '../deliveries/ledger.ts'
import { buildMessage } from '../deliveries/message.ts'
import { claimMessages, findThread, type MessageDelivery, markDropped, markFailed, markSent } from '../deliveries/message-deliveries.ts'
import { findChannelAddress } from '../inbox/settings.ts'
import { countDeliveryAttempt } from '../outbox/metrics.ts'

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
        countDeliveryAttempt(ctx().runtime.deliveries, channel.name, await deliverOne(ctx, delivery, channel, publicUrl))
      }),
    )
    const broken = done.find((each) => each.status === 'rejected')
    if (broken) throw broken.reason
  }
}

/** Returns the new status of the delivery. */
const deliverOne = async (ctx: () => Context, delivery: MessageDelivery, channel: Channel, publicUrl?: string): Promise<string> => {
  const { user_id, address, doubtful_since } = delivery
  const to = user_id === null ? address : await findChannelAddress(ctx(), user_id, delivery.channel)
  const reader = user_id === null ? undefined : await findUserActor(ctx().db, user_id)
  if (!to || (user_id !== null && !reader))
    return markDropped(ctx(), delivery, 'The recipient no longer exists or has turned this channel off.')
  const content = delivery.alert
    ? await buildAlertMessage(ctx(), delivery.id, delivery.alert, { reader, to, publicUrl })
    : reader && (await buildMessage(ctx(), delivery, { reader, to, publicUrl }))
  if (!content) return markDropped(ctx(), delivery, 'The recipient can no longer see any of these changes.')
  const message = { ...content, thread: await findThread(ctx(), delivery) }
  const existingReceipt = doubtful_since === null ? undefined : await channel.find?.(message, new Date(doubtful_since))
  if (existingReceipt) return markSent(ctx(), delivery, existingReceipt)
  let receipt: string | undefined
  try {
    receipt = await channel.send(message, async () => {
      if (!(await markSubmitted(ctx(), delivery))) throw new DeliveryError('again', 'The lease expired before the message was sent.')
    })
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    return markFailed(ctx(), delivery, error)
  }
  return markSent(ctx(), delivery, receipt)
}
