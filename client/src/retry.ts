/** How often, and how long to wait, when the server is busy or away. */
export interface Patience {
  /** How many times more, after the first. */
  readonly retries: number
  /** What is waited at least, when the server does not say; it doubles each time. */
  readonly waitMs: number
}

const LONGEST_MS = 60_000
const WORTH_IT = new Set([429, 503]) // the server says of both that nothing was changed

/** Sends until there is an answer. `send` makes the request anew each time. */
export const withPatience = async (
  { retries, waitMs }: Patience,
  send: () => Promise<Response>,
  { again, signal }: { again: { afterRefusal: boolean; afterSilence: boolean }; signal: AbortSignal | undefined },
): Promise<Response> => {
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= retries
    const [response, failure] = await send().then(
      (response) => [response, undefined] as const,
      (error: unknown) => [undefined, error] as const,
    )
    if (!response) {
      // An aborted request is not to be sent again; of a lost one nobody knows whether it was done.
      if (last || !again.afterSilence || signal?.aborted) throw failure
    } else if (last || !again.afterRefusal || !WORTH_IT.has(response.status)) return response
    const retryAfter = response && parseRetryAfter(response.headers.get('retry-after'))
    await response?.body?.cancel()
    await sleep(retryAfter ?? Math.min(waitMs * 2 ** attempt * (1 + Math.random()), LONGEST_MS), signal)
  }
}

/** Seconds, or a date. */
const parseRetryAfter = (header: string | null): number | undefined => {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
