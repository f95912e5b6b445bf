const REPEATED_MS = 1_000 // npm sends a signal of the terminal again

/**
 * Aborted by SIGINT or SIGTERM: the script then stops what it does and prints the table of what was complete. A second signal ends the process at
 * once.
 */
export const listenForInterrupt = (): AbortSignal => {
  const controller = new AbortController()
  let at = 0
  const stop = () => {
    if (controller.signal.aborted && performance.now() - at > REPEATED_MS) process.exit(130)
    if (controller.signal.aborted) return
    at = performance.now()
    console.error('Interrupted: stopping, then the table of what was complete follows.')
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}

/** Whether the work ended before the interrupt. What it does afterwards, and how it fails, no longer matters. */
export const endsBefore = async (interrupt: AbortSignal | undefined, work: Promise<unknown>): Promise<boolean> => {
  if (!interrupt) return work.then(() => true)
  if (!interrupt.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>()
    interrupt.addEventListener('abort', () => resolve(), { once: true })
    await Promise.race([work, promise]).finally(resolve)
  }
  if (interrupt.aborted) work.catch(() => {})
  return !interrupt.aborted
}
