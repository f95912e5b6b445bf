import { sql } from 'kysely'
import type { Message } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { unsealSecret } from '../../platform/secrets/sealed-secret.ts'
import type { NotificationChannelRow } from './channels.ts'

export type Destination = Pick<Message, 'to' | 'secret'>

/** Where a message to a notification channel goes; a text says why it cannot be sent. */
export const findDestination = async (ctx: Context, channel_id: string): Promise<Destination | string> => {
  const { rows } = await sql<NotificationChannelRow>`select c.* from notification_channels c where c.id = ${channel_id}`.execute(ctx.db)
  const [channel] = rows
  if (!channel) return 'The channel was deleted.'
  return channel.enabled ? openDestination(ctx, channel) : 'The channel is turned off.'
}

export const openDestination = async (
  ctx: Context,
  { id, type, address, secret }: NotificationChannelRow,
): Promise<Destination | string> => {
  if (secret === null) return { to: address }
  const text = await unsealSecret(ctx, id, secret)
  if (text === undefined) return 'The secret of this channel was encrypted with a different key. Enter it again.'
  return type === 'teams' ? { to: text } : { to: address, secret: text }
}
