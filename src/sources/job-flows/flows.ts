import type { DerivedEdge } from '../../lineage/edges/edge-rows.ts'

/** What flows through a job: the resources it reads and writes, and the columns in between. As stored. */
export interface JobFlows {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** From, to, kind. */
  readonly columns: readonly (readonly [from: string, to: string, kind: DerivedEdge['kind']])[]
  /** Which input flows into which output, where that is known. Absent: every input into every output. */
  readonly pairs?: readonly (readonly [from: string, to: string])[]
}

export const NO_FLOWS: JobFlows = { inputs: [], outputs: [], columns: [] }

/** Merges the flows of two events, without duplicates and in a stable order. Pure, like all functions here. */
export const mergeFlows = (one: JobFlows, other: JobFlows): JobFlows => ({
  inputs: [...new Set([...one.inputs, ...other.inputs])].sort(),
  outputs: [...new Set([...one.outputs, ...other.outputs])].sort(),
  columns: [...new Map([...one.columns, ...other.columns].map((flow) => [flow.slice(0, 2).join(' '), flow])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, flow]) => flow),
})

/** Compared by field: the database returns the fields in another order. */
export const isSameFlows = (one: JobFlows, other: JobFlows): boolean =>
  one === other ||
  (['inputs', 'outputs', 'columns', 'pairs'] as const).every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))

export const hasNoFlows = ({ inputs, outputs, columns }: JobFlows): boolean => inputs.length + outputs.length + columns.length === 0

/** Edges from every input to every output. If one side is empty, the job itself takes its place. */
export const flowEdges = ({ inputs, outputs, columns, pairs }: JobFlows, job: string | undefined, length: number): DerivedEdge[] => {
  const span = { statement: 0, span_start: 0, span_end: length }
  const from = inputs.length > 0 ? inputs : job ? [job] : []
  const to = outputs.length > 0 ? outputs : job ? [job] : []
  const all =
    inputs.length + outputs.length === 0 ? [] : from.flatMap((upstream) => to.map((downstream) => [upstream, downstream] as const))
  const tables = (pairs ?? all).map(([upstream, downstream]) => ({ upstream, downstream, kind: 'table' as const }))
  return [
    ...tables.filter(({ upstream, downstream }) => upstream !== downstream),
    ...columns.map(([upstream, downstream, kind]) => ({ upstream, downstream, kind })),
  ].map((edge) => ({ ...edge, ...span }))
}

/** The resources whose upstream these flows define. */
export const findFlowTargets = ({ inputs, outputs }: JobFlows, job: string | undefined): string[] =>
  outputs.length > 0 ? [...outputs] : inputs.length > 0 && job ? [job] : []

/** The evidence of an edge, in place of a query. */
export const toFlowEvidence = (kind: 'job' | 'dataset', { namespace, name }: { namespace: string; name: string }): string =>
  `${kind} ${namespace} ${name}`
