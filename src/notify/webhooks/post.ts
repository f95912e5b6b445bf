import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Allowed } from '../../outbound/addresses.ts'
import { lookupFor, mustBeReachable } from '../../outbound/lookup.ts'

export interface Answered {
  readonly status: number
  /** The beginning of it. */
  readonly body: string
  /** It asked to be left alone for so long. */
  readonly after_ms?: number
}

export class NotAnswered extends Error {}

const PATIENCE_MS = 15_000 // for everything: name, connection, answer
const MOST_READ = 2_000 // characters of the answer that are kept for people to look at
const MOST_BYTES = 64_000 // then the rest is not waited for

/**
 * Posts to an address that somebody else chose. A name is resolved here, once: the address that was checked is the one connected to, so a
 * name that changes its mind in between leads nowhere else. Redirects are not followed.
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
        agent: false, // a connection of its own, so that none is used that was checked for another
        lookup: lookupFor(allowed, refused),
        signal,
        maxHeaderSize: 32_000,
      })
      asked.once('response', done)
      asked.on('error', fail) // also those that follow the first
      asked.end(body)
    })
    const { statusCode = 0, headers: said } = answer
    return { status: statusCode, body: await beginningOf(answer), after_ms: pauseOf(said['retry-after']) }
  } catch (error) {
    if (error instanceof NotAnswered) throw error
    throw new NotAnswered(signal.aborted ? `No answer within ${PATIENCE_MS / 1000} seconds.` : sentenceOf(error as NodeJS.ErrnoException))
  }
}

const refused = (host: string, address: string): NotAnswered =>
  new NotAnswered(
    `${host} leads inside${host === address ? '' : `, to ${address}`}: only the open internet and what TABLINUM_WEBHOOK_ALLOW names may be reached.`,
  )

/** What is read of an answer does not decide whether it was taken: when it breaks off, the status still stands. */
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
    // It hung up or took too long; its status came before.
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
  ECONNREFUSED: 'Nobody listens there: the connection was refused.',
  ENOTFOUND: 'There is no such host.',
  EAI_AGAIN: 'The host cannot be looked up at the moment.',
  ECONNRESET: 'The connection was closed without an answer.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The host does not answer.',
}
const sentenceOf = ({ code = '', message }: NodeJS.ErrnoException): string => SENTENCES[code] ?? (code ? `${code}: ${message}` : message)
