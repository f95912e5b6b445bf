import { findActorOf } from '../access/actors.ts'
import type { Context } from '../context.ts'
import { alertMessageOf } from './alerts/message.ts'
import { type Channel, NotDelivered } from './channels/channel.ts'
import { claimDeliveries, type Delivery, findThread, handOver, noteDropped, noteFailed, noteSent, recoverDeliveries } from './ledger.ts'
import { messageOf } from './message.ts'
import { noteTried } from './metrics.ts'
import { findAddress } from './settings.ts'

export interface Posting {
  readonly channels: readonly Channel[]
  readonly publicUrl?: string
}

const AT_A_TIME = 5

/** Sends due deliveries, several at a time, until none are left. Safe to run in several instances. */
export const deliverMessages = async (ctx: () => Context, { channels, publicUrl }: Posting, stopping: () => boolean): Promise<void> => {
  if (channels.length === 0) return
  await recoverDeliveries(
    ctx(),
    channels.filter(({ repeatable }) => repeatable).map(({ name }) => name),
  )
  while (!stopping()) {
    const claimed = await claimDeliveries(
      ctx(),
      channels.map(({ name }) => name),
      AT_A_TIME,
    )
    if (claimed.length === 0) return
    // A failed delivery does not affect the others; it is retried when its lease expires.
    const done = await Promise.allSettled(
      claimed.map(async (delivery) => {
        const channel = channels.find(({ name }) => name === delivery.channel)!
        noteTried(ctx().runtime.deliveries, channel.name, await deliver(ctx, delivery, channel, publicUrl))
      }),
    )
    const broken = done.find((each) => each.status === 'rejected')
    if (broken) throw broken.reason
  }
}

/** Returns the new status of the delivery. */
const deliver = async (ctx: () => Context, delivery: Delivery, channel: Channel, publicUrl?: string): Promise<string> => {
  const { user_id, address, doubtful_since } = delivery
  const to = user_id === null ? address : await findAddress(ctx(), user_id, delivery.channel)
  const reader = user_id === null ? undefined : await findActorOf(ctx().db, user_id)
  if (!to || (user_id !== null && !reader))
    return noteDropped(ctx(), delivery, 'The recipient no longer exists or has turned this channel off.')
  const words = delivery.alert
    ? await alertMessageOf(ctx(), delivery.id, delivery.alert, { reader, to, publicUrl })
    : reader && (await messageOf(ctx(), delivery, { reader, to, publicUrl }))
  if (!words) return noteDropped(ctx(), delivery, 'The recipient can no longer see any of these changes.')
  const message = { ...words, thread: await findThread(ctx(), delivery) }
  const arrived = doubtful_since === null ? undefined : await channel.find?.(message, new Date(doubtful_since))
  if (arrived) return noteSent(ctx(), delivery, arrived)
  let receipt: string | undefined
  try {
    receipt = await channel.send(message, async () => {
      if (!(await handOver(ctx(), delivery))) throw new NotDelivered('again', 'The lease expired before the message was sent.')
    })
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error
    return noteFailed(ctx(), delivery, error, channel.repeatable)
  }
  return noteSent(ctx(), delivery, receipt)
}
