import type { Database } from './connect.ts'

type Listener = (payload: string) => void

/** Notifications of Postgres, heard once by the process and passed on to whoever listens here. */
export class Listening {
  /** Streams that are open; called to end them when the server drains. */
  readonly streams = new Set<() => void>()
  readonly #channels = new Map<string, { listeners: Set<Listener>; ready: Promise<unknown> }>()
  #listen?: Database['listen']

  use(database: Database): void {
    this.#listen = database.listen
  }

  /** Answers with the way to stop. The connection for it is opened with the first listener. */
  async on(channel: string, listener: Listener): Promise<() => void> {
    const { listeners, ready } = this.#channels.get(channel) ?? this.#open(channel)
    await ready
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #open(channel: string) {
    const listeners = new Set<Listener>()
    const ready = Promise.resolve(
      this.#listen?.(channel, (payload) => {
        for (const each of listeners) each(payload)
      }),
    )
    const opened = { listeners, ready }
    this.#channels.set(channel, opened)
    ready.catch(() => this.#channels.delete(channel)) // the next listener tries again
    return opened
  }
}
