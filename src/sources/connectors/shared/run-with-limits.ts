import type { QueryLimits } from './connector.ts'

const GRACE_MS = 5_000 // grace period after the timeout of the source itself, for sources that do not respond

/**
 * Runs work at a source within its limits: the signal it receives aborts when the caller cancels or the source exceeds its own timeout. Work
 * that ignores the signal is abandoned.
 */
export const runWithLimits = async <T>(
  { signal, timeout_ms }: Pick<QueryLimits, 'signal' | 'timeout_ms'>,
  work: (signal: AbortSignal) => Promise<T>,
  grace_ms = GRACE_MS,
): Promise<T> => {
  signal.throwIfAborted()
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms + grace_ms)])
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  abandoned.catch(() => {})
  const abandon = () => reject(limited.reason)
  limited.addEventListener('abort', abandon)
  try {
    return await Promise.race([work(limited), abandoned])
  } catch (error) {
    throw toReadableError(error, limited)
  } finally {
    limited.removeEventListener('abort', abandon)
  }
}

/** An error message users can act on. */
export const toReadableError = (error: unknown, signal: AbortSignal): Error => {
  if (signal.aborted)
    return new Error(signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.', { cause: error })
  const { message, code } = error as Error & { code?: string }
  return new Error(message || code || 'The connection failed.', { cause: error })
}
