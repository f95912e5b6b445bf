import { Counter, type Registry } from 'prom-client'
import type { ChannelName } from '../../platform/channels/channel.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    readonly deliveries: DeliveryCounts
  }
}

/** Results of the delivery attempts of this process. */
type DeliveryChannel = ChannelName
export class DeliveryCounts {
  readonly counts = new Map<string, { channel: DeliveryChannel; status: string; n: number }>()
}

export const countDeliveryAttempt = (deliveries: DeliveryCounts, channel: DeliveryChannel, status: string): void => {
  const { counts } = deliveries
  const { n } = counts.get(`${channel} ${status}`) ?? { n: 0 }
  counts.set(`${channel} ${status}`, { channel, status, n: n + 1 })
}

export const registerDeliveryMetrics = (registry: Registry, deliveries: DeliveryCounts): void => {
  new Counter({
    name: 'tablinum_notification_attempts_total',
    help: 'Delivery attempts of this process by channel and resulting status; `pending` deliveries are retried.',
    labelNames: ['channel', 'status'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { channel, status, n } of deliveries.counts.values()) this.inc({ channel, status }, n)
    },
  })
}
