import { LRUCache } from 'lru-cache'
import { Refusal } from '../errors.ts'
import { networkOf } from '../network.ts'

const MINUTE = 60_000
const MOST_PER_MINUTE = 100
const MOST_NETWORKS = 10_000

class TooManyGuesses extends Refusal {
  override readonly retry_after: number

  constructor(retry_after: number) {
    super('rate_limited', `Too many requests with invalid tokens from your network. Try again in ${retry_after} s.`)
    this.retry_after = retry_after
  }
}

/** Counts invalid tokens per network and minute in this process. Tokens in the cache are not limited. */
export class TokenGuesses {
  readonly #wrong = new LRUCache<string, { minute: number; count: number }>({ max: MOST_NETWORKS })

  /** Called before a token that is not cached is looked up. */
  mustBeFew(address: string, now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE)
    const wrong = this.#wrong.get(networkOf(address))
    if (wrong?.minute !== minute || wrong.count < MOST_PER_MINUTE) return
    throw new TooManyGuesses(Math.max(1, Math.ceil(((minute + 1) * MINUTE - now.getTime()) / 1000)))
  }

  note(address: string, now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE)
    const key = networkOf(address)
    const wrong = this.#wrong.get(key)
    this.#wrong.set(key, { minute, count: wrong?.minute === minute ? wrong.count + 1 : 1 })
  }
}
