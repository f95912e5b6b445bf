import type { Database } from './connect.ts'

/** Notifications of Postgres, heard once by the process and passed on to whoever listens here. */
export class Listening {
  /** Streams that are open; called to end them when the server drains. */
  readonly streams = new Set<() => void>()
  readonly #listeners = new Map<string, Set<(payload: string) => void>>()
  #listen?: Database['listen']

  use(database: Database): void {
    this.#listen = database.listen
  }

  /** Answers with the way to stop. The connection for it is opened with the first listener. */
  async on(channel: string, listener: (payload: string) => void): Promise<() => void> {
    let listeners = this.#listeners.get(channel)
    if (!listeners) {
      listeners = new Set()
      this.#listeners.set(channel, listeners)
      const all = listeners
      await this.#listen?.(channel, (payload) => {
        for (const each of all) each(payload)
      })
    }
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
}
