import { type JobFlows, mergeFlows, NO_FLOWS } from '../job-flows/flows.ts'
import type { CheckTargets } from './checks.ts'
import type { Dataset, Event } from './event.ts'
import type { EventDatasets } from './event-datasets.ts'
import type { EventFlows } from './event-flows.ts'
import { datasetKey, jobKey, parseDatasetName, runKey } from './names.ts'
import { datasetName, type ResolvedDatasets } from './resolve-datasets.ts'

type DatasetName = Pick<Dataset, 'namespace' | 'name'>

type IdsByKey = Pick<ReadonlyMap<string, string>, 'get'>

/** The resources of what events name: those of another source, else those of the events. */
export interface ResourceIds extends CheckTargets {
  /** Of the written items, and of those that are known. */
  readonly byKey: IdsByKey
  table(dataset: DatasetName): string | undefined
  column(dataset: DatasetName, name: string): string | undefined
}

export const toIds = (resolved: ResolvedDatasets, byKey: IdsByKey): ResourceIds => ({
  byKey,
  table: (dataset) =>
    resolved.tables.get(datasetName(dataset))?.id ?? byKey.get(datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts)),
  column: (dataset, field) => {
    const table = resolved.tables.get(datasetName(dataset))
    return table ? resolved.column(table, field)?.id : byKey.get(datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts, field))
  },
})

/** The flows of each event. `flowsOf` has those that are known; the others are added to it. */
export const toEventFlows = (
  events: readonly Event[],
  datasetsOf: ReadonlyMap<Event, EventDatasets>,
  flowsOf: Map<EventDatasets, JobFlows>,
  ids: ResourceIds,
): EventFlows[] =>
  events.flatMap((event) => {
    const datasets = datasetsOf.get(event)!
    const flows = flowsOf.get(datasets) ?? toFlows(datasets, ids)
    flowsOf.set(datasets, flows)
    const job = event.kind === 'dataset' ? undefined : ids.byKey.get(jobKey(event.job))
    const run = event.kind === 'run' ? ids.byKey.get(runKey(event.run.id)) : undefined
    const owner = job ?? ids.table(datasets.outputs[0]!)
    return owner ? [{ event, owner, job, run, flows }] : []
  })

const toFlows = ({ inputs, outputs, columnFlows }: EventDatasets, ids: ResourceIds): JobFlows => {
  const tables = (datasets: readonly Dataset[]) => datasets.flatMap((dataset) => ids.table(dataset) ?? [])
  const columns = columnFlows.flatMap(({ from, to, kind, output }) => {
    const [upstream, downstream] = [ids.column(from, from.field), to === null ? ids.table(output) : ids.column(output, to)]
    return upstream && downstream && upstream !== downstream ? [[upstream, downstream, kind] as const] : []
  })
  return mergeFlows({ inputs: tables(inputs), outputs: tables(outputs), columns }, NO_FLOWS)
}
