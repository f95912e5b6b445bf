import { hash } from 'node:crypto'
import { ApiError } from '../../platform/core/errors.ts'
import { drawPicture, type PictureText } from './draw-picture.ts'

const MAX_CACHED = 50 // about 3 MB
const MAX_PER_SECOND = 5 // each takes some 50 ms of CPU time, and anybody can request them

export const getPictureKey = (picture: PictureText): string => hash('sha256', JSON.stringify(picture), 'hex').slice(0, 12)

/** Draws pictures and caches the last ones, because several programs fetch the picture of a link in a chat at once. */
export class Pictures {
  readonly #cache = new Map<string, Buffer>()
  #drawnAt: number[] = []

  draw(picture: PictureText): Buffer {
    const key = getPictureKey(picture)
    const cached = this.#cache.get(key)
    if (cached) return cached
    const now = performance.now()
    this.#drawnAt = this.#drawnAt.filter((at) => now - at < 1_000)
    if (this.#drawnAt.length >= MAX_PER_SECOND)
      throw new ApiError('rate_limited', 'This server is drawing too many pictures of link previews. Try again later.')
    this.#drawnAt.push(now)
    const png = drawPicture(picture)
    if (this.#cache.size >= MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value!)
    this.#cache.set(key, png)
    return png
  }
}
