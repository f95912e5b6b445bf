/** How often a request is retried, and how long to wait. */
export interface RetryOptions {
  /** Retries after the first attempt. */
  readonly retries: number
  /** First pause if the response has no `Retry-After`; it doubles with each retry. */
  readonly waitMs: number
}

const MAX_WAIT_MS = 60_000
const RETRYABLE_STATUSES = new Set([429, 503]) // both guarantee that nothing was changed

/** Retries until there is a final response. `send` creates a new request for each attempt. */
export const fetchWithRetries = async (
  { retries, waitMs }: RetryOptions,
  send: () => Promise<Response>,
  { repeat, signal }: { repeat: { afterResponse: boolean; afterLostConnection: boolean }; signal: AbortSignal | undefined },
): Promise<Response> => {
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= retries
    const [response, failure] = await send().then(
      (response) => [response, undefined] as const,
      (error: unknown) => [undefined, error] as const,
    )
    if (!response) {
      // Without a response it is unknown whether the request was processed.
      if (last || !repeat.afterLostConnection || signal?.aborted) throw failure
    } else if (last || !repeat.afterResponse || !RETRYABLE_STATUSES.has(response.status)) return response
    const retryAfter = response && parseRetryAfter(response.headers.get('retry-after'))
    await response?.body?.cancel()
    await sleep(retryAfter ?? Math.min(waitMs * 2 ** attempt * (1 + Math.random()), MAX_WAIT_MS), signal)
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
