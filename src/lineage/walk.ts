import type { Context } from '../context.ts'
import { findPlaces, type Link, type Place } from './links.ts'

/**
 * Breadth first, one statement a step: the nearest come first, and a node that leads back to where the walk was is no news. What the caller
 * may not see is gone through only for what cannot be reached without: where there is another way, the hidden one changes nothing.
 */

export interface Walking {
  readonly from: readonly string[]
  /** What comes next of these nodes; `known` nodes were found already. */
  readonly next: (nodes: readonly string[], known: number) => Promise<readonly Link[]>
  readonly depth: number
  /** Ends the walk when so many of those that count were found. */
  readonly limit: number
  /** Which of the nodes count. Others are walked through. */
  readonly counts: (place: Place) => boolean
  /** Never goes through what the caller may not see. */
  readonly stays_in_sight?: boolean
}

export interface Step {
  readonly place: Place
  readonly distance: number
  /** Where the walk came from, in one of the shortest ways; undefined where it began. */
  readonly link: Link | undefined
  /** It cannot be reached by what the caller sees alone. */
  readonly beyond: boolean
}

export interface Walked {
  /** In the order they were found. */
  readonly steps: ReadonlyMap<string, Step>
  /** The walk ended before it was at an end. */
  readonly cut: boolean
}

export const walk = async (ctx: Context, walking: Walking): Promise<Walked> => {
  const walker = new Walker(ctx, walking)
  await walker.begin()
  await walker.goOn(false)
  if (walker.dark.length > 0 && !walker.cut && !walking.stays_in_sight) await walker.goOn(true)
  return walker
}

const MOST_PASSED = 20_000 // nodes that a walk only goes through

class Walker implements Walked {
  readonly steps = new Map<string, Step>()
  /** Ways into what the caller may not see, from what they see. */
  readonly dark: { readonly link: Link; readonly place: Place; readonly distance: number }[] = []
  cut = false
  readonly #ctx: Context
  readonly #walking: Walking
  #counted = 0
  #passed = 0

  constructor(ctx: Context, walking: Walking) {
    this.#ctx = ctx
    this.#walking = walking
  }

  async begin(): Promise<void> {
    const places = await findPlaces(this.#ctx, this.#walking.from)
    for (const id of this.#walking.from)
      if (places.has(id)) this.steps.set(id, { place: places.get(id)!, distance: 0, link: undefined, beyond: false })
    this.#counted = this.steps.size
  }

  /** First among what the caller sees; then, from every way into the dark, as far as that leads. */
  async goOn(beyond: boolean): Promise<void> {
    const { depth, next } = this.#walking
    const last = Math.min(depth, beyond ? Math.max(...this.dark.map(({ distance }) => distance)) : 0)
    let frontier = beyond ? [] : [...this.steps.keys()]
    for (let distance = 1; distance <= depth && (frontier.length > 0 || distance <= last) && !this.cut; distance += 1) {
      const fresh = new Map<string, Link>()
      if (beyond) for (const each of this.dark) if (each.distance === distance) this.#note(fresh, each.link)
      for (const link of await next(frontier, this.steps.size)) this.#note(fresh, link)
      frontier = this.#take(fresh, await findPlaces(this.#ctx, [...fresh.keys()]), distance, beyond)
    }
  }

  #note(fresh: Map<string, Link>, link: Link): void {
    if (!this.steps.has(link.other) && !fresh.has(link.other)) fresh.set(link.other, link)
  }

  #take(fresh: ReadonlyMap<string, Link>, places: ReadonlyMap<string, Place>, distance: number, beyond: boolean): string[] {
    const taken: string[] = []
    for (const [id, link] of fresh) {
      const place = places.get(id)
      if (!place) continue // deleted a moment ago
      if (!place.visible && !beyond) {
        this.dark.push({ link, place, distance })
        continue
      }
      const counts = place.visible && this.#walking.counts(place)
      if (counts ? this.#counted >= this.#walking.limit : this.#passed >= MOST_PASSED) {
        this.cut = true
        continue
      }
      if (counts) this.#counted += 1
      else this.#passed += 1
      this.steps.set(id, { place, distance, link, beyond })
      taken.push(id)
    }
    return taken
  }
}

/** The way back to where the walk began, from there to here. */
export const trail = (steps: ReadonlyMap<string, Step>, id: string): string[] => {
  const ids: string[] = []
  for (let at: string | undefined = id; at !== undefined; at = steps.get(at)!.link?.node) ids.push(at)
  return ids.reverse()
}
