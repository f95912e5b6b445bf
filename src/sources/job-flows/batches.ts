import type { JobFlows } from './flows.ts'

const MAX_FLOWS = 200
const MAX_EDGES = 5_000

/** Splits flows into what one transaction saves. Pure. */
export const toBatches = <T>(all: readonly T[], toFlows: (each: T) => JobFlows): T[][] => {
  const batches: T[][] = []
  let edges = MAX_EDGES
  for (const each of all) {
    const last = batches.at(-1)
    if (last && last.length < MAX_FLOWS && edges < MAX_EDGES) last.push(each)
    else {
      batches.push([each])
      edges = 0
    }
    const { inputs, outputs, columns } = toFlows(each)
    edges += inputs.length * Math.max(1, outputs.length) + columns.length
  }
  return batches
}
