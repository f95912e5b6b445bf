import type { AddressAllowlist } from '../outbound/address-policy.ts'
import type { Channel, Message, MessageIncident } from './channel.ts'
import { postJson } from './post-json.ts'

export const PAGERDUTY_URL = 'https://events.pagerduty.com'

const MAX_SUMMARY_LENGTH = 1024
const ACTIONS: Record<MessageIncident['action'], string> = { open: 'trigger', acknowledge: 'acknowledge', resolve: 'resolve' }
const SEVERITIES: Record<string, string> = { critical: 'critical', high: 'error', medium: 'warning', low: 'info' }

/** PagerDuty by the Events API v2. Events of one incident have its ID as `dedup_key`, so a repeated event changes nothing. */
export const createPagerDutyChannel = (allowed: AddressAllowlist): Channel => ({
  name: 'pagerduty',
  send: async (message, beforeSubmit) => {
    await beforeSubmit()
    const response = await postJson('PagerDuty', `${message.to.replace(/\/+$/, '')}/v2/enqueue`, { body: buildEvent(message), allowed })
    return { response }
  },
})

const buildEvent = ({ subject, sections, incident, secret }: Message): object => {
  const { id, action, severity, source } = incident!
  const event = { routing_key: secret, event_action: ACTIONS[action], dedup_key: id }
  if (action !== 'open') return event
  const details = Object.fromEntries(sections.map(({ title, lines }) => [title, lines.join('\n')]))
  return {
    ...event,
    client: 'Tablinum',
    payload: {
      summary: subject.slice(0, MAX_SUMMARY_LENGTH),
      source,
      severity: SEVERITIES[severity] ?? 'warning',
      custom_details: details,
    },
    links: sections.flatMap(({ title, link }) => (link ? [{ href: link, text: title }] : [])),
    images: sections.flatMap(({ image }) => (image ? [{ src: image.address, alt: image.text }] : [])),
  }
}
