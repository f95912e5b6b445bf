/**
 * Saves items in batches, one batch at a time: items added during a save form the next batch. After a failed batch nothing more is saved,
 * and the next `add` or `finish` throws its error.
 */
export class BatchSaver<Item> {
  readonly #save: (items: readonly Item[]) => Promise<void>
  #waiting: Item[] = []
  #saving: Promise<void> | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(save: (items: readonly Item[]) => Promise<void>) {
    this.#save = save
  }

  add(items: readonly Item[]): void {
    if (this.#failure) throw this.#failure.error
    this.#waiting.push(...items)
    if (this.#waiting.length > 0) this.#saving ??= this.#saveWaiting()
  }

  /** Resolves when all added items are saved. */
  async finish(): Promise<void> {
    await this.#saving
    if (this.#failure) throw this.#failure.error
  }

  async #saveWaiting(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting
        this.#waiting = []
        await this.#save(batch)
      }
    } catch (error) {
      this.#failure = { error }
    } finally {
      this.#saving = undefined
    }
  }
}
