import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../platform/channels/channel.ts'
import { createEmailChannel } from '../../platform/channels/email.ts'
import { createOpsgenieChannel } from '../../platform/channels/opsgenie.ts'
import { createPagerDutyChannel } from '../../platform/channels/pagerduty.ts'
import { createSlackChannel } from '../../platform/channels/slack.ts'
import { createTeamsChannel } from '../../platform/channels/teams.ts'
import { createWebhookChannel } from '../../platform/channels/webhook.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { parseAllowlist } from '../../platform/outbound/address-policy.ts'
import { readServices, type ServerConfig, type Services } from '../../platform/server-settings/services.ts'
import { followAlerts, sendAlerts } from '../alerts/send-alerts.ts'
import { buildDigests } from '../deliveries/build-digests.ts'
import { followChanges } from '../inbox/follow.ts'
import { followForWebhooks } from '../webhooks/follow.ts'
import { notifyWebhookDisabled } from '../webhooks/notify-disabled.ts'
import { PerReceiverSender, type SendOptions } from '../webhooks/send.ts'
import { sendDueDeliveries } from './send-deliveries.ts'

const POLL_INTERVAL_MS = 2_000
const PAUSE_FACTOR = 3 // pause, as a multiple of the duration of the last step
const MAX_STOP_MS = 10_000 // for a mail server that does not respond; the delivery is retried when its lease expires

export interface Notifier {
  /** Starts nothing new and waits for running work. */
  stop(): Promise<void>
}

export type ChannelConfig = ServerConfig & Partial<Pick<Config, 'webhookAllow'>>

/** The channels that can be sent to now: an admin may change the mail server and the Slack app at any time. */
export const listChannels = async (ctx: Context, config: ChannelConfig): Promise<Channel[]> =>
  createChannels(await readServices(ctx, config), config.webhookAllow)

/** Only e-mail and Slack are set for the whole server; the others have their keys in their own records. */
export const createChannels = ({ email, slack }: Services, webhookAllow: readonly string[] = []): Channel[] => {
  const allowed = parseAllowlist(webhookAllow)
  return [
    ...(email ? [createEmailChannel(email)] : []),
    ...(slack ? [createSlackChannel({ token: slack.token, url: slack.url, interactive: slack.signingSecret !== undefined })] : []),
    createTeamsChannel(allowed),
    createPagerDutyChannel(allowed),
    createOpsgenieChannel(allowed),
    createWebhookChannel(allowed),
  ]
}

/** Processes changes and sends due messages every few seconds. Separate loops, so that a slow mail server delays neither inboxes nor webhooks. */
export const startNotifier = (
  ctx: () => Context,
  config: ChannelConfig & Pick<Config, 'publicUrl' | 'webhookAllow'>,
  onError: (error: unknown, what: string) => void,
): Notifier => {
  const listNames = async (current = ctx()) => (await listChannels(current, config)).map(({ name }) => name)
  const stopping = new AbortController()
  const stopped = () => stopping.signal.aborted

  const webhookSender = new PerReceiverSender((error) => onError(error, 'sending to webhooks'))
  const sending: SendOptions = {
    allowed: parseAllowlist(config.webhookAllow),
    publicUrl: config.publicUrl,
    onDisabled: async (ctx, webhook, reason) => notifyWebhookDisabled(await listNames(ctx))(ctx, webhook, reason),
  }

  const follow = async () => {
    const names = await listNames()
    // If there are too many changes for one step, a bulk write is probably running: the pauses leave the database to it.
    for (let began = performance.now(); (await followChanges(ctx(), names)) && !stopped(); began = performance.now())
      await sleep(PAUSE_FACTOR * (performance.now() - began), undefined, { signal: stopping.signal }).catch(() => {})
    if (names.length > 0 && !stopped()) await buildDigests(ctx(), names)
  }
  const alert = async () => {
    await followAlerts(ctx())
    const names = await listNames()
    while (!stopped() && (await sendAlerts(ctx(), names)));
  }
  const deliver = async () => sendDueDeliveries(ctx, { channels: await listChannels(ctx(), config), publicUrl: config.publicUrl }, stopped)

  const webhooks = async () => {
    while (!stopped() && (await followForWebhooks(ctx())));
    if (!stopped()) await webhookSender.sendDue(ctx, sending, stopped)
  }

  const loops = [
    runPeriodicallyUntilStopped(follow, stopping.signal, (error) => onError(error, 'following changes')),
    runPeriodicallyUntilStopped(alert, stopping.signal, (error) => onError(error, 'sending alerts')),
    runPeriodicallyUntilStopped(deliver, stopping.signal, (error) => onError(error, 'sending notifications')),
    runPeriodicallyUntilStopped(webhooks, stopping.signal, (error) => onError(error, 'queueing webhook deliveries')).then(() =>
      webhookSender.drain(),
    ),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([Promise.all(loops), sleep(MAX_STOP_MS, undefined, { ref: false })])
    },
  }
}

const runPeriodicallyUntilStopped = async (
  work: () => Promise<void>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    await work().catch(onError)
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {}) // stopped
  }
}
