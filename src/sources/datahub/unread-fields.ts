import { isObject } from '../../platform/core/json-value.ts'

/** Which fields of aspects have a place in the catalog, and what the others say. Pure. */

/** `read`: shown in a field, an edge or a fact of its own, or a repetition of what another one says. `name`: says what the other fields are about. */
type Reading = 'read' | 'name' | Shape
/** By field; `*` stands for all others. In a list, for each member. */
interface Shape {
  readonly [field: string]: Reading
}

const readEach = (names: string, more: Shape = {}): Shape => ({
  ...Object.fromEntries(names.split(' ').map((name) => [name, 'read' as const])),
  ...more,
})

const ALL: Shape = { '*': 'read' }
const EDGES: Shape = { destinationUrn: 'name' }
const COLUMN_LINEAGE: Shape = { upstreamType: 'read', downstreamType: 'read', upstreams: 'name', downstreams: 'name' }
const TAGS: Shape = { tags: { tag: 'name' } }
const TERMS: Shape = { terms: { urn: 'name' } }

/** The aspects that are read. Those that are not are kept as they are. */
const SHAPES: ReadonlyMap<string, Shape> = new Map(
  Object.entries<Shape>({
    status: readEach('removed'),
    container: readEach('container'),
    subTypes: readEach('typeNames'),
    dataPlatformInstance: readEach('platform instance'),
    browsePaths: readEach('paths'),
    browsePathsV2: readEach('path'),
    ownership: { ownerTypes: 'read', owners: { owner: 'name', type: 'read', typeUrn: 'read' } },
    globalTags: TAGS,
    glossaryTerms: TERMS,
    domains: readEach('domains'),
    domainProperties: readEach('name description externalUrl customProperties parentDomain'),
    dataProductProperties: readEach('name description externalUrl customProperties', { assets: EDGES }),
    datasetProperties: readEach('name description externalUrl customProperties qualifiedName uri tags'),
    editableDatasetProperties: readEach('name description'),
    schemaMetadata: readEach('platform fields primaryKeys foreignKeys schemaName'),
    editableSchemaMetadata: readEach('editableSchemaFieldInfo'),
    upstreamLineage: { upstreams: { dataset: 'name', type: 'read' }, fineGrainedLineages: COLUMN_LINEAGE },
    viewProperties: readEach('materialized viewLogic'),
    datasetProfile: ALL,
    datasetUsageStatistics: readEach('totalSqlQueries topSqlQueries', {
      userCounts: readEach('user userEmail count'),
      fieldCounts: readEach('fieldPath count'),
    }),
    operation: readEach('operationType customOperationType numAffectedRows affectedDatasets actor lastUpdatedTimestamp'),
    institutionalMemory: { elements: { url: 'name', description: 'read' } },
    containerProperties: ALL,
    editableContainerProperties: readEach('description'),
    chartInfo: { ...ALL, inputEdges: EDGES },
    editableChartProperties: readEach('description'),
    inputFields: { fields: { schemaFieldUrn: 'name', schemaField: 'read' } },
    dashboardInfo: { ...ALL, chartEdges: EDGES, datasetEdges: EDGES, dashboards: EDGES },
    editableDashboardProperties: readEach('description'),
    dataFlowInfo: ALL,
    editableDataFlowProperties: readEach('description'),
    dataJobInfo: ALL,
    editableDataJobProperties: readEach('description'),
    dataJobInputOutput: {
      ...readEach('inputDatasets outputDatasets inputDatajobs inputDatasetFields outputDatasetFields'),
      ...{ inputDatasetEdges: EDGES, outputDatasetEdges: EDGES, inputDatajobEdges: EDGES, fineGrainedLineages: COLUMN_LINEAGE },
    },
    dataProcessInstanceProperties: readEach('name type externalUrl customProperties'),
    dataProcessInstanceRelationships: readEach('parentTemplate upstreamInstances'),
    dataProcessInstanceRunEvent: readEach('status durationMillis', { result: readEach('type') }),
    dataProcessInstanceInput: readEach('inputs', { inputEdges: EDGES }),
    dataProcessInstanceOutput: readEach('outputs', { outputEdges: EDGES }),
    queryProperties: readEach('name description source customProperties', { statement: readEach('value') }),
    querySubjects: { subjects: { entity: 'name' } },
    queryUsageStatistics: readEach('queryCount'),
    metricInfo: readEach('name description externalUrl customProperties'),
    metricUpstreams: { datasetUpstreams: EDGES, fieldUpstreams: EDGES },
    metricRelationships: { derivedFrom: EDGES },
    semanticModelInfo: readEach('name description externalUrl customProperties'),
    glossaryNodeInfo: readEach('name definition parentNode sourceRef sourceUrl customProperties'),
    glossaryTermInfo: readEach('name definition parentNode sourceRef sourceUrl customProperties'),
    assertionInfo: ALL,
    assertionRunEvent: readEach('status assertionUrn asserteeUrn runId', { result: readEach('type nativeResults') }),
    deprecation: ALL,
    datasetDeprecation: ALL,
    chartUsageStatistics: readEach('viewsCount', { userCounts: readEach('user userEmail viewsCount') }),
    dashboardUsageStatistics: readEach('viewsCount', { userCounts: { user: 'name', userEmail: 'read', viewsCount: 'read' } }),
    documentation: readEach('documentations'),
    documentInfo: readEach('title externalUrl customProperties', {
      ...{ contents: readEach('text'), status: readEach('state'), parentDocument: readEach('document') },
    }),
    // The parts of URNs.
    datasetKey: readEach('platform name origin'),
    containerKey: readEach('guid'),
    chartKey: readEach('dashboardTool chartId'),
    dashboardKey: readEach('dashboardTool dashboardId'),
    dataFlowKey: readEach('orchestrator flowId cluster'),
    dataJobKey: readEach('flow jobId'),
    dataProcessInstanceKey: readEach('id'),
    queryKey: readEach('id'),
    metricKey: readEach('platform path id'),
    semanticModelKey: readEach('platform path id'),
    assertionKey: readEach('assertionId'),
    dataPlatformKey: readEach('platformName'),
    glossaryTermKey: readEach('name'),
    glossaryNodeKey: readEach('name'),
    domainKey: readEach('id'),
    dataProductKey: readEach('id'),
    documentKey: readEach('id'),
    schemaFieldKey: readEach('parent fieldPath'),
  }),
)

/** What is read of a field of a schema, and of what people wrote about one. */
const FIELD: Shape = readEach('fieldPath type nativeDataType nullable description label isPartOfKey isPartitioningKey', {
  globalTags: TAGS,
  glossaryTerms: TERMS,
})

/** Who wrote an aspect when, and how DataHub versions and measures it. It changes with every run. */
const BOOKKEEPING = new Set([
  ...['auditStamp', 'created', 'lastModified', 'deleted', 'createStamp', 'updateStamp', 'timestampMillis', 'messageId', 'eventGranularity'],
  ...['hash', 'version', 'documentSchemaHash', 'keySchemaHash', 'sourceUrn'],
])

const WITH_COLUMNS = new Set(['dataset', 'chart', 'dashboard'])
/** Aspects that are read only for these types of entities, although others may have them, e.g. a glossary term with a schema. */
const READ_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['schemaMetadata', WITH_COLUMNS],
  ['editableSchemaMetadata', WITH_COLUMNS],
])

/** What an aspect says beyond what is read of it: all of it if nothing is. */
export const getUnread = (aspect: string, value: unknown, type: string): unknown => {
  const shape = SHAPES.get(aspect)
  return shape && (READ_OF.get(aspect)?.has(type) ?? true) ? pickUnread(value, shape) : value
}

export const getUnreadOfField = (field: Record<string, unknown>): unknown => pickUnread(field, FIELD)

const pickUnread = (value: unknown, shape: Shape): unknown => {
  if (Array.isArray(value)) {
    const unread = value.flatMap((each) => pickUnread(each, shape) ?? [])
    return unread.length > 0 ? unread : undefined
  }
  if (!isObject(value)) return undefined
  const names: [string, unknown][] = []
  const unread: [string, unknown][] = []
  for (const [field, each] of Object.entries(value)) {
    const reading = Object.hasOwn(shape, field) ? shape[field]! : (shape['*'] ?? 'unread')
    if (reading === 'name') names.push([field, each])
    else if (typeof reading === 'object') {
      const nested = pickUnread(each, reading)
      if (nested !== undefined) unread.push([field, nested])
    } else if (reading === 'unread' && !BOOKKEEPING.has(field) && saysSomething(each, field)) unread.push([field, each])
  }
  return unread.length > 0 ? Object.fromEntries([...names, ...unread]) : undefined
}

const saysSomething = (value: unknown, field: string): boolean => {
  if (value === null || value === undefined || value === '' || value === false || value === 0) return false
  if (field === 'confidenceScore') return value !== 1
  if (field === 'partitionSpec') return isObject(value) && value.type === 'PARTITION'
  return typeof value !== 'object' || Object.entries(value).some(([name, each]) => !BOOKKEEPING.has(name) && saysSomething(each, name))
}
