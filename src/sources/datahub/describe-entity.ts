import { MAX_REASON_LENGTH } from '../../catalog/records/deprecation.ts'
import { MAX_INTEGER } from '../../platform/core/integer.ts'
import { isObject, omitEmpty, toCount } from '../../platform/core/json-value.ts'
import { dialectNames } from '../../sql/text/dialects.ts'
import type { Item } from '../sync/item.ts'
import type { Aspect } from './change.ts'
import { type Entity, getAspect, toStrings, toText, toTime } from './entities.ts'
import { readDocumentations } from './fields.ts'
import { withoutValues } from './profile.ts'
import { getPlatform, getUrnParts, parseFieldUrn, splitDatasetName } from './urn.ts'

/** What an entity says about itself, by its type. Pure. */
export interface Description extends Omit<Item, 'key' | 'parent' | 'entity_type' | 'fields'> {
  readonly title: string
  readonly description?: string
  /** The text of a document. */
  readonly definition?: string
  readonly url?: string
  readonly native_type?: string
  /** Values of the entity that are not stored, for the loss report. */
  readonly losses?: readonly string[]
}

const describeDataset = (entity: Entity): Description => {
  const properties = getAspect(entity, 'datasetProperties')
  const edited = getAspect(entity, 'editableDatasetProperties')
  const view = getAspect(entity, 'viewProperties')
  const profile = getAspect(entity, 'datasetProfile')
  const usage = getAspect(entity, 'datasetUsageStatistics')
  const operation = getAspect(entity, 'operation')
  const schema = getAspect(entity, 'schemaMetadata')
  const sql = toText(view.viewLogic)
  const platform = getPlatform(entity.urn)
  // The newest partition says nothing about the whole table.
  const isOfPartition = profile.partitionSpec?.type === 'PARTITION'
  const hasLineage = entity.aspects.has('upstreamLineage')
  const dialect = platform && dialectNames.includes(platform) ? platform : undefined
  const updated = toTime(operation.lastUpdatedTimestamp) ?? toTime(properties.lastModified?.time)
  return {
    title: toText(edited.name) ?? toText(properties.name) ?? splitDatasetName(entity.urn).at(-1)!,
    description: toText(edited.description) ?? toText(properties.description),
    url: toText(properties.externalUrl),
    native_type: sql ? 'view' : undefined,
    facts: {
      environment: getUrnParts(entity.urn)[2],
      qualified_name: toText(properties.qualifiedName),
      custom_properties: properties.customProperties,
      view_definition: sql,
      materialized: sql ? view.materialized : undefined,
      primary_keys: toStrings(schema.primaryKeys),
      foreign_keys: readForeignKeys(schema.foreignKeys),
      profile: Object.keys(profile).length > 0 ? withoutValues(profile) : undefined,
      top_queries: toStrings(usage.topSqlQueries),
      users: readUsers(usage),
      used_fields: readUsedFields(usage),
      last_operation: readOperation(operation),
      name_in_source: toText(edited.name) ? toText(properties.name) : undefined,
      description_in_source: toText(edited.description) ? toText(properties.description) : undefined,
      created_at: toTime(properties.created?.time),
      property_tags: toStrings(properties.tags),
      uri: toText(properties.uri),
    },
    reported: {
      ...(toCount(profile.rowCount) !== undefined && !isOfPartition ? { row_count: profile.rowCount } : {}),
      ...(toCount(profile.sizeInBytes) !== undefined && !isOfPartition ? { byte_size: profile.sizeInBytes } : {}),
      ...(toCount(usage.totalSqlQueries) !== undefined ? { external_usage: Math.min(usage.totalSqlQueries, MAX_INTEGER) } : {}),
      ...(updated ? { external_updated_at: updated } : {}),
    },
    losses: describeTruncatedLists('datasetUsageStatistics', { userCounts: usage.userCounts, fieldCounts: usage.fieldCounts }),
    // What DataHub read from the query is in its own lineage.
    ...(sql && dialect && !hasLineage ? { made_by: { sql, dialect } } : {}),
  }
}

const MAX_LISTED = 100

const readOperation = ({ operationType, customOperationType, numAffectedRows, affectedDatasets, actor }: Record<string, Aspect>): unknown =>
  omitEmpty({ type: toText(customOperationType) ?? operationType, rows: numAffectedRows, datasets: toStrings(affectedDatasets), actor })

/** Who queried a dataset how often, and which of its fields, the most first. */
const readUsers = ({ userCounts }: Record<string, Aspect>): unknown => listCounts(userCounts, 'user', 'count')
const readUsedFields = ({ fieldCounts }: Record<string, Aspect>): unknown => listCounts(fieldCounts, 'fieldPath', 'count')

const listCounts = (list: unknown, name: string, count: string): unknown => {
  if (!Array.isArray(list)) return undefined
  const counts = list
    .filter(isObject)
    .flatMap((each) => (toText(each[name]) && Number.isSafeInteger(each[count]) ? [[each[name], each[count]] as [string, number]] : []))
  return Object.fromEntries(counts.toSorted(([, a], [, b]) => b - a).slice(0, MAX_LISTED))
}

/** Losses: lists of counts of which only the beginning is stored. */
const describeTruncatedLists = (aspect: string, lists: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(lists).flatMap(([field, list]) =>
    Array.isArray(list) && list.length > MAX_LISTED
      ? `${(list.length - MAX_LISTED).toLocaleString('en')} of ${list.length.toLocaleString('en')} ${field} of the aspect ${aspect}: the ${MAX_LISTED} with the highest counts are stored.`
      : [],
  )

const describeTitled =
  (info: string, editable: string, ...titleNames: string[]) =>
  (entity: Entity): Description => {
    const properties = getAspect(entity, info)
    const { customProperties, title: _, name: __, description, chartUrl, dashboardUrl, externalUrl, ...others } = properties
    const edited = toText(getAspect(entity, editable).description)
    const [url, ...otherUrls] = [chartUrl, dashboardUrl, externalUrl].flatMap((each) => toText(each) ?? [])
    return {
      title: titleNames.map((name) => toText(properties[name])).find(Boolean) ?? getUrnParts(entity.urn).at(-1)!,
      description: edited ?? toText(description),
      url,
      facts: {
        ...{ custom_properties: customProperties, ...pickFacts(others), ...readJobFields(entity) },
        users: listCounts(getViews(entity).userCounts, 'user', 'viewsCount'),
        other_urls: otherUrls.filter((each) => each !== url),
        description_in_source: edited ? toText(description) : undefined,
      },
      losses: describeTruncatedLists(`${entity.type}UsageStatistics`, { userCounts: getViews(entity).userCounts }),
      ...readViews(entity),
    }
  }

/** How often a chart or dashboard was viewed: in a day, or ever since it was created. */
const readViews = (entity: Entity): Pick<Description, 'reported' | 'used'> => {
  const { viewsCount, eventGranularity } = getViews(entity)
  if (toCount(viewsCount) === undefined) return {}
  if (isObject(eventGranularity)) return { reported: { external_usage: Math.min(viewsCount, MAX_INTEGER) } }
  const since = toTime(getAspect(entity, `${entity.type}Info`).lastModified?.created?.time) ?? null
  return { used: { calls: viewsCount, since } }
}

const getViews = (entity: Entity): Record<string, Aspect> => getAspect(entity, `${entity.type}UsageStatistics`)

/** Columns that a job reads and writes, without saying which flows into which. */
const readJobFields = (entity: Entity): Record<string, unknown> => {
  const { inputDatasetFields, outputDatasetFields } = getAspect(entity, 'dataJobInputOutput')
  return { input_fields: toStrings(inputDatasetFields), output_fields: toStrings(outputDatasetFields) }
}

/** Everything but lineage, which is stored as edges. */
const pickFacts = ({
  inputs: _,
  inputEdges: __,
  charts: ___,
  chartEdges: ____,
  datasets: _____,
  datasetEdges: ______,
  dashboards: _______,
  ...others
}: Record<string, Aspect>): Record<string, Aspect> => others

const describeRun = (entity: Entity): Description => {
  const { name, customProperties, externalUrl, created, type } = getAspect(entity, 'dataProcessInstanceProperties')
  const { status, result, timestampMillis, durationMillis } = getAspect(entity, 'dataProcessInstanceRunEvent')
  const at = toTime(timestampMillis)
  const isRunning = status === 'STARTED'
  return {
    title: toText(name) ?? getUrnParts(entity.urn)[0]!,
    url: toText(externalUrl),
    facts: {
      type,
      status,
      result: result?.type,
      state: isRunning ? 'RUNNING' : status === 'COMPLETE' ? (RUN_STATES.get(result?.type) ?? 'COMPLETED') : undefined,
      started_at:
        toTime(created?.time) ??
        (isRunning ? at : at && Number.isSafeInteger(durationMillis) ? toTime(timestampMillis - durationMillis) : undefined),
      ended_at: isRunning ? undefined : at,
      duration_ms: durationMillis,
      upstream_runs: toStrings(getAspect(entity, 'dataProcessInstanceRelationships').upstreamInstances),
      custom_properties: customProperties,
    },
    ...(at ? { reported: { external_updated_at: at } } : {}),
  }
}

/** As shown with the runs of a job. */
const RUN_STATES: ReadonlyMap<unknown, string> = new Map([
  ['SUCCESS', 'COMPLETED'],
  ['FAILURE', 'FAILED'],
  ['SKIPPED', 'ABORTED'],
  ['UP_FOR_RETRY', 'ABORTED'],
])

const describeQuery = (entity: Entity): Description => {
  const { statement, name, description, customProperties, source } = getAspect(entity, 'queryProperties')
  const { queryCount } = getAspect(entity, 'queryUsageStatistics')
  const platform = toPlatformName(getAspect(entity, 'dataPlatformInstance').platform)
  const sql = toText(statement?.value)
  const calls = Number.isSafeInteger(queryCount) && queryCount > 0 ? queryCount : 0
  return {
    title: (toText(name) ?? sql ?? getUrnParts(entity.urn)[0]!).replace(/\s+/g, ' ').slice(0, 200),
    description: toText(description),
    facts: { source, custom_properties: customProperties, subjects: readSubjects(entity) },
    ...(sql ? { made_by: { sql, dialect: platform && dialectNames.includes(platform) ? platform : 'postgres' } } : {}),
    ...(calls > 0 ? { used: { calls, hours: 24 } } : {}),
  }
}

/** A metric or a semantic model. Its expressions and fields are kept as they are. */
const describeSemantics = (entity: Entity): Description => {
  const { name, description, externalUrl, customProperties } = getAspect(entity, `${entity.type}Info`)
  return {
    title: toText(name) ?? getUrnParts(entity.urn).at(-1)!,
    description: toText(description),
    url: toText(externalUrl),
    native_type: entity.type === 'metric' ? 'Metric' : 'Semantic model',
    facts: { custom_properties: customProperties },
  }
}

const describeTerm = (entity: Entity): Description => {
  const info = getAspect(entity, `${entity.type}Info`)
  return {
    title: toText(info.name) ?? getUrnParts(entity.urn)[0]!.split('.').at(-1)!,
    description: toText(info.definition),
    url: toText(info.sourceUrl),
    native_type: entity.type === 'glossaryNode' ? 'Term group' : 'Term',
    facts: { source: info.sourceRef, custom_properties: info.customProperties },
  }
}

const describeCollection = (entity: Entity): Description => {
  const properties = getAspect(entity, entity.type === 'domain' ? 'domainProperties' : 'dataProductProperties')
  return {
    title: toText(properties.name) ?? getUrnParts(entity.urn)[0]!,
    description: toText(properties.description),
    url: toText(properties.externalUrl),
    native_type: entity.type === 'domain' ? 'Domain' : 'Data product',
    facts: { custom_properties: properties.customProperties },
  }
}

const describeDocument = (entity: Entity): Description => {
  const { title, contents, externalUrl, customProperties, status } = getAspect(entity, 'documentInfo')
  return {
    title: toText(title) ?? getUrnParts(entity.urn)[0]!,
    definition: toText(contents?.text),
    url: toText(externalUrl),
    facts: { custom_properties: customProperties, state: status?.state },
  }
}

const describeAssertion = (entity: Entity): Description => {
  const info = getAspect(entity, 'assertionInfo')
  const { result, timestampMillis, status } = getAspect(entity, 'assertionRunEvent')
  const about = isObject(info.datasetAssertion) ? info.datasetAssertion : isObject(info.customAssertion) ? info.customAssertion : {}
  const fallback = toText(about.nativeType) ?? toText(about.type) ?? toText(info.type) ?? 'Assertion'
  const test = toText(info.customProperties?.dbt_unique_id)
  return {
    title: (toText(info.description) ?? test ?? fallback).slice(0, 500),
    url: toText(info.externalUrl),
    facts: {
      assertion: info,
      last_run: omitEmpty({ status, result: result?.type, at: toTime(timestampMillis), details: result?.nativeResults }),
    },
  }
}

/** An entity of an unknown shape has the last part of its URN as title. */
export const describeEntity = (entity: Entity): Description => {
  const described = DESCRIBERS.get(entity.type)?.(entity) ?? { title: getUrnParts(entity.urn).at(-1)! }
  const documentations = readDocumentations(entity)
  const description = described.description ?? documentations[0]
  return { ...described, description, facts: { ...described.facts, documentations: documentations.filter((each) => each !== description) } }
}

const DESCRIBERS: ReadonlyMap<string, (entity: Entity) => Description> = new Map([
  ['dataset', describeDataset],
  ['container', describeTitled('containerProperties', 'editableContainerProperties', 'name')],
  ['chart', describeTitled('chartInfo', 'editableChartProperties', 'title')],
  ['dashboard', describeTitled('dashboardInfo', 'editableDashboardProperties', 'title')],
  ['dataFlow', describeTitled('dataFlowInfo', 'editableDataFlowProperties', 'name')],
  ['dataJob', describeTitled('dataJobInfo', 'editableDataJobProperties', 'name')],
  ['dataProcessInstance', describeRun],
  ['query', describeQuery],
  ['metric', describeSemantics],
  ['semanticModel', describeSemantics],
  ['glossaryNode', describeTerm],
  ['glossaryTerm', describeTerm],
  ['assertion', describeAssertion],
  ['domain', describeCollection],
  ['dataProduct', describeCollection],
  ['document', describeDocument],
])

const readForeignKeys = (keys: unknown): unknown =>
  Array.isArray(keys)
    ? keys.filter(isObject).map(({ name, sourceFields, foreignFields, foreignDataset }) => ({
        name,
        columns: toStrings(sourceFields).map((urn) => parseFieldUrn(urn)?.path.join('.') ?? urn),
        references: foreignDataset,
        referenced_columns: toStrings(foreignFields).map((urn) => parseFieldUrn(urn)?.path.join('.') ?? urn),
      }))
    : undefined

/** The mark, and since when: DataHub itself only dates the planned removal, which stays among the facts. */
export const readDeprecation = (entity: Entity): Pick<Item['fields'], 'deprecation'> => {
  const aspect = ['deprecation', 'datasetDeprecation'].find((name) => entity.aspects.has(name))
  if (!aspect) return {}
  const { deprecated, note } = getAspect(entity, aspect)
  if (deprecated !== true) return { deprecation: null }
  return { deprecation: { reason: toText(note)?.slice(0, MAX_REASON_LENGTH) ?? null, since: entity.changedAt?.get(aspect) ?? null } }
}

export const readLinks = (entity: Entity): unknown => {
  const { elements } = getAspect(entity, 'institutionalMemory')
  return Array.isArray(elements) ? elements.filter(isObject).map(({ url, description }) => ({ url, description })) : undefined
}

const readSubjects = (entity: Entity): string[] => {
  const { subjects } = getAspect(entity, 'querySubjects')
  return Array.isArray(subjects) ? subjects.flatMap((each) => (isObject(each) ? (toText(each.entity) ?? []) : [])) : []
}

export const toPlatformName = (urn: unknown): string | undefined => (typeof urn === 'string' ? getUrnParts(urn)[0] : undefined)
