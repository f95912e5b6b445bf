/**
 * The end of something that lives long, for those who wait for its answers: they hear of it, too. `Promise.race` with one promise for all
 * answers would do the same, and keep every answer until the end: an import held all rows it had ever read.
 */
export class Ending {
  readonly #waiting = new Set<(error: Error) => void>()
  #error: Error | undefined

  get isOver(): boolean {
    return this.#error !== undefined
  }

  /** Only the first reason counts. */
  end(error: Error): void {
    this.#error ??= error
    for (const reject of this.#waiting) reject(this.#error)
    this.#waiting.clear()
  }

  /** The answer, or the end if that comes first. */
  async or<T>(answer: PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (this.#error) reject(this.#error)
    else this.#waiting.add(reject)
    answer.then(resolve, reject)
    try {
      return await promise
    } finally {
      this.#waiting.delete(reject)
    }
  }
}
