import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './server.ts'

/** Writers that never stop, and what the server has acknowledged to them. */
export class WriteLoad {
  /** Written resources: the last acknowledged title, and later ones without a response. */
  readonly #written = new Map<string, { done: string; requested: string[] }>()
  readonly bulks: { ids: string[]; description: string; done: boolean }[] = []
  /** Requests that were answered with 503. */
  rejected = 0
  #n = 0
  readonly #name: string
  readonly #persistent: boolean
  readonly #pauseMs: number

  /** Loads on the same database have different names. A persistent load goes on after a 503; the others end with an error. */
  constructor(name = '', { persistent = false, pauseMs = 0 }: { persistent?: boolean; pauseMs?: number } = {}) {
    this.#name = name
    this.#persistent = persistent
    this.#pauseMs = pauseMs
  }

  get acknowledged(): number {
    return this.#written.size
  }

  /** The resources whose creation was acknowledged. */
  get ids(): string[] {
    return [...this.#written.keys()]
  }

  /** Writes until the server is down, or `stopping` is aborted. */
  async writeTo(server: TestServer, writers: number, stopping?: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: writers }, (_, i) => this.#write(server, i, stopping)))
  }

  async #write({ call }: TestServer, writer: number, stopping?: AbortSignal): Promise<void> {
    const ownIds: string[] = []
    while (!stopping?.aborted) {
      this.#n += 1
      const title = `t${this.#n}`
      if (this.#pauseMs > 0) await sleep(this.#pauseMs)
      try {
        if (ownIds.length < 3 || this.#n % 3 === 0) {
          const { status, body } = await call('POST', '/resource/catalog', {
            title,
            parent: ownIds[0],
            entity_type: ownIds.length === 0 ? 'database' : 'table',
          })
          if (status !== 201) throw new Error(`create: ${status} ${JSON.stringify(body)}`)
          this.#written.set(body.id, { done: title, requested: [] })
          ownIds.push(body.id)
        } else if (this.#n % 3 === 1) await this.#rename(call, ownIds[this.#n % ownIds.length]!, title)
        else await this.#bulk(call, ownIds.slice(-20), `by ${this.#name}${writer} ${title}`)
      } catch (error) {
        if (error instanceof TypeError) return // fetch failed: the server is down
        if (!this.#persistent || !/: 503\b/.test((error as Error).message)) throw error
        this.rejected += 1
        await sleep(20)
      }
    }
  }

  async #rename(call: TestServer['call'], id: string, title: string): Promise<void> {
    const resources = this.#written.get(id)!
    resources.requested.push(title)
    const { status } = await call('PATCH', `/resource/all/${id}`, { title })
    if (status !== 200) throw new Error(`rename: ${status}`)
    this.#written.set(id, { done: title, requested: [] })
  }

  async #bulk(call: TestServer['call'], ids: string[], description: string): Promise<void> {
    const bulk = { ids, description, done: false }
    this.bulks.push(bulk)
    const { status } = await call(
      'POST',
      '/resource/all/bulk_update/',
      ids.map((id) => ({ id, data: { description } })),
    )
    if (status !== 200) throw new Error(`bulk: ${status}`)
    bulk.done = true
  }

  /** Acknowledged writes that are missing. */
  lost(rows: readonly { id: string; title: string }[]): string[] {
    const titles = new Map(rows.map(({ id, title }) => [id, title]))
    return [...this.#written].flatMap(([id, { done, requested }]) => {
      const title = titles.get(id)
      return title !== undefined && [done, ...requested].includes(title) ? [] : [`${id}: ${title} instead of ${done}`]
    })
  }
}
