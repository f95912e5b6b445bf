import type { Context } from '../context.ts'
import { findPlaces, type Link, type Neighbour, type Place } from './links.ts'

/**
 * Breadth first, one statement a step: the nearest come first, and a node that leads back to where the walk was is no news. What the caller
 * may not see is gone through only for what cannot be reached without: where there is another way, the hidden one changes nothing.
 */

export interface Walking {
  readonly from: readonly string[]
  /** A place where it begins that was looked up already. */
  readonly start?: Place
  /** What comes next of these nodes; `known` nodes were found already. Where a link comes without its place, that is looked up. */
  readonly next: (nodes: readonly string[], known: number) => Promise<readonly (Link | Neighbour)[]>
  readonly depth: number
  /** Ends the walk when so many of those that count were found. */
  readonly limit: number
  /** Which of the nodes count. Others are walked through. */
  readonly counts: (place: Place) => boolean
  /** Never goes through what the caller may not see. */
  readonly stays_in_sight?: boolean
}

/** How a walk came to a node: from where, and what is known of the link where somebody asks. */
type Way = Pick<Link, 'node'> & Partial<Pick<Link, 'kinds' | 'whole'>>

export interface Step {
  readonly place: Place
  readonly distance: number
  /** Where the walk came from, in one of the shortest ways; undefined where it began. */
  readonly link: Way | undefined
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
  readonly dark: { readonly link: Link | Neighbour; readonly place: Place; readonly distance: number }[] = []
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
    const { from, start } = this.#walking
    const places = await findPlaces(
      this.#ctx,
      from.filter((id) => id !== start?.id),
    )
    for (const id of from) {
      const place = id === start?.id ? start : places.get(id)
      if (place) this.steps.set(id, { place, distance: 0, link: undefined, beyond: false })
    }
    this.#counted = this.steps.size
  }

  /** First among what the caller sees; then, from every way into the dark, as far as that leads. */
  async goOn(beyond: boolean): Promise<void> {
    const { depth, next } = this.#walking
    const last = Math.min(depth, beyond ? Math.max(...this.dark.map(({ distance }) => distance)) : 0)
    let frontier = beyond ? [] : [...this.steps.keys()]
    for (let distance = 1; distance <= depth && (frontier.length > 0 || distance <= last) && !this.cut; distance += 1) {
      const fresh = new Map<string, Link | Neighbour>()
      if (beyond) for (const each of this.dark) if (each.distance === distance) this.#note(fresh, each.link)
      for (const link of await next(frontier, this.steps.size)) this.#note(fresh, link)
      frontier = this.#take(fresh, await this.#findMissing(fresh), distance, beyond)
    }
  }

  #note(fresh: Map<string, Link | Neighbour>, link: Link | Neighbour): void {
    const id = hasPlace(link) ? link.id : link.other
    if (!this.steps.has(id) && !fresh.has(id)) fresh.set(id, link)
  }

  #findMissing(fresh: ReadonlyMap<string, Link | Neighbour>): Promise<ReadonlyMap<string, Place>> {
    const missing: string[] = []
    for (const [id, link] of fresh) if (!hasPlace(link)) missing.push(id)
    return findPlaces(this.#ctx, missing)
  }

  #take(fresh: ReadonlyMap<string, Link | Neighbour>, places: ReadonlyMap<string, Place>, distance: number, beyond: boolean): string[] {
    const taken: string[] = []
    for (const [id, link] of fresh) {
      const place = hasPlace(link) ? link : places.get(id)
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

const hasPlace = (link: Link | Neighbour): link is Neighbour => 'entity_type' in link

/** The way back to where the walk began, from there to here. */
export const trail = (steps: ReadonlyMap<string, Step>, id: string): string[] => {
  const ids: string[] = []
  for (let at: string | undefined = id; at !== undefined; at = steps.get(at)!.link?.node) ids.push(at)
  return ids.reverse()
}
