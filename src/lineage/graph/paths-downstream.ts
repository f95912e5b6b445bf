import type { Context } from '../../platform/context/context.ts'
import { findLinks } from '../edges/links.ts'

const MAX_DEPTH = 20
const MAX_STEPS = 200_000

/** One step of the data flow between two tables. */
export interface PathStep {
  readonly from: string
  readonly to: string
  /** Of `to`, counted from the nearest start. */
  readonly depth: number
}

/** Every step downstream of these resources, the nearest first. */
export const findStepsDownstream = async (ctx: Context, starts: readonly string[]): Promise<PathStep[]> => {
  const steps: PathStep[] = []
  const reached = new Set(starts)
  let nodes = [...reached]
  for (let depth = 1; depth <= MAX_DEPTH && nodes.length > 0 && steps.length < MAX_STEPS; depth += 1) {
    const links = await findLinks(ctx, nodes, { level: 'table', direction: 'down' })
    for (const { node, other } of links.slice(0, MAX_STEPS - steps.length)) steps.push({ from: node, to: other, depth })
    nodes = [...new Set(links.map(({ other }) => other))].filter((id) => !reached.has(id))
    for (const id of nodes) reached.add(id)
  }
  return steps
}
