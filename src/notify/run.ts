import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { allowedBy } from '../outbound/addresses.ts'
import { followAlerts, tellAlerts } from './alerts/tell.ts'
import type { Channel } from './channels/channel.ts'
import { emailChannel } from './channels/email.ts'
import { slackChannel } from './channels/slack.ts'
import { deliverMessages } from './deliver.ts'
import { followChanges } from './follow.ts'
import { gatherMessages } from './gather.ts'
import { tellDisabled } from './webhooks/disabled.ts'
import { followForWebhooks } from './webhooks/follow.ts'
import { Lanes, type Sending } from './webhooks/send.ts'

const EVERY_MS = 2_000
const REST = 3 // pause, as a multiple of the duration of the last step
const LONGEST_STOP_MS = 10_000 // for a mail server that does not respond; the delivery is retried when its lease expires

export interface Notifier {
  /** Starts nothing new and waits for running work. */
  stop(): Promise<void>
}

/** The channels this process is configured for. */
export const channelsOf = ({
  smtpUrl,
  smtpFrom,
  slackBotToken,
  slackApiUrl,
}: Pick<Config, 'smtpUrl' | 'smtpFrom' | 'slackBotToken' | 'slackApiUrl'>): Channel[] => [
  ...(smtpUrl ? [emailChannel({ url: smtpUrl, from: smtpFrom })] : []),
  ...(slackBotToken ? [slackChannel({ token: slackBotToken, url: slackApiUrl })] : []),
]

/** Processes changes and sends due messages every few seconds. Separate loops, so that a slow mail server delays neither inboxes nor webhooks. */
export const startNotifier = (
  ctx: () => Context,
  config: Parameters<typeof channelsOf>[0] & Pick<Config, 'publicUrl' | 'webhookAllow'>,
  onError: (error: unknown, what: string) => void,
): Notifier => {
  const channels = channelsOf(config)
  const names = channels.map(({ name }) => name)
  const stopping = new AbortController()
  const stopped = () => stopping.signal.aborted

  const lanes = new Lanes((error) => onError(error, 'sending to webhooks'))
  const sending: Sending = { allowed: allowedBy(config.webhookAllow), publicUrl: config.publicUrl, onDisabled: tellDisabled(names) }

  const follow = async () => {
    // If there are too many changes for one step, a bulk write is probably running: the pauses leave the database to it.
    for (let began = performance.now(); (await followChanges(ctx(), names)) && !stopped(); began = performance.now())
      await sleep(REST * (performance.now() - began), undefined, { signal: stopping.signal }).catch(() => {})
    if (names.length > 0 && !stopped()) await gatherMessages(ctx(), names)
  }
  const alert = async () => {
    await followAlerts(ctx())
    while (!stopped() && (await tellAlerts(ctx(), names)));
  }
  const deliver = () => deliverMessages(ctx, { channels, publicUrl: config.publicUrl }, stopped)

  const webhooks = async () => {
    while (!stopped() && (await followForWebhooks(ctx())));
    if (!stopped()) await lanes.sendDue(ctx, sending, stopped)
  }

  const loops = [
    repeat(follow, stopping.signal, (error) => onError(error, 'following changes')),
    repeat(alert, stopping.signal, (error) => onError(error, 'sending alerts')),
    repeat(deliver, stopping.signal, (error) => onError(error, 'sending notifications')),
    repeat(webhooks, stopping.signal, (error) => onError(error, 'queueing webhook deliveries')).then(() => lanes.empty()),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([Promise.all(loops), sleep(LONGEST_STOP_MS, undefined, { ref: false })])
    },
  }
}

const repeat = async (work: () => Promise<void>, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> => {
  while (!signal.aborted) {
    await work().catch(onError)
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {}) // stopped
  }
}
