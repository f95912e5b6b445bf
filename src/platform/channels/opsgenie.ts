import type { AddressAllowlist } from '../outbound/address-policy.ts'
import type { Channel, Message, MessageIncident } from './channel.ts'
import { postJson } from './post-json.ts'

export const OPSGENIE_URL = 'https://api.opsgenie.com'

const SOURCE = 'Tablinum'
const MAX_MESSAGE_LENGTH = 130
const MAX_DESCRIPTION_LENGTH = 15_000
const PRIORITIES: Record<string, string> = { critical: 'P1', high: 'P2', medium: 'P3', low: 'P4' }
const ACTIONS: Record<Exclude<MessageIncident['action'], 'open'>, string> = { acknowledge: 'acknowledge', resolve: 'close' }

/** Opsgenie by its Alert API. An alert has the ID of its incident as alias, so a repeated request opens no second one. */
export const createOpsgenieChannel = (allowed: AddressAllowlist): Channel => ({
  name: 'opsgenie',
  send: async (message, beforeSubmit) => {
    await beforeSubmit()
    const alerts = `${message.to.replace(/\/+$/, '')}/v2/alerts`
    const { id, action } = message.incident!
    const [url, body] =
      action === 'open'
        ? [alerts, buildAlert(message)]
        : [`${alerts}/${id}/${ACTIONS[action]}?identifierType=alias`, { source: SOURCE, note: message.subject }]
    const response = await postJson('Opsgenie', url, { headers: { authorization: `GenieKey ${message.secret}` }, body, allowed })
    return { response }
  },
})

const buildAlert = ({ subject, sections, incident }: Message): object => {
  const { id, severity, source } = incident!
  const description = sections.map(({ title, link, lines }) => [title, ...(link ? [link] : []), ...lines].join('\n')).join('\n\n')
  return {
    message: subject.slice(0, MAX_MESSAGE_LENGTH),
    alias: id,
    description: description.slice(0, MAX_DESCRIPTION_LENGTH),
    entity: source,
    source: SOURCE,
    priority: PRIORITIES[severity] ?? 'P3',
  }
}
