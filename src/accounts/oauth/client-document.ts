import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { formatText } from '../../platform/core/translatable.ts'
import { type AddressAllowlist, findAddressProblem, getHost } from '../../platform/outbound/address-policy.ts'
import { assertAddressAllowed, createSafeLookup } from '../../platform/outbound/safe-lookup.ts'
import { OAuthError } from './oauth-error.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 64_000

/**
 * The metadata document of a client whose ID is its address (Client ID Metadata Documents). Anyone chooses the address, so it is checked like
 * that of a webhook: only public addresses over https, resolved once, no redirects, a bounded size and time.
 */
export const fetchClientDocument = async (client_id: string, allowed: AddressAllowlist): Promise<Record<string, unknown>> => {
  const url = new URL(client_id)
  const problem = findAddressProblem(client_id, allowed)
  if (problem) throw rejected(`client_id ${formatText(problem)}`)
  // Plain http only where an operator allowed the host, e.g. on this computer.
  if (url.protocol !== 'https:' && !allowed.has(getHost(url))) throw rejected('client_id must start with https://.')
  if (url.pathname === '/' || url.hash) throw rejected('client_id must be the address of a document: it needs a path and no fragment.')
  assertAddressAllowed(url, allowed, toAddressError)
  const document = await readJson(url, allowed).catch((error) => {
    throw error instanceof OAuthError ? error : rejected('The metadata document of the client could not be read.')
  })
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw rejected('The metadata document of the client is not a JSON object.')
  const metadata = document as Record<string, unknown>
  if (metadata.client_id !== client_id) throw rejected('The metadata document of the client states another client_id.')
  return metadata
}

const rejected = (description: string): OAuthError => new OAuthError('invalid_client', description, 401)
const toAddressError = (host: string): OAuthError => rejected(`client_id is not allowed: ${host} is not on the public internet.`)

const readJson = async (url: URL, allowed: AddressAllowlist): Promise<unknown> => {
  const request = url.protocol === 'https:' ? overHttps : overHttp
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const outgoing = request(url, {
      headers: { accept: 'application/json' },
      agent: false, // a new connection, so that none is reused that was checked for another host
      lookup: createSafeLookup(allowed, toAddressError),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      maxHeaderSize: 32_000,
    })
    outgoing.once('response', done)
    outgoing.on('error', fail) // stays registered after the first error
    outgoing.end()
  })
  try {
    if (response.statusCode !== 200) throw rejected(`The metadata document of the client answered with status ${response.statusCode}.`)
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw rejected(`The metadata document of the client has more than ${MAX_BYTES / 1000} kB.`)
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString())
  } finally {
    response.destroy()
  }
}
