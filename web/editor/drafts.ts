/**
 * Unsaved texts, per user, in localStorage: they survive closing the tab and are deleted when saved, at sign-out or after 30 days.
 */
export interface Draft {
  readonly text: string
  /** The version it was based on: the text may have changed by the time the draft is opened again. */
  readonly base: DraftBase
}

export interface DraftBase {
  readonly version: number
  readonly definition: string | null
}

interface StoredDraft extends Draft {
  readonly at: number
}

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const MAX_DRAFTS = 50
const MAX_AGE_MS = 30 * 24 * 3_600_000

export class Drafts {
  readonly #store: DraftStorage
  readonly #prefix: string
  readonly #now: () => number

  constructor(user: string, store: DraftStorage = localStorage, now = Date.now) {
    this.#store = store
    this.#prefix = `draft ${user} `
    this.#now = now
  }

  save(resource: string, draft: Draft): void {
    const key = this.#prefix + resource
    const isNew = this.#store.getItem(key) === null
    const stored: StoredDraft = { ...draft, at: this.#now() }
    try {
      this.#store.setItem(key, JSON.stringify(stored))
    } catch {
      // If the storage is full, the draft is lost but not the text in the editor.
    }
    if (isNew) this.#tidy()
  }

  find(resource: string): Draft | undefined {
    return this.#read(this.#prefix + resource)
  }

  delete(resource: string): void {
    this.#store.removeItem(this.#prefix + resource)
  }

  deleteAll(): void {
    for (const key of this.#keys()) this.#store.removeItem(key)
  }

  #keys(): string[] {
    return Array.from({ length: this.#store.length }, (_, i) => this.#store.key(i) ?? '').filter((key) => key.startsWith(this.#prefix))
  }

  #read(key: string): StoredDraft | undefined {
    try {
      const stored = JSON.parse(this.#store.getItem(key) ?? 'null') as StoredDraft | null
      return stored && this.#now() - stored.at < MAX_AGE_MS ? stored : undefined
    } catch {
      return undefined
    }
  }

  /** Keeps the newest. */
  #tidy(): void {
    const kept = this.#keys()
      .map((key) => ({ key, at: this.#read(key)?.at ?? 0 }))
      .sort((a, b) => b.at - a.at)
    for (const [i, { key, at }] of kept.entries()) if (i >= MAX_DRAFTS || at === 0) this.#store.removeItem(key)
  }
}
