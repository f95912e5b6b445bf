import { type ColumnFlow, findImpliedInputs, parseColumnFlows } from './column-lineage.ts'
import type { Dataset, Event, Facets } from './event.ts'
import { isDropped } from './facets.ts'
import { datasetName } from './resolve-datasets.ts'

/** The datasets of an event, with what depends on nothing else. Pure. */
export interface EventDatasets {
  /** All of the following, as JSON. */
  readonly text: string
  /** Includes datasets that are only named in column lineage. */
  readonly inputs: readonly Dataset[]
  readonly outputs: readonly Dataset[]
  readonly all: readonly Dataset[]
  /** By name: a run may read and write the same dataset. */
  readonly uses: ReadonlyMap<string, readonly Dataset[]>
  /** Outputs that the run dropped. They are in none of the lists above. */
  readonly dropped: readonly Dataset[]
  readonly columnFlows: readonly (ColumnFlow & { readonly output: Dataset })[]
  /** Columns named in column lineage, by dataset. */
  readonly namedFields: ReadonlyMap<string, ReadonlySet<string>>
}

/** Facets about the run rather than the dataset: they are different every time, and read from the event itself. */
const RUN_FACETS = ['outputStatistics', 'dataQualityAssertions']

const omitRunFacets = (facets: Facets): Facets =>
  RUN_FACETS.some((name) => name in facets)
    ? Object.fromEntries(Object.entries(facets).filter(([name]) => !RUN_FACETS.includes(name)))
    : facets

const describeDatasets = (datasets: readonly Dataset[]): Dataset[] =>
  datasets.map((dataset) => ({ ...dataset, facets: omitRunFacets(dataset.facets), use: omitRunFacets(dataset.use) }))

/** The datasets of each event. Runs of a job mostly report the same ones: equal datasets are one object, which is computed once. */
export const collectDatasets = (events: readonly Event[]): ReadonlyMap<Event, EventDatasets> => {
  const known = new Map<string, EventDatasets>()
  return new Map(
    events.map((event) => {
      const described = { ...event, inputs: describeDatasets(event.inputs), outputs: describeDatasets(event.outputs) }
      const text = JSON.stringify([event.kind === 'dataset', described.inputs, described.outputs])
      const datasets = known.get(text) ?? toEventDatasets(described, text)
      known.set(text, datasets)
      return [event, datasets]
    }),
  )
}

const toEventDatasets = (event: Event, text: string): EventDatasets => {
  const dropped = event.outputs.filter((output) => event.kind !== 'dataset' && isDropped(output))
  const outputs = event.outputs.filter((output) => !dropped.includes(output))
  const columnFlows = outputs.flatMap((output) => parseColumnFlows(output.facets).map((flow) => ({ ...flow, output })))
  const inputs = [...event.inputs, ...findMentionedDatasets(event.inputs, outputs)]
  const all = [...inputs, ...outputs]
  const uses = Map.groupBy(all, datasetName)
  return { text, inputs, outputs, all, uses, dropped, columnFlows, namedFields: findNamedFields(columnFlows) }
}

/** Datasets named only in column lineage are inputs as well. */
const findMentionedDatasets = (inputs: readonly Dataset[], outputs: readonly Dataset[]): Dataset[] => {
  const named = new Set([...inputs, ...outputs].map(datasetName))
  const found = new Map<string, Dataset>()
  for (const output of outputs)
    for (const { namespace, name } of findImpliedInputs(output)) {
      const dataset = { namespace, name, facets: {}, use: {} }
      if (!named.has(datasetName(dataset))) found.set(datasetName(dataset), dataset)
    }
  return [...found.values()]
}

const findNamedFields = (columnFlows: EventDatasets['columnFlows']): Map<string, Set<string>> => {
  const named = new Map<string, Set<string>>()
  const add = (dataset: Pick<Dataset, 'namespace' | 'name'>, field: string) => {
    const key = datasetName(dataset)
    if (!named.has(key)) named.set(key, new Set())
    named.get(key)!.add(field)
  }
  for (const { from, to, output } of columnFlows) {
    add(from, from.field)
    if (to !== null) add(output, to)
  }
  return named
}
