import type { Context } from '../../platform/context/context.ts'
import { findNodeInfo, type Link, type Neighbour, type NodeInfo } from '../edges/links.ts'

/**
 * Breadth-first traversal with one statement for each step: nearest nodes first, every node once. Hidden nodes are followed only after the
 * visible ones, for what cannot be reached otherwise: where a visible path exists, a hidden one does not change the result.
 */

export interface TraversalOptions {
  readonly from: readonly string[]
  /** A start node that was already loaded. */
  readonly start?: NodeInfo
  /** The neighbours of these nodes; `known` is the number of nodes found so far. Node details missing from a link are loaded. */
  readonly next: (nodes: readonly string[], knownCount: number) => Promise<readonly (Link | Neighbour)[]>
  readonly depth: number
  /** Stops when this many counted nodes were found. */
  readonly limit: number
  /** Which nodes count towards the limit. Others are traversed only. */
  readonly counts: (node: NodeInfo) => boolean
  /** Never follows nodes the caller may not see. */
  readonly visible_only?: boolean
}

/** The link through which a node was reached. */
type IncomingLink = Pick<Link, 'node'> & Partial<Pick<Link, 'kinds' | 'whole'>>

export interface TraversalStep {
  readonly node: NodeInfo
  readonly distance: number
  /** The previous link on one of the shortest paths; undefined for a start node. */
  readonly link: IncomingLink | undefined
  /** Reachable only through hidden nodes. */
  readonly via_hidden: boolean
}

export interface Traversal {
  /** In the order they were found. */
  readonly steps: ReadonlyMap<string, TraversalStep>
  /** The traversal stopped at a limit. */
  readonly truncated: boolean
}

export const traverse = async (ctx: Context, options: TraversalOptions): Promise<Traversal> => {
  const walker = new Traverser(ctx, options)
  await walker.start()
  await walker.expand(false)
  if (walker.hiddenFrontier.length > 0 && !walker.truncated && !options.visible_only) await walker.expand(true)
  return walker
}

const MAX_PASSED_NODES = 20_000 // traversed nodes that do not count

class Traverser implements Traversal {
  readonly steps = new Map<string, TraversalStep>()
  /** Links from visible to hidden nodes. */
  readonly hiddenFrontier: { readonly link: Link | Neighbour; readonly node: NodeInfo; readonly distance: number }[] = []
  truncated = false
  readonly #ctx: Context
  readonly #walking: TraversalOptions
  #counted = 0
  #passed = 0

  constructor(ctx: Context, options: TraversalOptions) {
    this.#ctx = ctx
    this.#walking = options
  }

  async start(): Promise<void> {
    const { from, start } = this.#walking
    const infos = await findNodeInfo(
      this.#ctx,
      from.filter((id) => id !== start?.id),
    )
    for (const id of from) {
      const node = id === start?.id ? start : infos.get(id)
      if (node) this.steps.set(id, { node, distance: 0, link: undefined, via_hidden: false })
    }
    this.#counted = this.steps.size
  }

  /** First through visible nodes; then, with `beyond`, from every link into a hidden node. */
  async expand(beyond: boolean): Promise<void> {
    const { depth, next } = this.#walking
    const last = Math.min(depth, beyond ? Math.max(...this.hiddenFrontier.map(({ distance }) => distance)) : 0)
    let frontier = beyond ? [] : [...this.steps.keys()]
    for (let distance = 1; distance <= depth && (frontier.length > 0 || distance <= last) && !this.truncated; distance += 1) {
      const fresh = new Map<string, Link | Neighbour>()
      if (beyond) for (const each of this.hiddenFrontier) if (each.distance === distance) this.#note(fresh, each.link)
      for (const link of await next(frontier, this.steps.size)) this.#note(fresh, link)
      frontier = this.#take(fresh, await this.#findMissing(fresh), distance, beyond)
    }
  }

  #note(fresh: Map<string, Link | Neighbour>, link: Link | Neighbour): void {
    const id = hasNodeInfo(link) ? link.id : link.other
    if (!this.steps.has(id) && !fresh.has(id)) fresh.set(id, link)
  }

  #findMissing(fresh: ReadonlyMap<string, Link | Neighbour>): Promise<ReadonlyMap<string, NodeInfo>> {
    const missing: string[] = []
    for (const [id, link] of fresh) if (!hasNodeInfo(link)) missing.push(id)
    return findNodeInfo(this.#ctx, missing)
  }

  #take(fresh: ReadonlyMap<string, Link | Neighbour>, infos: ReadonlyMap<string, NodeInfo>, distance: number, beyond: boolean): string[] {
    const taken: string[] = []
    for (const [id, link] of fresh) {
      const node = hasNodeInfo(link) ? link : infos.get(id)
      if (!node) continue // deleted since the link was read
      if (!node.visible && !beyond) {
        this.hiddenFrontier.push({ link, node, distance })
        continue
      }
      const counts = node.visible && this.#walking.counts(node)
      if (counts ? this.#counted >= this.#walking.limit : this.#passed >= MAX_PASSED_NODES) {
        this.truncated = true
        continue
      }
      if (counts) this.#counted += 1
      else this.#passed += 1
      this.steps.set(id, { node, distance, link, via_hidden: beyond })
      taken.push(id)
    }
    return taken
  }
}

const hasNodeInfo = (link: Link | Neighbour): link is Neighbour => 'entity_type' in link

/** The path from the start node to this one. */
export const tracePath = (steps: ReadonlyMap<string, TraversalStep>, id: string): string[] => {
  const ids: string[] = []
  for (let at: string | undefined = id; at !== undefined; at = steps.get(at)!.link?.node) ids.push(at)
  return ids.reverse()
}
