import { type Entities, type Entity, getAspect, toStrings, toText } from './entities.ts'
import { getUrnParts } from './urn.ts'

/** Which entities and aspects of DataHub have a place in the catalog. Pure. */

export const ENTITY_TYPES: ReadonlyMap<string, string> = new Map([
  ['dataset', 'table'],
  ['chart', 'chart'],
  ['dashboard', 'dashboard'],
  ['dataFlow', 'job_group'],
  ['dataJob', 'job'],
  ['dataProcessInstance', 'run'],
  ['query', 'query'],
  ['metric', 'query'],
  ['semanticModel', 'query'],
  ['glossaryNode', 'glossary'],
  ['glossaryTerm', 'glossary'],
  ['assertion', 'test'],
  ['domain', 'collection'],
  ['dataProduct', 'collection'],
  ['document', 'document'],
])

/** Entities that only matter to DataHub itself. */
export const OWN_OF_DATAHUB: ReadonlySet<string> = new Set([
  ...['platformResource', 'versionSet', 'dataHubIngestionSource', 'dataHubExecutionRequest', 'telemetry', 'dataHubUpgrade'],
])

/** Entities that others refer to, or that only matter to DataHub itself. */
export const NO_ITEMS: ReadonlySet<string> = new Set([
  ...['corpuser', 'corpGroup', 'tag', 'schemaField', 'dataPlatform', 'dataPlatformInstance', 'ownershipType', ...OWN_OF_DATAHUB],
])

/** Entities whose URN contains a name: what only others mention is added. */
export const NAMED_BY_URN: ReadonlySet<string> = new Set([
  ...['dataset', 'chart', 'dashboard', 'dataFlow', 'dataJob', 'glossaryTerm', 'domain', 'dataProduct', 'metric', 'semanticModel'],
])

/** Entities with columns of their own: charts and dashboards report those that they compute. */
const WITH_COLUMNS: ReadonlySet<string> = new Set(['dataset', 'chart', 'dashboard'])

export const hasColumns = (urn: string): boolean => WITH_COLUMNS.has(urn.split(':')[2] ?? '')

/** Databases and schemas for containers of datasets; groups for those of dashboards. */
export const getContainerType = (entity: Entity, entities: Entities): string => {
  const subType = toStrings(getAspect(entity, 'subTypes').typeNames)[0] ?? ''
  if (/schema|namespace|dataset|keyspace/i.test(subType)) return 'schema'
  if (/database|catalog|server|instance|cluster|bucket|metastore/i.test(subType)) return 'database'
  // Tools for dashboards and stores of files both have folders, and BigQuery has projects.
  const platform = getContainerPlatform(entity)
  const isAmbiguous = /^(?:project|folder)$/i.test(subType)
  if (isAmbiguous ? !isOfStore(platform, subType) : GROUP_TYPE.test(subType)) return 'dashboard_group'
  const parent = toText(getAspect(entity, 'container').container)
  return parent && entities.has(parent) ? 'schema' : 'database'
}

const GROUP_TYPE = /workspace|folder|site|collection|space|project|app|report|workbook|dashboard|model/i

/** Platforms of files and tables, whose folders contain tables. */
const STORES = new Set([
  's3',
  'gcs',
  'abs',
  'adls',
  'hdfs',
  'file',
  'delta-lake',
  'hudi',
  'iceberg',
  'glue',
  'dremio',
  'excel',
  'csv',
  'snowflake',
])
const DASHBOARD_PLATFORMS =
  /^(?:tableau|looker|powerbi|metabase|superset|preset|mode|sigma|grafana|redash|qlik.*|hex|thoughtspot|sac|omni|quicksight)$/

const isOfStore = (platform: string | undefined, subType: string): boolean =>
  /project/i.test(subType) ? !DASHBOARD_PLATFORMS.test(platform ?? '') : STORES.has(platform ?? '')

const getContainerPlatform = (entity: Entity): string | undefined => {
  const urn = toText(getAspect(entity, 'dataPlatformInstance').platform)
  return urn ? getUrnParts(urn)[0] : toText(getAspect(entity, 'containerProperties').customProperties?.platform)
}
