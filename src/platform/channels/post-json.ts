import type { AddressAllowlist } from '../outbound/address-policy.ts'
import { OutboundError, type OutboundResponse, postOutbound } from '../outbound/post.ts'
import { DeliveryError } from './channel.ts'

const RETRIED_STATUSES = [401, 403, 408, 429] // a rejected key is a configuration problem, which an admin can repair
const MAX_QUOTED = 300

/** Posts JSON to a receiver whose address a user chose. Any response other than 2xx is a `DeliveryError`. */
export const postJson = async (
  receiver: string,
  url: string,
  { headers = {}, body, allowed }: { headers?: Record<string, string>; body: object; allowed: AddressAllowlist },
): Promise<OutboundResponse> => {
  const response = await postOutbound(
    url,
    { 'content-type': 'application/json', 'user-agent': 'Tablinum', ...headers },
    JSON.stringify(body),
    allowed,
  ).catch((error) => {
    if (!(error instanceof OutboundError)) throw error
    throw new DeliveryError(error.unsent ? 'again' : 'unknown', `${receiver}: ${error.message}`)
  })
  const { status, body: text, after_ms } = response
  if (status >= 200 && status < 300) return response
  const quoted = text.trim().slice(0, MAX_QUOTED)
  throw new DeliveryError(
    status >= 500 || RETRIED_STATUSES.includes(status) ? 'again' : 'never',
    `${receiver} returned status ${status}${quoted ? `: ${quoted}` : '.'}`,
    { after_ms, response: { status, body: text } },
  )
}
