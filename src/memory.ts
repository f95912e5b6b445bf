/** What a process remembers to be quick, and could lose at any moment without harm. One instance for each database it serves. */
export class Memory {
  readonly #parts = new Map<unknown, unknown>()

  /** The part of this class; made when first asked for. */
  of<T>(part: new () => T): T {
    if (!this.#parts.has(part)) this.#parts.set(part, new part())
    return this.#parts.get(part) as T
  }
}
