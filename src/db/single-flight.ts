import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Work that many ask for at once, by key: those who ask before it begins share it; those who ask while it is under way share the next.
 * So an answer is never older than its question, and the same question costs the same however many ask it.
 */
export class SingleFlight<T> {
  readonly #waiting = new Map<string, Promise<T>>()
  readonly #under_way = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const same = this.#waiting.get(key)
    if (same) return same
    const before = this.#under_way.get(key)?.then(NOTHING, NOTHING) ?? nextTurn() // whoever else asks in this turn of the loop comes along
    const flight: Promise<T> = before
      .then(() => {
        this.#waiting.delete(key)
        this.#under_way.set(key, flight)
        return work()
      })
      .finally(() => {
        if (this.#under_way.get(key) === flight) this.#under_way.delete(key)
      })
    this.#waiting.set(key, flight)
    return flight
  }
}

const NOTHING = () => {}
