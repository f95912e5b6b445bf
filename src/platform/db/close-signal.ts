/**
 * Rejects everything that waits for a long-lived object when that object closes. `Promise.race` with one shared promise would do the same,
 * but retain every result until the end: an import held all rows it had ever read.
 */
export class CloseSignal {
  readonly #waiting = new Set<(error: Error) => void>()
  #error: Error | undefined

  get isClosed(): boolean {
    return this.#error !== undefined
  }

  /** Only the first error counts. */
  close(error: Error): void {
    this.#error ??= error
    for (const reject of this.#waiting) reject(this.#error)
    this.#waiting.clear()
  }

  /** Resolves with the promise, or rejects if the object closes first. */
  async race<T>(result: PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (this.#error) reject(this.#error)
    else this.#waiting.add(reject)
    result.then(resolve, reject)
    try {
      return await promise
    } finally {
      this.#waiting.delete(reject)
    }
  }
}
