import { hasNoFlows, type JobFlows, mergeFlows, NO_FLOWS } from '../job-flows/flows.ts'
import { ColumnNames } from './column-names.ts'
import type { Entities } from './entities.ts'
import { NAMED_BY_URN } from './entity-kinds.ts'
import { type ColumnName, type Flow, findFlows, findNamedColumns } from './flows.ts'
import type { ForeignResources } from './foreign-resources.ts'
import { columnKey, entityKey } from './items.ts'
import type { LossReport } from './losses.ts'
import { findProducts } from './relations.ts'

/** Lineage between resources, from that between URNs. Pure. */

/** The lineage that entities report, and what only it and data products name. */
export const readLineage = (entities: Entities) => {
  const columnNames = new ColumnNames(entities)
  const named = findNamedColumns(findFlows(entities, columnNames), columnNames)
  for (const urn of findProducts(entities).keys())
    if (NAMED_BY_URN.has(urn.split(':')[2] ?? '') && !named.has(urn)) named.set(urn, new Map())
  return { columnNames, named }
}

/** The keys of the items that a flow names. */
export const listFlowKeys = ({ urn, inputs, outputs, columns, others }: Flow): string[] => [
  ...[urn, ...inputs, ...outputs].map(entityKey),
  ...[...columns.map(({ from }) => from), ...others].map(({ dataset, path }) => columnKey(dataset, path)),
  ...columns.map(({ to }) => (typeof to === 'string' ? entityKey(to) : columnKey(to.dataset, to.path))),
]

export interface FlowEnds {
  readonly ids: ReadonlyMap<string, string>
  readonly foreign: Pick<ForeignResources, 'get' | 'column'>
  readonly losses: LossReport
}

export interface ResolvedFlow {
  readonly key: string
  readonly isJob: boolean
  /** The resource of another integration that the flow belongs to. */
  readonly other: string | undefined
  readonly owner: string
  readonly after: JobFlows
}

/** Without those of which no end is in the catalog, which are reported. */
export const resolveFlows = (flows: readonly Flow[], ends: FlowEnds): ResolvedFlow[] =>
  flows.flatMap((flow) => {
    const key = entityKey(flow.urn)
    const other = ends.foreign.get(flow.urn)
    const owner = other ?? ends.ids.get(key)
    if (!owner) {
      for (const end of [...flow.inputs, ...flow.outputs])
        ends.losses.add(`${flow.urn}: lineage with ${end}, because it is not in the catalog itself.`)
      return []
    }
    const after = resolveFlow(flow, ends)
    return hasNoFlows(after) ? [] : [{ key, isJob: flow.isJob, other, owner, after }]
  })

const resolveFlow = ({ urn, inputs, outputs, columns, others, loops }: Flow, { ids, foreign, losses }: FlowEnds): JobFlows => {
  for (const each of loops) losses.add(`${urn}: lineage of ${each} with itself.`)
  const entityId = (end: string): string[] => {
    const id = foreign.get(end) ?? ids.get(entityKey(end))
    if (!id) losses.add(`${urn}: lineage with ${end}, which is not in the catalog.`)
    return id ? [id] : []
  }
  const columnId = (column: ColumnName): string | undefined => foreign.column(column) ?? ids.get(columnKey(column.dataset, column.path))
  for (const other of others)
    if (!columnId(other)) losses.add(`${urn}: the column ${other.dataset} ${other.path.join('.')}, which is not in the catalog.`)
  const pairs = columns.flatMap(({ from, to, kind }) => {
    const upstream = columnId(from)
    const downstream = typeof to === 'string' ? (foreign.get(to) ?? ids.get(entityKey(to))) : columnId(to)
    if (upstream && downstream && upstream !== downstream) return [[upstream, downstream, kind] as const]
    const end = typeof to === 'string' ? to : `${to.dataset} ${to.path.join('.')}`
    const reason = upstream && downstream ? 'which is the same column' : 'one of which is not in the catalog'
    losses.add(`${urn}: column lineage from ${from.dataset} ${from.path.join('.')} to ${end}, ${reason}.`)
    return []
  })
  return mergeFlows({ inputs: inputs.flatMap(entityId), outputs: outputs.flatMap(entityId), columns: pairs }, NO_FLOWS)
}
