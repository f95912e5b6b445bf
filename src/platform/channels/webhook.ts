import type { AddressAllowlist } from '../outbound/address-policy.ts'
import { buildSignatureHeaders } from '../outbound/sign.ts'
import type { Channel, Message } from './channel.ts'
import { postJson } from './post-json.ts'

/** A URL that a rule sends to: the same signature as webhooks, one request for each incident or schema change. */
export const createWebhookChannel = (allowed: AddressAllowlist): Channel => ({
  name: 'webhook',
  send: async (message, beforeSubmit) => {
    await beforeSubmit()
    const at = new Date()
    const body = buildBody(message, at)
    const headers = buildSignatureHeaders({ id: message.id, at, body: JSON.stringify(body) }, [message.secret ?? ''])
    return { response: await postJson('The receiver', message.to, { body, headers, allowed }) }
  },
})

const buildBody = ({ subject, sections, events = [] }: Message, at: Date): object => {
  const [first] = events
  return {
    type: first?.type ?? 'ping',
    timestamp: at.toISOString(),
    data: {
      text: subject,
      events: events.map((event, i) => ({
        ...event,
        title: sections[i]?.title,
        lines: sections[i]?.lines ?? [],
        link: sections[i]?.link ?? null,
      })),
    },
  }
}
