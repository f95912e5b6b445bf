import type { Context } from '../context.ts'
import { findPlaces, type Link, type Neighbour, type Place } from './links.ts'

/**
 * Breadth-first traversal with one statement for each step: nearest nodes first, every node once. Hidden nodes are followed only after the
 * visible ones, for what cannot be reached otherwise: where a visible path exists, a hidden one does not change the result.
 */

export interface Walking {
  readonly from: readonly string[]
  /** A start node that was already loaded. */
  readonly start?: Place
  /** The neighbours of these nodes; `known` is the number of nodes found so far. Node details missing from a link are loaded. */
  readonly next: (nodes: readonly string[], known: number) => Promise<readonly (Link | Neighbour)[]>
  readonly depth: number
  /** Stops when this many counted nodes were found. */
  readonly limit: number
  /** Which nodes count towards the limit. Others are traversed only. */
  readonly counts: (place: Place) => boolean
  /** Never follows nodes the caller may not see. */
  readonly stays_in_sight?: boolean
}

/** The link through which a node was reached. */
type Way = Pick<Link, 'node'> & Partial<Pick<Link, 'kinds' | 'whole'>>

export interface Step {
  readonly place: Place
  readonly distance: number
  /** The previous link on one of the shortest paths; undefined for a start node. */
  readonly link: Way | undefined
  /** Reachable only through hidden nodes. */
  readonly beyond: boolean
}

export interface Walked {
  /** In the order they were found. */
  readonly steps: ReadonlyMap<string, Step>
  /** The traversal stopped at a limit. */
  readonly cut: boolean
}

export const walk = async (ctx: Context, walking: Walking): Promise<Walked> => {
  const walker = new Walker(ctx, walking)
  await walker.begin()
  await walker.goOn(false)
  if (walker.dark.length > 0 && !walker.cut && !walking.stays_in_sight) await walker.goOn(true)
  return walker
}

const MOST_PASSED = 20_000 // traversed nodes that do not count

class Walker implements Walked {
  readonly steps = new Map<string, Step>()
  /** Links from visible to hidden nodes. */
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

  /** First through visible nodes; then, with `beyond`, from every link into a hidden node. */
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
      if (!place) continue // deleted since the link was read
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

/** The path from the start node to this one. */
export const trail = (steps: ReadonlyMap<string, Step>, id: string): string[] => {
  const ids: string[] = []
  for (let at: string | undefined = id; at !== undefined; at = steps.get(at)!.link?.node) ids.push(at)
  return ids.reverse()
}
