import { type Entities, type Entity, getAspect, toStrings, toText } from './entities.ts'

/** Which entities and aspects of DataHub have a place in the catalog. Pure. */

export const ENTITY_TYPES: ReadonlyMap<string, string> = new Map([
  ['dataset', 'table'],
  ['chart', 'chart'],
  ['dashboard', 'dashboard'],
  ['dataFlow', 'job_group'],
  ['dataJob', 'job'],
  ['dataProcessInstance', 'run'],
  ['query', 'query'],
  ['glossaryNode', 'glossary'],
  ['glossaryTerm', 'glossary'],
  ['assertion', 'test'],
  ['domain', 'collection'],
  ['dataProduct', 'collection'],
])

/** Entities that others refer to, or that only matter to DataHub itself. */
export const NO_ITEMS: ReadonlySet<string> = new Set([
  ...['corpuser', 'corpGroup', 'tag', 'schemaField', 'dataPlatform', 'dataPlatformInstance', 'ownershipType', 'platformResource'],
  ...['versionSet', 'dataHubIngestionSource', 'dataHubExecutionRequest', 'telemetry', 'dataHubUpgrade'],
])

/** Entities whose URN contains a name: what only others mention is added. */
export const NAMED_BY_URN: ReadonlySet<string> = new Set([
  ...['dataset', 'chart', 'dashboard', 'dataFlow', 'dataJob', 'glossaryTerm', 'domain', 'dataProduct'],
])

/** Aspects that are shown in fields of their own, or that repeat what others say. */
export const READ_ASPECTS: ReadonlySet<string> = new Set([
  ...['status', 'container', 'subTypes', 'dataPlatformInstance', 'browsePaths', 'browsePathsV2', 'ownership', 'globalTags'],
  ...['glossaryTerms', 'domains', 'domainProperties', 'domainKey', 'dataProductProperties', 'dataProductKey'],
  ...['datasetProperties', 'editableDatasetProperties', 'schemaMetadata', 'editableSchemaMetadata', 'upstreamLineage', 'viewProperties'],
  ...['datasetKey', 'datasetProfile', 'datasetUsageStatistics', 'operation', 'institutionalMemory', 'containerProperties', 'containerKey'],
  ...['editableContainerProperties', 'chartInfo', 'chartKey', 'editableChartProperties', 'inputFields', 'dashboardInfo', 'dashboardKey'],
  ...['editableDashboardProperties', 'dataFlowInfo', 'dataFlowKey', 'editableDataFlowProperties', 'dataJobInfo', 'dataJobKey'],
  ...['editableDataJobProperties', 'dataJobInputOutput', 'dataProcessInstanceProperties', 'dataProcessInstanceRelationships'],
  ...['dataProcessInstanceRunEvent', 'dataProcessInstanceInput', 'dataProcessInstanceOutput', 'dataProcessInstanceKey'],
  ...['queryProperties', 'querySubjects', 'queryUsageStatistics', 'queryKey', 'glossaryNodeInfo', 'glossaryTermInfo'],
  ...['assertionInfo', 'assertionRunEvent', 'assertionKey', 'dataPlatformKey', 'glossaryTermKey', 'glossaryNodeKey'],
  ...['deprecation', 'datasetDeprecation', 'chartUsageStatistics', 'dashboardUsageStatistics', 'schemaFieldKey', 'documentation'],
])

/** Databases and schemas for containers of datasets; groups for those of dashboards. */
export const getContainerType = (entity: Entity, entities: Entities): string => {
  const subType = toStrings(getAspect(entity, 'subTypes').typeNames)[0] ?? ''
  if (/schema|namespace|dataset|keyspace/i.test(subType)) return 'schema'
  if (/database|catalog|server|instance|cluster|bucket|metastore/i.test(subType)) return 'database'
  if (/workspace|folder|site|collection|space|project|app|report|workbook|dashboard|model/i.test(subType) && subType !== 'Project')
    return 'dashboard_group'
  const parent = toText(getAspect(entity, 'container').container)
  return parent && entities.has(parent) ? 'schema' : 'database'
}
