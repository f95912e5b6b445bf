import { isObject } from '../../platform/core/json-value.ts'
import type { Aspect } from './change.ts'
import type { ColumnNames } from './column-names.ts'
import { type Entities, type Entity, getAspect, isRemoved, toStrings, toText } from './entities.ts'
import { NAMED_BY_URN } from './entity-kinds.ts'
import { parseFieldUrn } from './urn.ts'

/** A column of a dataset, by URN and path. */
export interface ColumnName {
  readonly dataset: string
  readonly path: readonly string[]
}

/** What flows into an entity, or through a job, by URN. */
export interface Flow {
  /** The entity that reports it. */
  readonly urn: string
  readonly isJob: boolean
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly columns: readonly { readonly from: ColumnName; readonly to: ColumnName | string; readonly kind: 'identity' | 'expression' }[]
  /** Columns that it names without saying what flows into or out of them. */
  readonly others: readonly ColumnName[]
  /** What it says flows into itself. */
  readonly loops: readonly string[]
}

/** The lineage that the entities report. Pure. */
export function* findFlows(entities: Entities, names: ColumnNames): Generator<Flow, void> {
  for (const entity of entities.values()) {
    const flow = isRemoved(entity) ? undefined : READERS.get(entity.type)?.(entity)
    const isEmpty = !flow || flow.inputs.length + flow.outputs.length + flow.columns.length + flow.others.length === 0
    if (!isEmpty) yield withSchemaNames(flow, names)
  }
}

/** With the columns as the schemas of their datasets write them. */
const withSchemaNames = (flow: Flow, names: ColumnNames): Flow => {
  const rename = (column: ColumnName): ColumnName => ({ ...column, path: names.resolve(column.dataset, column.path) })
  const columns = flow.columns.map(({ from, to, kind }) => ({ from: rename(from), to: typeof to === 'string' ? to : rename(to), kind }))
  return { ...flow, columns, others: flow.others.map(rename) }
}

/** A flow into an entity from the named datasets and from those of the columns. The entity itself is no input, even if its own columns flow into each other. */
const toFlowInto = ({ urn }: Entity, named: readonly string[], columns: Flow['columns'] = [], others: Flow['others'] = []): Flow => {
  const from = [...new Set([...named, ...columns.map(({ from }) => from.dataset)])].filter((input) => input !== urn)
  return {
    urn,
    isJob: false,
    inputs: from,
    outputs: from.length + columns.length > 0 ? [urn] : [],
    columns,
    others,
    loops: named.includes(urn) ? [urn] : [],
  }
}

const readDataset = (entity: Entity): Flow => {
  const { upstreams, fineGrainedLineages } = getAspect(entity, 'upstreamLineage')
  const columns = readColumnFlows(fineGrainedLineages, entity.urn)
  const named = Array.isArray(upstreams) ? upstreams.flatMap((each) => (isObject(each) ? (toText(each.dataset) ?? []) : [])) : []
  return toFlowInto(entity, [...named, ...findWholeEnds(fineGrainedLineages, 'upstreams')], columns, findOtherColumns(fineGrainedLineages))
}

const readChart = (entity: Entity): Flow => {
  const { inputs, inputEdges } = getAspect(entity, 'chartInfo')
  return toFlowInto(entity, [...toStrings(inputs), ...toStrings(inputEdges)], readInputFields(entity))
}

const readDashboard = (entity: Entity): Flow => {
  const { charts, chartEdges, datasets, datasetEdges, dashboards } = getAspect(entity, 'dashboardInfo')
  return toFlowInto(entity, [charts, chartEdges, datasets, datasetEdges, dashboards].flatMap(toStrings), readInputFields(entity))
}

/** What a metric is computed from: datasets, columns and other metrics. */
const readMetric = (entity: Entity): Flow => {
  const { datasetUpstreams, fieldUpstreams } = getAspect(entity, 'metricUpstreams')
  const { derivedFrom } = getAspect(entity, 'metricRelationships')
  const columns = toColumns(fieldUpstreams).map((from) => ({ from, to: entity.urn, kind: 'expression' as const }))
  return toFlowInto(entity, unique(datasetUpstreams, derivedFrom), columns)
}

/** The datasets of a semantic model, listed by URN or as objects with a source and fields. */
const readSemanticModel = (entity: Entity): Flow => {
  const { datasets } = getAspect(entity, 'semanticModelInfo')
  const sources = Array.isArray(datasets) ? datasets.map((each) => (isObject(each) ? (each.source ?? each) : each)) : []
  return toFlowInto(entity, unique(sources))
}

const readInputFields = (entity: Entity): Flow['columns'] => {
  const { fields } = getAspect(entity, 'inputFields')
  if (!Array.isArray(fields)) return []
  return fields.flatMap((field) => {
    const from = isObject(field) && typeof field.schemaFieldUrn === 'string' ? parseFieldUrn(field.schemaFieldUrn) : undefined
    return from && from.dataset !== entity.urn ? [{ from, to: entity.urn, kind: 'expression' as const }] : []
  })
}

const readJob = (entity: Entity): Flow => {
  const io = getAspect(entity, 'dataJobInputOutput')
  const { inputDatasets, inputDatasetEdges, outputDatasets, outputDatasetEdges, inputDatajobs, inputDatajobEdges } = io
  const columns = readColumnFlows(io.fineGrainedLineages)
  const inputs = unique(
    unique(inputDatasets, inputDatasetEdges, inputDatajobs, inputDatajobEdges),
    findWholeEnds(io.fineGrainedLineages, 'upstreams'),
    findColumnEnds(io.fineGrainedLineages, 'upstreams'),
    datasetsOf(io.inputDatasetFields),
  )
  const outputs = unique(
    outputDatasets,
    outputDatasetEdges,
    findWholeEnds(io.fineGrainedLineages, 'downstreams'),
    findColumnEnds(io.fineGrainedLineages, 'downstreams'),
    datasetsOf(io.outputDatasetFields),
  )
  return {
    ...throughJob(entity, inputs, outputs),
    columns,
    others: [...findOtherColumns(io.fineGrainedLineages), ...toColumns(io.inputDatasetFields), ...toColumns(io.outputDatasetFields)],
  }
}

/** What a run read and wrote. */
const readRun = (entity: Entity): Flow => {
  const { inputs, inputEdges } = getAspect(entity, 'dataProcessInstanceInput')
  const { outputs, outputEdges } = getAspect(entity, 'dataProcessInstanceOutput')
  return throughJob(entity, unique(inputs, inputEdges), unique(outputs, outputEdges))
}

const throughJob = ({ urn }: Entity, inputs: readonly string[], outputs: readonly string[]): Flow => ({
  ...{ urn, isJob: true, columns: [], others: [] },
  inputs: inputs.filter((input) => input !== urn),
  outputs: outputs.filter((output) => output !== urn),
  loops: [...inputs, ...outputs].includes(urn) ? [urn] : inputs.filter((input) => outputs.includes(input)),
})

const unique = (...lists: unknown[]): string[] => [...new Set(lists.flatMap(toStrings))]

const toColumns = (fields: unknown): ColumnName[] => toStrings(fields).flatMap((urn) => parseFieldUrn(urn) ?? [])
const datasetsOf = (fields: unknown): string[] => toColumns(fields).map(({ dataset }) => dataset)

/** Columns of which only one end is known, e.g. computed ones. */
const findOtherColumns = (lineages: Aspect): ColumnName[] =>
  Array.isArray(lineages)
    ? lineages.filter(isObject).flatMap(({ upstreams, downstreams }) => {
        const ends = [toColumns(upstreams), toColumns(downstreams)]
        return ends.some((end) => end.length === 0) ? ends.flat() : []
      })
    : []

/** Fine-grained lineage may name whole datasets, or what has no columns here. */
const findWholeEnds = (lineages: Aspect, side: 'upstreams' | 'downstreams'): string[] =>
  Array.isArray(lineages) ? lineages.filter(isObject).flatMap((each) => toStrings(each[side]).filter((urn) => !parseFieldUrn(urn))) : []

/** The datasets of the columns, also where only one end is known. */
const findColumnEnds = (lineages: Aspect, side: 'upstreams' | 'downstreams'): string[] =>
  Array.isArray(lineages) ? lineages.filter(isObject).flatMap((each) => datasetsOf(each[side])) : []

/** Column flows of one entity. */
const MAX_COLUMN_FLOWS = 100_000

/** Without a downstream column, the columns flow into the dataset as a whole. */
const readColumnFlows = (lineages: Aspect, dataset?: string): Flow['columns'] => {
  if (!Array.isArray(lineages)) return []
  let left = MAX_COLUMN_FLOWS
  return lineages.flatMap((each): Flow['columns'][number][] => {
    if (!isObject(each) || left === 0) return []
    const from = toStrings(each.upstreams).flatMap((urn) => parseFieldUrn(urn) ?? [])
    const downstreams = toStrings(each.downstreams)
    const to = downstreams.map((urn): ColumnName | string => parseFieldUrn(urn) ?? urn)
    const ends = to.length > 0 ? to : dataset ? [dataset] : []
    const kind = from.length === 1 && /identity|copy/i.test(toText(each.transformOperation) ?? '') ? 'identity' : 'expression'
    // Every column flows into every end, so a few hundred kilobytes of names could become billions of pairs.
    const some = ends.slice(0, Math.ceil(left / Math.max(1, from.length)))
    const flows = some.flatMap((end) => from.slice(0, left).map((column): Flow['columns'][number] => ({ from: column, to: end, kind })))
    left -= Math.min(left, flows.length)
    return flows
  })
}

const READERS: ReadonlyMap<string, (entity: Entity) => Flow> = new Map([
  ['dataset', readDataset],
  ['chart', readChart],
  ['dashboard', readDashboard],
  ['dataJob', readJob],
  ['dataProcessInstance', readRun],
  ['metric', readMetric],
  ['semanticModel', readSemanticModel],
])

/** The datasets that the flows name, with the columns that are missing in their schemas: datasets and columns that no event describes become items too. */
export const findNamedColumns = (flows: Iterable<Flow>, names: ColumnNames): Map<string, ReadonlyMap<string, readonly string[]>> => {
  const named = new Map<string, Map<string, readonly string[]>>()
  const add = (dataset: string, path: readonly string[] = []) => {
    if (!named.has(dataset)) named.set(dataset, NO_COLUMNS)
    if (path.length === 0 || names.has(dataset, path)) return
    if (named.get(dataset) === NO_COLUMNS) named.set(dataset, new Map())
    named.get(dataset)!.set(path.join('\0'), path)
  }
  for (const { inputs, outputs, columns, others } of flows) {
    for (const { dataset, path } of others) add(dataset, path)
    for (const urn of [...inputs, ...outputs]) if (NAMED_BY_URN.has(urn.split(':')[2] ?? '')) add(urn)
    for (const { from, to } of columns) {
      add(from.dataset, from.path)
      if (typeof to !== 'string') add(to.dataset, to.path)
    }
  }
  return named
}

const NO_COLUMNS = new Map<string, readonly string[]>()
