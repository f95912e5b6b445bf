import { type Direction, findLinks } from '../../lineage/edges/links.ts'
import type { Context } from '../../platform/context/context.ts'

const MAX_DEPTH = 6
const MAX_PER_TABLE = 200
const MAX_NEIGHBOURS = 100

/** Tables upstream or downstream of each of these tables, nearest first, limited in depth and number. One statement per level. */
export const findReachableTables = async (
  ctx: Context,
  tables: readonly string[],
  direction: Direction,
): Promise<Map<string, Set<string>>> => {
  const reachable = new Map(tables.map((table) => [table, new Set<string>()]))
  let frontiers = new Map(tables.map((table) => [table, [table]]))
  for (let step = 0; step < MAX_DEPTH && frontiers.size > 0; step += 1) {
    const nodes = [...new Set([...frontiers.values()].flat())]
    const links = Map.groupBy(await findLinks(ctx, nodes, { level: 'table', direction, limit: MAX_NEIGHBOURS }), ({ node }) => node)
    const next = new Map<string, string[]>()
    for (const [table, frontier] of frontiers) {
      const seen = reachable.get(table)!
      const fresh: string[] = []
      for (const { other } of frontier.flatMap((node) => links.get(node) ?? []))
        if (!seen.has(other) && seen.size < MAX_PER_TABLE) {
          seen.add(other)
          fresh.push(other)
        }
      if (fresh.length > 0) next.set(table, fresh)
    }
    frontiers = next
  }
  return reachable
}
