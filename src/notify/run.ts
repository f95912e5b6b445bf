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
const REST = 3 // times as long as a step took
const LONGEST_STOP_MS = 10_000 // a mail server that does not answer; the delivery is taken up again when its lease ends

export interface Notifier {
  /** Takes up nothing new, and waits for what is under way. */
  stop(): Promise<void>
}

/** The channels this process has the means for. */
export const channelsOf = ({
  smtpUrl,
  smtpFrom,
  slackBotToken,
  slackApiUrl,
}: Pick<Config, 'smtpUrl' | 'smtpFrom' | 'slackBotToken' | 'slackApiUrl'>): Channel[] => [
  ...(smtpUrl ? [emailChannel({ url: smtpUrl, from: smtpFrom })] : []),
  ...(slackBotToken ? [slackChannel({ token: slackBotToken, url: slackApiUrl })] : []),
]

/** Follows the changes and sends what is due, every few seconds. Several loops: a mail server that is slow keeps neither inboxes nor webhooks waiting. */
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
    // Whoever makes so many changes that they cannot be followed at once is still writing, or has just written: inboxes can wait for that.
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
    repeat(alert, stopping.signal, (error) => onError(error, 'telling of incidents')),
    repeat(deliver, stopping.signal, (error) => onError(error, 'sending notifications')),
    repeat(webhooks, stopping.signal, (error) => onError(error, 'following for webhooks')).then(() => lanes.empty()),
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
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {}) // asked to stop
  }
}
