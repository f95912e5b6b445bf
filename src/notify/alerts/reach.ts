import type { Context } from '../../context.ts'
import { findLinks, type Way } from '../../lineage/links.ts'

const DEPTH = 6
const MOST_PER_PLACE = 200
const MOST_NEIGHBOURS = 100

/** Tables upstream or downstream of each of these tables, nearest first, limited in depth and number. One statement per level. */
export const reachOf = async (ctx: Context, places: readonly string[], way: Way): Promise<Map<string, Set<string>>> => {
  const reached = new Map(places.map((place) => [place, new Set<string>()]))
  let frontiers = new Map(places.map((place) => [place, [place]]))
  for (let step = 0; step < DEPTH && frontiers.size > 0; step += 1) {
    const nodes = [...new Set([...frontiers.values()].flat())]
    const links = Map.groupBy(await findLinks(ctx, nodes, { level: 'table', way, most: MOST_NEIGHBOURS }), ({ node }) => node)
    const next = new Map<string, string[]>()
    for (const [place, frontier] of frontiers) {
      const seen = reached.get(place)!
      const fresh: string[] = []
      for (const { other } of frontier.flatMap((node) => links.get(node) ?? []))
        if (!seen.has(other) && seen.size < MOST_PER_PLACE) {
          seen.add(other)
          fresh.push(other)
        }
      if (fresh.length > 0) next.set(place, fresh)
    }
    frontiers = next
  }
  return reached
}
