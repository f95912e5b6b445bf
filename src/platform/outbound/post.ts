import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { SpanKind } from '@opentelemetry/api'
import { getTraceHeaders, inSpan, markFailed } from '../tracing/spans.ts'
import type { AddressAllowlist } from './address-policy.ts'
import { parseRetryAfter } from './retry-after.ts'
import { assertAddressAllowed, createSafeLookup } from './safe-lookup.ts'

export interface OutboundResponse {
  readonly status: number
  /** The first characters of the body. */
  readonly body: string
  /** Pause requested with `Retry-After`. */
  readonly after_ms?: number
}

/** There was no response. */
export class OutboundError extends Error {
  /** The request certainly did not reach the receiver. */
  readonly unsent: boolean

  constructor(message: string, unsent = false) {
    super(message)
    this.unsent = unsent
  }
}

const REQUEST_TIMEOUT_MS = 15_000 // for the whole request, including DNS lookup and connecting
const MAX_STORED_CHARS = 2_000 // characters of the response that are stored
const MAX_RESPONSE_BYTES = 64_000 // then reading stops

/** Posts to a URL chosen by a user and reads the beginning of the response. */
export const postOutbound = async (
  to: string,
  headers: Record<string, string>,
  body: string,
  allowed: AddressAllowlist,
): Promise<OutboundResponse> => {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    return await inSpan('POST', { kind: SpanKind.CLIENT, attributes: describeRequest(to) }, async (span) => {
      const response = await openOutbound(to, { headers: { ...headers, ...getTraceHeaders() }, body, allowed, signal })
      const { statusCode = 0, headers: responseHeaders } = response
      span.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 400) markFailed(span, String(statusCode))
      return { status: statusCode, body: await readBeginning(response), after_ms: parseRetryAfter(responseHeaders['retry-after']) }
    })
  } catch (error) {
    if (signal.aborted) throw new OutboundError(`The receiver did not respond within ${REQUEST_TIMEOUT_MS / 1000} seconds.`)
    throw toOutboundError(error)
  }
}

/** Without the path: URLs of receivers often contain a secret. */
const describeRequest = (to: string) => {
  const { hostname, port, protocol } = new URL(to)
  return { 'http.request.method': 'POST', 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) }
}

export interface OutboundRequest {
  /** Default: POST. */
  readonly method?: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body: string
  readonly allowed: AddressAllowlist
  readonly signal: AbortSignal
}

/**
 * Sends a request to a URL chosen by a user; the caller reads the response. The name is resolved only once, and the connection uses the address that was
 * checked, so that DNS rebinding cannot reach an internal host. Redirects are not followed.
 */
export const openOutbound = (
  to: string,
  { method = 'POST', headers, body, allowed, signal }: OutboundRequest,
): Promise<IncomingMessage> => {
  const url = new URL(to)
  assertAddressAllowed(url, allowed, toRejectedError)
  const request = url.protocol === 'https:' ? overHttps : overHttp
  return new Promise<IncomingMessage>((done, fail) => {
    const outgoing = request(url, {
      method,
      headers: { ...headers, ...(method === 'POST' && { 'content-length': Buffer.byteLength(body) }) },
      agent: false, // a new connection, so that none is reused that was checked for another host
      lookup: createSafeLookup(allowed, toRejectedError),
      signal,
      maxHeaderSize: 32_000,
    })
    outgoing.once('response', done)
    outgoing.on('error', fail) // stays registered after the first error
    outgoing.end(body)
  })
}

export const toOutboundError = (error: unknown): OutboundError => {
  if (error instanceof OutboundError) return error
  const { code = '' } = error as NodeJS.ErrnoException
  return new OutboundError(describeError(error as NodeJS.ErrnoException), UNSENT_CODES.includes(code))
}

const toRejectedError = (host: string, address: string): OutboundError =>
  new OutboundError(
    `${host} is${host === address ? '' : ` at ${address}, which is`} not a public address. Only public addresses and those listed in TABLINUM_WEBHOOK_ALLOW are allowed.`,
    true,
  )

/** The body does not decide whether the delivery succeeded: if reading it fails, the status is still valid. */
export const readBeginning = async (response: IncomingMessage): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (text.length < MAX_STORED_CHARS) text += decoder.decode(chunk, { stream: true })
      if (bytes > MAX_RESPONSE_BYTES) break
    }
  } catch {
    // The receiver closed the connection or timed out after sending the status.
  }
  response.destroy()
  return text.slice(0, MAX_STORED_CHARS).toWellFormed().replaceAll('\0', '')
}

const UNSENT_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

const ERROR_TEXTS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ENOTFOUND: 'The host was not found.',
  EAI_AGAIN: 'The host name could not be resolved (temporary DNS failure).',
  ECONNRESET: 'The receiver closed the connection without a response.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The network is unreachable.',
  ETIMEDOUT: 'The connection timed out.',
}
const describeError = ({ code = '', message }: NodeJS.ErrnoException): string =>
  ERROR_TEXTS[code] ?? (code ? `${code}: ${message}` : message)
