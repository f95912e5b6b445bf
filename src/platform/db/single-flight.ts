import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Shares work between concurrent callers, by key: callers before it starts share it; callers while it runs share the next one.
 * So a result is never older than its request, and the cost does not depend on the number of callers.
 */
export class SingleFlight<T> {
  readonly #waiting = new Map<string, Promise<T>>()
  readonly #running = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const same = this.#waiting.get(key)
    if (same) return same
    const before = this.#running.get(key)?.then(NOTHING, NOTHING) ?? nextTurn() // includes all other requests of this turn of the event loop
    const flight: Promise<T> = before
      .then(() => {
        this.#waiting.delete(key)
        this.#running.set(key, flight)
        return work()
      })
      .finally(() => {
        if (this.#running.get(key) === flight) this.#running.delete(key)
      })
    this.#waiting.set(key, flight)
    return flight
  }
}

const NOTHING = () => {}
