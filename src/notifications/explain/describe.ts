import type { DeliveryFacts } from './facts.ts'
import type { ChannelReason, InboxReason } from './schema.ts'

/** Sentences for reasons. Pure. */
export const INBOX_TEXTS: Record<InboxReason, string> = {
  notified: 'It is in the inbox.',
  own_action: 'People are not notified of what they do themselves.',
  cannot_see: 'The user may not see the resource.',
  no_relation: 'The user neither owns nor subscribes to the resource or anything that depends on it, and no matching rule names them.',
  kind_not_notified: 'People are not notified of this kind of change.',
  snoozed: 'The incident was snoozed.',
  not_processed_yet: 'It was not processed yet. This takes a few seconds.',
  not_in_inbox:
    'The notification was deleted or is older than the latest ones, or the user was not concerned or could not see the resource at that time.',
  user_disabled: 'The user is disabled.',
}

export const CHANNEL_TEXTS: Record<ChannelReason, string> = {
  sent: 'It was sent.',
  held: 'Quiet hours hold it back. It is sent when they end.',
  waiting: 'It waits to be sent together with other changes.',
  retrying: 'It is being sent, or an attempt failed and is repeated.',
  failed: 'It could not be delivered.',
  uncertain: 'The server stopped while sending it, so it may have been delivered.',
  dropped: 'It was not sent: the recipient had turned the channel off or could no longer see it.',
  off: 'The channel is turned off.',
  not_available: 'The server is not configured to send messages on this channel.',
  not_notified: 'It is not in the inbox, so no message was sent.',
  not_sent: 'No message was sent, e.g. because the channel was turned on later.',
}

/** What the ledger says about a delivery, and the time that belongs to it. */
export const toChannelReason = (
  { status, sent_at, held_until, due_at }: DeliveryFacts,
  now: Date,
): { readonly reason: ChannelReason; readonly at?: string | null } => {
  if (status === 'sent') return { reason: 'sent', at: sent_at }
  if (status === 'pending' && held_until && Date.parse(held_until) > now.getTime()) return { reason: 'held', at: held_until }
  if (status === 'pending' || status === 'sending') return { reason: 'retrying', at: due_at }
  return { reason: status as 'failed' | 'uncertain' | 'dropped' }
}
