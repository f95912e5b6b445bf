declare module '../context/runtime.ts' {
  interface Runtime {
    /** Jobs pause between batches while monitors run: at most two seconds, and at most half of the time. */
    readonly monitorPriority: MonitorPriority
  }
}

const MAX_PAUSE_MS = 2_000

/**
 * Lets due monitors run before the next batches of syncs and imports in the same process, so that they do not wait for the CPU. Monitors of slow
 * sources can run for minutes, so a pause ends after two seconds, and the next one can only begin two seconds later.
 */
export class MonitorPriority {
  #running = 0
  #pauseEndsAt = Number.NEGATIVE_INFINITY
  readonly #paused = new Set<() => void>()

  /** Runs work that others pause for. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#endPause()
    }
  }

  /** Called between batches: waits while monitors run. */
  async giveWay(): Promise<void> {
    if (this.#running === 0) return
    const now = performance.now()
    if (now >= this.#pauseEndsAt + MAX_PAUSE_MS) this.#pauseEndsAt = now + MAX_PAUSE_MS
    if (now >= this.#pauseEndsAt) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#paused.add(resolve)
    const timer = setTimeout(resolve, this.#pauseEndsAt - now)
    await promise
    clearTimeout(timer)
    this.#paused.delete(resolve)
  }

  #endPause(): void {
    this.#pauseEndsAt = Number.NEGATIVE_INFINITY
    for (const resume of this.#paused) resume()
  }
}
