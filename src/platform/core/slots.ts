import { ApiError } from './errors.ts'

declare module '../context/runtime.ts' {
  interface Runtime {
    /** Threads that parse large files (artifacts and manifests of dbt): two at once, ten more wait. */
    readonly fileThreads: Slots
  }
}

/** Limits how much of something runs at once. A few more callers wait; the others are rejected, because what they wait with is in memory. */
export class Slots {
  readonly #max: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor({ max, maxWaiting }: { readonly max: number; readonly maxWaiting: number }) {
    this.#max = max
    this.#maxWaiting = maxWaiting
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#max) this.#running += 1
    else if (this.#waiting.length < this.#maxWaiting) await new Promise<void>((go) => this.#waiting.push(go))
    else throw new ApiError('unavailable', 'The server is busy with other large files. Please try again.')
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
