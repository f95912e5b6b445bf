import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { trustAlso } from '../../../../connector/src/http.ts'
import { parseAllowlist } from '../../../platform/outbound/address-policy.ts'
import { assertAddressAllowed, createSafeLookup } from '../../../platform/outbound/safe-lookup.ts'

/**
 * Downloads a file from a URL that a user configured: with limits on time and size, sending the token to that host only, and not from inside
 * the server's network unless the host is allowed. Every redirect is checked like the first URL. Error messages do not contain the content.
 */
export interface FetchOptions {
  /** Sent as a bearer token, only to the host of the URL. */
  readonly token?: string | undefined
  /** PEM of the certificate authority of the host, if the system does not trust it. */
  readonly ca?: string | undefined
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Hosts, addresses and networks that are allowed in addition to the public internet. */
  readonly allow: readonly string[]
}

const TIMEOUT_MS = 120_000
const MAX_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
const NOT_FOUND_STATUSES = [404, 410]

class InternalAddressError extends Error {}
const toInternalAddressError = (host: string, address: string): InternalAddressError =>
  new InternalAddressError(
    `${host} is not on the public internet${host === address ? '' : ` (${address})`}. Add it to TABLINUM_SOURCE_ALLOW to allow downloads from it.`,
  )

/** Undefined when the file does not exist. */
export const fetchFile = async (address: URL, { token, ca, maxBytes, signal, allow }: FetchOptions): Promise<Uint8Array | undefined> => {
  const until = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const allowed = parseAllowlist(allow)
  let url = address
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    assertHttp(url)
    assertAddressAllowed(url, allowed, toInternalAddressError)
    const sameOrigin = url.origin === address.origin
    const response = await sendRequest(url, {
      signal: until,
      lookup: createSafeLookup(allowed, toInternalAddressError),
      ...trustAlso(url.host, ca),
      agent: false, // a new connection, so that none is reused that was checked for another host
      headers: sameOrigin && token ? { authorization: `Bearer ${token}` } : {},
    }).catch((error: Error) => {
      throw error instanceof InternalAddressError ? error : new Error(`${url.host} could not be reached: ${error.message}.`)
    })
    const status = response.statusCode ?? 0
    const next = response.headers.location
    if (status >= 200 && status < 300) return readBody(response, maxBytes, url)
    response.destroy()
    if (REDIRECTS.includes(status) && next) {
      if (!URL.canParse(next, url.href)) throw new Error(`${url.host} redirects to an invalid URL.`)
      url = new URL(next, url)
      continue
    }
    if (NOT_FOUND_STATUSES.includes(status)) return undefined
    throw new Error(`${url.host} responded with status ${status}${status === 401 || status === 403 ? '. Check the token' : ''}.`)
  }
  throw new Error(`${address.host} redirects too many times.`)
}

const sendRequest = (url: URL, options: RequestOptions): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options)
    request.once('response', done)
    request.on('error', fail) // also handles errors after the first one
    request.end()
  })

const assertHttp = ({ protocol }: URL): void => {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('The URL must start with https:// or http://.')
}

const readBody = async (response: IncomingMessage, maxBytes: number, { host }: URL): Promise<Uint8Array> => {
  const tooLarge = new Error(`The file at ${host} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of decodeBody(response) as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge
      chunks.push(chunk)
    }
    if (!response.complete) throw new Error(`${host} closed the connection before the file was complete.`)
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}

/** We do not request an encoding, but object stores send files in the encoding they were stored with. */
const decodeBody = (response: IncomingMessage): Readable => {
  const decoder = DECODERS[response.headers['content-encoding']?.toLowerCase() ?? '']?.()
  if (!decoder) return response
  response.on('error', (error) => decoder.destroy(error))
  return response.pipe(decoder)
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
