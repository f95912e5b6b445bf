import { sql } from 'kysely'
import { type Channel, DeliveryError, isPager } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { buildAlertMessage } from '../alerts/alert-message.ts'
import { getChannelRow } from '../channels/channels.ts'
import { openDestination } from '../channels/destination.ts'
import type { NotificationChannelTest } from '../channels/schema.ts'
import type { Alert } from '../deliveries/alert.ts'
import { markDropped, markFailed, markSent } from '../deliveries/message-deliveries.ts'
import type { SenderOptions } from './send-deliveries.ts'

const LEASE = '45 seconds'
const NOT_CONFIGURED = 'This server is not configured to send messages of this kind. See the settings of the server.'

const TEST: Alert = {
  phase: 'notice',
  same_cause: false,
  items: [
    {
      resource_id: null,
      title: 'Test message from Tablinum',
      lines: ['If you can read this, the channel works.'],
      path: '/settings/routing',
    },
  ],
}

/** Sends a test immediately, even if the channel is turned off, and returns what the receiver answered. It is not retried. */
export const testNotificationChannel = async (
  ctx: Context,
  id: string,
  { channels, publicUrl }: SenderOptions,
): Promise<NotificationChannelTest> => {
  requirePermission(ctx.actor, 'notifications.manage')
  const row = await getChannelRow(ctx, id)
  const channel = channels.find(({ name }) => name === row.type)
  if (!channel) throw conflict(NOT_CONFIGURED)
  const destination = await openDestination(ctx, row)
  const delivery = await insertTest(ctx, row)
  if (typeof destination === 'string') {
    await markDropped(ctx, delivery, destination)
    return { delivered: false, response_status: null, response_body: null, response_ms: 0, error: destination }
  }
  const startedAt = performance.now()
  const ms = () => Math.round(performance.now() - startedAt)
  const message = (await buildAlertMessage(ctx, delivery.id, TEST, { ...destination, personal: false, publicUrl, channel: row.type }))!
  try {
    const sent = await channel.send(message, async () => {})
    const result = toResult(sent.response, ms())
    if (isPager(row.type)) await closeTest(channel, message)
    await markSent(ctx, delivery, sent, result.response_ms)
    return { delivered: true, ...result, error: null }
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    await markFailed(ctx, delivery, new DeliveryError('never', error.message))
    return { delivered: false, ...toResult(error.response, ms()), error: error.message }
  }
}

/** The alert of a test is closed at once, so that nobody stays paged. A failure to close it does not make the test fail. */
const closeTest = (channel: Channel, message: Parameters<Channel['send']>[0]): Promise<unknown> =>
  channel.send({ ...message, incident: { ...message.incident!, action: 'resolve' } }, async () => {}).catch(() => {})

const toResult = (response: { status?: number; body?: string } | undefined, response_ms: number) => ({
  response_status: response?.status ?? null,
  response_body: response?.body ?? null,
  response_ms,
})

const insertTest = async (ctx: Context, { id: channel_id, type: channel }: Awaited<ReturnType<typeof getChannelRow>>) => {
  const [id, claim] = [newId(), newId()]
  await sql`
    insert into deliveries (id, channel, channel_id, resources_count, alert, status, attempts, due_at, claim, leased_until, created_at, updated_at)
    values (${id}, ${channel}, ${channel_id}, 1, ${JSON.stringify(TEST)}::text::jsonb, 'sending', 1, ${ctx.now}::timestamptz, ${claim},
      clock_timestamp() + ${LEASE}::interval, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz)
  `.execute(ctx.db)
  return {
    ...{ id, claim, channel, channel_id, user_id: null, address: null, attempts: 1, alert: TEST, thread: null, uncertain_since: null },
    ...{ resources: [], resources_count: 1 },
  }
}
