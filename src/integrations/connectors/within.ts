import type { AskLimits } from './connector.ts'

const LATE_MS = 5_000 // the source gives up by itself; one that does not answer at all is left after so much more

/**
 * Does some work at a source within its limits: what is given to it aborts when nobody wants the answer any more, or when the source
 * does not keep its own limit. Work that does not listen is left alone.
 */
export const within = async <T>(
  { signal, timeout_ms }: Pick<AskLimits, 'signal' | 'timeout_ms'>,
  work: (signal: AbortSignal) => Promise<T>,
  late_ms = LATE_MS,
): Promise<T> => {
  signal.throwIfAborted()
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms + late_ms)])
  const { promise: left, reject } = Promise.withResolvers<never>()
  left.catch(() => {})
  const leave = () => reject(ended.reason)
  ended.addEventListener('abort', leave)
  try {
    return await Promise.race([work(ended), left])
  } catch (error) {
    throw toldOf(error, ended)
  } finally {
    ended.removeEventListener('abort', leave)
  }
}

/** What went wrong, in words people can act on. */
export const toldOf = (error: unknown, signal: AbortSignal): Error => {
  if (signal.aborted) return new Error(signal.reason?.name === 'TimeoutError' ? 'It took too long.' : 'It was stopped.', { cause: error })
  const { message, code } = error as Error & { code?: string }
  return new Error(message || code || 'The connection failed.', { cause: error })
}
