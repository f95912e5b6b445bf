import type { AddressAllowlist } from './address-policy.ts'
import { OutboundError, openOutbound, toOutboundError } from './post.ts'

interface FetchOptions {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

const MAX_BYTES = 1024 * 1024
const TIMEOUT_MS = 10_000

/** `fetch` for libraries that request URLs a user chose: addresses are checked, redirects are not followed, and the size is limited. */
export const createSafeFetch =
  (allowed: AddressAllowlist) =>
  async (url: string, { method, headers, body, signal }: FetchOptions): Promise<Response> => {
    try {
      const response = await openOutbound(url, {
        method: method === 'GET' ? 'GET' : 'POST',
        headers,
        body: body === undefined || body === null ? '' : String(body),
        allowed,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
      })
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > MAX_BYTES) throw new OutboundError('The response is too large.')
        chunks.push(chunk)
      }
      const type = response.headers['content-type']
      return new Response(bytes === 0 ? null : Buffer.concat(chunks), {
        status: response.statusCode ?? 500,
        headers: type === undefined ? {} : { 'content-type': type },
      })
    } catch (error) {
      throw toOutboundError(error)
    }
  }
