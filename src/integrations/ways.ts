import type { Asking } from './connectors/connector.ts'

/** Pool of open connections to sources: a few per integration, kept idle for a while for reuse. */
export interface Way {
  readonly id: string
  readonly version: string
  readonly asking: Asking
}

export interface Wanted {
  readonly id: string
  /** Version of the settings: a connection opened with other settings is closed. */
  readonly version: string
  open(): Promise<Asking>
}

const MOST = 3 // per integration and process, to limit the load on the source
const IDLE_MS = 60_000

interface Place {
  busy: number
  readonly idle: { way: Way; timer: NodeJS.Timeout }[]
  readonly waiting: (() => void)[]
}

export class Ways {
  readonly #places = new Map<string, Place>()
  #closed = false

  async take({ id, version, open }: Wanted, signal: AbortSignal): Promise<Way> {
    if (this.#closed) throw new Error('This server is stopping.')
    const place = this.#places.get(id) ?? { busy: 0, idle: [], waiting: [] }
    this.#places.set(id, place)
    await turn(place, signal)
    try {
      for (let kept = place.idle.pop(); kept; kept = place.idle.pop()) {
        clearTimeout(kept.timer)
        if (kept.way.version === version) return kept.way
        await close(kept.way)
      }
      return { id, version, asking: await open() }
    } catch (error) {
      this.#next(place, id)
      throw error
    }
  }

  async giveBack(way: Way, broken: boolean): Promise<void> {
    const place = this.#places.get(way.id)!
    if (broken || this.#closed) await close(way)
    else {
      const kept = { way, timer: setTimeout(() => this.#drop(place, kept), IDLE_MS).unref() }
      place.idle.push(kept)
    }
    this.#next(place, way.id)
  }

  #next(place: Place, id: string): void {
    place.busy -= 1
    place.waiting.shift()?.()
    if (place.busy === 0 && place.idle.length === 0 && place.waiting.length === 0) this.#places.delete(id)
  }

  #drop(place: Place, kept: Place['idle'][number]): void {
    place.idle.splice(place.idle.indexOf(kept), 1)
    void close(kept.way)
  }

  /** Connections in use are closed when they are released. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { idle } of this.#places.values())
      for (const { way, timer } of idle.splice(0)) {
        clearTimeout(timer)
        await close(way)
      }
  }
}

const close = async ({ asking }: Way): Promise<void> => {
  try {
    await asking[Symbol.asyncDispose]()
  } catch {} // a broken connection may fail to close
}

/** Waits for a free slot, until the signal aborts. */
const turn = async (place: Place, signal: AbortSignal): Promise<void> => {
  while (place.busy >= MOST) {
    signal.throwIfAborted()
    const { promise, resolve } = Promise.withResolvers<void>()
    place.waiting.push(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    const left = place.waiting.indexOf(resolve)
    if (left >= 0) place.waiting.splice(left, 1)
  }
  place.busy += 1
}
