import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { allowedBy } from '../../outbound/addresses.ts'
import { lookupFor, mustBeReachable } from '../../outbound/lookup.ts'

/**
 * Downloads a file from a URL that a user configured: with limits on time and size, sending the token to that host only, and not from inside
 * the server's network unless the host is allowed. Every redirect is checked like the first URL. Error messages do not contain the content.
 */
export interface Fetching {
  /** Sent as a bearer token, only to the host of the URL. */
  readonly token?: string | undefined
  readonly most: number
  readonly signal: AbortSignal
  /** Hosts, addresses and networks that are allowed in addition to the public internet. */
  readonly allow: readonly string[]
}

const LONGEST_MS = 120_000
const MOST_HOPS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
const ABSENT = [404, 410]

class Inside extends Error {}
const rejected = (host: string, address: string): Inside =>
  new Inside(
    `${host} is not on the public internet${host === address ? '' : ` (${address})`}. Add it to TABLINUM_SOURCE_ALLOW to allow downloads from it.`,
  )

/** Undefined when the file does not exist. */
export const fetchFile = async (address: URL, { token, most, signal, allow }: Fetching): Promise<Uint8Array | undefined> => {
  const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  const allowed = allowedBy(allow)
  let at = address
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    mustBeHttp(at)
    mustBeReachable(at, allowed, rejected)
    const own = at.origin === address.origin
    const answer = await get(at, {
      signal: until,
      lookup: lookupFor(allowed, rejected),
      agent: false, // a new connection, so that none is reused that was checked for another host
      headers: own && token ? { authorization: `Bearer ${token}` } : {},
    }).catch((error: Error) => {
      throw error instanceof Inside ? error : new Error(`${at.host} could not be reached: ${error.message}.`)
    })
    const status = answer.statusCode ?? 0
    const next = answer.headers.location
    if (status >= 200 && status < 300) return read(answer, most, at)
    answer.destroy()
    if (REDIRECTS.includes(status) && next) {
      if (!URL.canParse(next, at.href)) throw new Error(`${at.host} redirects to an invalid URL.`)
      at = new URL(next, at)
      continue
    }
    if (ABSENT.includes(status)) return undefined
    throw new Error(`${at.host} responded with status ${status}${status === 401 || status === 403 ? '. Check the token' : ''}.`)
  }
  throw new Error(`${address.host} redirects too many times.`)
}

const get = (url: URL, options: Parameters<typeof overHttp>[1]): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options)
    request.once('response', done)
    request.on('error', fail) // also handles errors after the first one
    request.end()
  })

const mustBeHttp = ({ protocol }: URL): void => {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('The URL must start with https:// or http://.')
}

const read = async (answer: IncomingMessage, most: number, { host }: URL): Promise<Uint8Array> => {
  const tooLarge = new Error(`The file at ${host} is larger than ${Math.floor(most / 1024 / 1024)} MB.`)
  try {
    if (Number(answer.headers['content-length'] ?? 0) > most) throw tooLarge
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of decoded(answer) as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      if (size > most) throw tooLarge
      chunks.push(chunk)
    }
    if (!answer.complete) throw new Error(`${host} closed the connection before the file was complete.`)
    return Buffer.concat(chunks)
  } finally {
    answer.destroy()
  }
}

/** We do not request an encoding, but object stores send files in the encoding they were stored with. */
const decoded = (answer: IncomingMessage): Readable => {
  const decoder = DECODERS[answer.headers['content-encoding']?.toLowerCase() ?? '']?.()
  if (!decoder) return answer
  answer.on('error', (error) => decoder.destroy(error))
  return answer.pipe(decoder)
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
