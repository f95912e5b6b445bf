/** What could not be taken over, in sentences, each once. */
export class LossReport {
  readonly #lines = new Map<string, number>()

  add(line: string): void {
    this.#lines.set(line, (this.#lines.get(line) ?? 0) + 1)
  }

  /** In the order of their first occurrence. */
  get lines(): string[] {
    return [...this.#lines].map(([line, n]) => (n > 1 ? `${line} (${n.toLocaleString('en')} times)` : line))
  }
}
