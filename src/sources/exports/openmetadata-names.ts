import { type Json, toText, toUrnPart } from './event-writer.ts'

/** Names of OpenMetadata. Pure. */

/** The parts of a full name. A part that contains a dot is quoted: `service."my.db".schema`. */
export const splitName = (name: string): string[] =>
  [...name.matchAll(/"((?:[^"]|"")*)"|[^."]+/g)].map(([part, quoted]) => quoted?.replaceAll('""', '"') ?? part!)

export const titleOf = (record: Json): string => toText(record.displayName) ?? toText(record.name) ?? String(record.fullyQualifiedName)

const KINDS = new Set([
  ...['table', 'database', 'databaseschema', 'topic', 'container', 'searchindex', 'dashboarddatamodel', 'chart', 'dashboard', 'pipeline'],
  ...['glossary', 'glossaryterm', 'domain', 'dataproduct', 'tag', 'user', 'team', 'query', 'testcase', 'lineage', 'classification'],
])
const PLURALS: ReadonlyMap<string, string> = new Map([
  ['glossaries', 'glossary'],
  ['queries', 'query'],
  ['searchindexes', 'searchindex'],
])

/** The kind of a record: as its address says, as it says itself, or as its file is called. */
export const kindOf = (file: string, record: Json): string | undefined => {
  if ([record.upstreamEdges, record.downstreamEdges].some((edges) => typeof edges === 'object' && edges !== null)) return 'lineage'
  const [, collection = ''] = /\/v1\/(?:dashboard\/)?([A-Za-z]+(?:\/testCases)?)\//.exec(toText(record.href) ?? '') ?? []
  return [record.entityType, collection.split('/').at(-1), file].map(toKind).find((kind) => kind !== undefined)
}

const toKind = (name: unknown): string | undefined => {
  const text = toText(name)
    ?.toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  if (!text) return undefined
  if (text === 'datamodels') return 'dashboarddatamodel'
  const single = PLURALS.get(text) ?? text.replace(/s$/, '')
  return KINDS.has(text) ? text : KINDS.has(single) ? single : undefined
}

/** The URN of a record, or undefined if events have no entity of this kind. */
export const buildUrn = (kind: string, record: Json): string | undefined => {
  const name = splitName(toText(record.fullyQualifiedName) ?? toText(record.name) ?? '').join('.')
  if (name === '') return undefined
  const platform = (toText(record.serviceType) ?? 'openmetadata').toLowerCase()
  const part = toUrnPart(name)
  switch (toKind(kind)) {
    case 'database':
    case 'databaseschema':
      return `urn:li:container:${part}`
    case 'table':
    case 'topic':
    case 'container':
    case 'searchindex':
    case 'dashboarddatamodel':
      return `urn:li:dataset:(urn:li:dataPlatform:${platform},${part},PROD)`
    case 'chart':
    case 'dashboard':
      return `urn:li:${toKind(kind)}:(${platform},${part})`
    case 'pipeline':
      return `urn:li:dataFlow:(${platform},${part},PROD)`
    case 'glossary':
      return `urn:li:glossaryNode:${part}`
    case 'glossaryterm':
      return `urn:li:glossaryTerm:${part}`
    case 'domain':
      return `urn:li:domain:${part}`
    case 'dataproduct':
      return `urn:li:dataProduct:${part}`
    case 'tag':
      return `urn:li:tag:${part}`
    case 'user':
      return `urn:li:corpuser:${toText(record.email) ?? record.name}`
    case 'team':
      return `urn:li:corpGroup:${toText(record.displayName) ?? record.name}`
    case 'query':
      return `urn:li:query:${part}`
    case 'testcase':
      return `urn:li:assertion:${part}`
    default:
      return undefined
  }
}

const SYSTEM_FIELDS = [
  ...['id', 'name', 'href', 'fullyQualifiedName', 'displayName', 'version', 'updatedAt', 'updatedBy', 'changeDescription', 'deleted'],
  ...['service', 'serviceType', 'database', 'databaseSchema', 'incrementalChangeDescription', 'entityStatus', 'createdBy', 'createdAt'],
]
/** Fields of any kind of record that are converted, or that only matter to OpenMetadata itself. */
export const READ_FIELDS = new Set([
  ...SYSTEM_FIELDS,
  ...['description', 'owner', 'owners', 'tags', 'columns', 'tableType', 'tableConstraints', 'schemaDefinition', 'sourceUrl', 'domain'],
  ...['domains', 'dataProducts', 'usageSummary', 'profile', 'charts', 'dataModels', 'chartType', 'dashboards', 'tasks', 'messageSchema'],
  ...['dataModel', 'fields', 'glossary', 'parent', 'style', 'email', 'isAdmin', 'teams', 'teamType', 'extension', 'query', 'queryUsedIn'],
  ...['entityLink', 'testDefinition', 'testCaseResult', 'parameterValues', 'sql', 'dataModelType', 'sourceHash', 'provider', 'fileFormat'],
  ...[
    'classification',
    'mutuallyExclusive',
    'disabled',
    'assets',
    'owned',
    'children',
    'dashboardUrl',
    'chartUrl',
    'pipelineUrl',
    'project',
  ],
])
