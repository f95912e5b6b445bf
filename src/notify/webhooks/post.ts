import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Allowed } from '../../outbound/addresses.ts'
import { lookupFor, mustBeReachable } from '../../outbound/lookup.ts'

export interface Answered {
  readonly status: number
  /** The first characters of the body. */
  readonly body: string
  /** Pause requested with `Retry-After`. */
  readonly after_ms?: number
}

export class NotAnswered extends Error {}

const PATIENCE_MS = 15_000 // for the whole request, including DNS lookup and connecting
const MOST_READ = 2_000 // characters of the response that are stored
const MOST_BYTES = 64_000 // then reading stops

/**
 * Posts to a URL chosen by a user. The name is resolved only once, and the connection uses the address that was checked, so that DNS
 * rebinding cannot reach an internal host. Redirects are not followed.
 */
export const post = async (to: string, headers: Record<string, string>, body: string, allowed: Allowed): Promise<Answered> => {
  const url = new URL(to)
  mustBeReachable(url, allowed, refused)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const request = url.protocol === 'https:' ? overHttps : overHttp
  try {
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      const asked = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false, // a new connection, so that none is reused that was checked for another host
        lookup: lookupFor(allowed, refused),
        signal,
        maxHeaderSize: 32_000,
      })
      asked.once('response', done)
      asked.on('error', fail) // stays registered after the first error
      asked.end(body)
    })
    const { statusCode = 0, headers: said } = answer
    return { status: statusCode, body: await beginningOf(answer), after_ms: pauseOf(said['retry-after']) }
  } catch (error) {
    if (error instanceof NotAnswered) throw error
    throw new NotAnswered(
      signal.aborted ? `The receiver did not respond within ${PATIENCE_MS / 1000} seconds.` : sentenceOf(error as NodeJS.ErrnoException),
    )
  }
}

const refused = (host: string, address: string): NotAnswered =>
  new NotAnswered(
    `${host} is${host === address ? '' : ` at ${address}, which is`} not a public address. Only public addresses and those listed in TABLINUM_WEBHOOK_ALLOW are allowed.`,
  )

/** The body does not decide whether the delivery succeeded: if reading it fails, the status is still valid. */
const beginningOf = async (answer: IncomingMessage): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (text.length < MOST_READ) text += decoder.decode(chunk, { stream: true })
      if (bytes > MOST_BYTES) break
    }
  } catch {
    // The receiver closed the connection or timed out after sending the status.
  }
  answer.destroy()
  return text.slice(0, MOST_READ).toWellFormed().replaceAll('\0', '')
}

const LONGEST_PAUSE_MS = 24 * 3_600_000
const pauseOf = (said: string | undefined): number | undefined => {
  if (said === undefined) return undefined
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now()
  return ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : undefined
}

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ENOTFOUND: 'The host was not found.',
  EAI_AGAIN: 'The host name could not be resolved (temporary DNS failure).',
  ECONNRESET: 'The receiver closed the connection without a response.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The network is unreachable.',
  ETIMEDOUT: 'The connection timed out.',
}
const sentenceOf = ({ code = '', message }: NodeJS.ErrnoException): string => SENTENCES[code] ?? (code ? `${code}: ${message}` : message)
