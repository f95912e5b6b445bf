/**
 * Saves items one batch after the other while more are added: what is added during a save makes the next batch. A batch that cannot be saved
 * is the last one, and the next `add` or `finish` throws its error.
 */
export class Saver<Item> {
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

  /** When everything that was added is saved. */
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
