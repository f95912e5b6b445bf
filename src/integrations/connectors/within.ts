import type { AskLimits } from './connector.ts'

const LATE_MS = 5_000 // grace period after the timeout of the source itself, for sources that do not respond

/**
 * Runs work at a source within its limits: the signal it receives aborts when the caller cancels or the source exceeds its own timeout. Work
 * that ignores the signal is abandoned.
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

/** An error message users can act on. */
export const toldOf = (error: unknown, signal: AbortSignal): Error => {
  if (signal.aborted)
    return new Error(signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.', { cause: error })
  const { message, code } = error as Error & { code?: string }
  return new Error(message || code || 'The connection failed.', { cause: error })
}
