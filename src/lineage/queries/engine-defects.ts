declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** SQL texts on which the SQL engine failed, by dialect. */
    readonly engineDefects: EngineDefectCounter
  }
}

/** Counts the SQL texts that failed with an internal error of the engine, by dialect, since the process started. */
export class EngineDefectCounter {
  readonly #byDialect = new Map<string, number>()

  count(dialect: string, texts = 1): void {
    if (texts > 0) this.#byDialect.set(dialect, (this.#byDialect.get(dialect) ?? 0) + texts)
  }

  counts(): IterableIterator<[dialect: string, texts: number]> {
    return this.#byDialect.entries()
  }
}
