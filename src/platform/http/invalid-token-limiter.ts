import { LRUCache } from 'lru-cache'
import { ApiError } from '../core/errors.ts'
import { getNetworkPrefix } from '../core/network.ts'

declare module '../context/runtime.ts' {
  interface Runtime {
    /** Invalid tokens by network, at most 100 a minute; counts up to 10,000 networks. */
    readonly invalidTokenLimiter: InvalidTokenLimiter
  }
}

const MINUTE = 60_000
const MAX_PER_MINUTE = 100
const MAX_NETWORKS = 10_000

class TooManyInvalidTokensError extends ApiError {
  override readonly retry_after: number

  constructor(retry_after: number) {
    super('rate_limited', `Too many requests with invalid tokens from your network. Try again in ${retry_after} s.`)
    this.retry_after = retry_after
  }
}

/** Counts invalid tokens per network and minute in this process. Tokens in the cache are not limited. */
export class InvalidTokenLimiter {
  /** Created with the first invalid token: its memory for all networks is reserved at once. */
  #wrong?: LRUCache<string, { minute: number; count: number }>

  /** Called before a token that is not cached is looked up. */
  assertBelowLimit(address: string, now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE)
    const wrong = this.#wrong?.get(getNetworkPrefix(address))
    if (wrong?.minute !== minute || wrong.count < MAX_PER_MINUTE) return
    throw new TooManyInvalidTokensError(Math.max(1, Math.ceil(((minute + 1) * MINUTE - now.getTime()) / 1000)))
  }

  countInvalid(address: string, now: Date): void {
    const minute = Math.floor(now.getTime() / MINUTE)
    const key = getNetworkPrefix(address)
    this.#wrong ??= new LRUCache({ max: MAX_NETWORKS })
    const wrong = this.#wrong.get(key)
    this.#wrong.set(key, { minute, count: wrong?.minute === minute ? wrong.count + 1 : 1 })
  }
}
