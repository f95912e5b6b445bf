import { buildItemKey, type Item } from '../sync/item.ts'
import { type Aspect, isObject } from './change.ts'
import { describeEntity, readDeprecation, readLinks, toPlatformName } from './describe-entity.ts'
import { type Entities, type Entity, getAspect, isRemoved, omitEmpty, toStrings, toText } from './entities.ts'
import { getDocumentation, readFields } from './fields.ts'
import type { LossReport } from './losses.ts'
import { getEmail, getGroupName, getTagName, type References, readOwners, readTags, readTerms } from './references.ts'
import { getPlatform, getUrnParts, splitDatasetName } from './urn.ts'

export interface ItemSources {
  readonly entities: Entities
  /** Columns that only lineage names, by dataset. */
  readonly named: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** Datasets that are tables of another integration and get no item here. */
  readonly elsewhere: ReadonlySet<string>
  readonly references: References
  readonly losses: LossReport
}

export const entityKey = (urn: string): string => buildItemKey(urn)
export const columnKey = (dataset: string, path: readonly string[]): string => buildItemKey(dataset, ...path)

/** Converts the entities to items, parents before children. Pure. */
export const toItems = (sources: ItemSources): Item[] => new ItemBuilder(sources).build()

const ENTITY_TYPES: ReadonlyMap<string, string> = new Map([
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
])

/** Entities that others refer to, or that only matter to DataHub itself. */
const NO_ITEMS = new Set([
  ...['corpuser', 'corpGroup', 'tag', 'schemaField', 'dataPlatform', 'dataPlatformInstance', 'ownershipType', 'platformResource'],
  ...['versionSet', 'dataHubIngestionSource', 'dataHubExecutionRequest', 'telemetry', 'dataHubUpgrade'],
])

/** Aspects that are shown in fields of their own, or that repeat what others say. */
const READ_ASPECTS = new Set([
  ...[
    'status',
    'container',
    'subTypes',
    'dataPlatformInstance',
    'browsePaths',
    'browsePathsV2',
    'ownership',
    'globalTags',
    'glossaryTerms',
  ],
  ...['datasetProperties', 'editableDatasetProperties', 'schemaMetadata', 'editableSchemaMetadata', 'upstreamLineage', 'viewProperties'],
  ...['datasetKey', 'datasetProfile', 'datasetUsageStatistics', 'operation', 'institutionalMemory', 'containerProperties', 'containerKey'],
  ...['editableContainerProperties', 'chartInfo', 'chartKey', 'editableChartProperties', 'inputFields', 'dashboardInfo', 'dashboardKey'],
  ...['editableDashboardProperties', 'dataFlowInfo', 'dataFlowKey', 'editableDataFlowProperties', 'dataJobInfo', 'dataJobKey'],
  ...['editableDataJobProperties', 'dataJobInputOutput', 'dataProcessInstanceProperties', 'dataProcessInstanceRelationships'],
  ...['dataProcessInstanceRunEvent', 'queryProperties', 'querySubjects', 'queryUsageStatistics', 'glossaryNodeInfo', 'glossaryTermInfo'],
  ...['assertionInfo', 'assertionRunEvent', 'dataPlatformKey', 'glossaryTermKey', 'glossaryNodeKey', 'deprecation', 'datasetDeprecation'],
])
const MAX_KEPT_CHARACTERS = 10_000
/** Containers in containers: deeper ones are at the top. */
const MAX_NESTING = 50

class ItemBuilder {
  readonly #sources: ItemSources
  readonly #items = new Map<string, Item>()
  readonly #open = new Set<string>()
  readonly #dashboards: ReadonlyMap<string, string>

  constructor(sources: ItemSources) {
    this.#sources = sources
    this.#dashboards = findDashboardsOfCharts(sources.entities)
  }

  build(): Item[] {
    const { entities, named, elsewhere, losses } = this.#sources
    for (const { urn, type } of entities.values()) {
      if (ENTITY_TYPES.has(type) || type === 'container') this.#add(urn)
      else if (!NO_ITEMS.has(type)) losses.add(`${urn}: the catalog has no place for entities of type ${type}.`)
    }
    for (const urn of named.keys()) if (!elsewhere.has(urn)) this.#add(urn)
    return [...this.#items.values()]
  }

  /** Adds an entity after its parents. Returns its key, if it has an item. */
  #add(urn: string): string | undefined {
    const { entities, elsewhere } = this.#sources
    const key = entityKey(urn)
    if (this.#items.has(key)) return key
    const entity = entities.get(urn) ?? { urn, type: urn.split(':')[2] ?? '', aspects: new Map() }
    const entity_type = entity.type === 'container' ? getContainerType(entity, entities) : ENTITY_TYPES.get(entity.type)
    // What only others mention is added if it has a name of its own.
    const isKnown = entities.has(urn) ? !isRemoved(entity) : NAMED_BY_URN.has(entity.type)
    if (!entity_type || !isKnown || elsewhere.has(urn) || this.#open.has(urn) || this.#open.size >= MAX_NESTING) return undefined
    this.#open.add(urn)
    const parent = this.#addParent(entity)
    this.#items.set(key, { key, ...(parent ? { parent } : {}), entity_type, ...this.#describe(entity) })
    this.#open.delete(urn)
    if (entity.type === 'dataset') this.#addColumns(entity)
    return key
  }

  #addParent(entity: Entity): string | undefined {
    const container = toText(getAspect(entity, 'container').container)
    const inContainer = container ? this.#add(container) : undefined
    switch (entity.type) {
      case 'dataset':
        return inContainer ?? this.#addPath(entity)
      case 'dataJob':
        return this.#add(getUrnParts(entity.urn)[0]!) ?? inContainer
      case 'chart': {
        const dashboard = this.#dashboards.get(entity.urn)
        return inContainer ?? (dashboard ? this.#add(dashboard) : undefined)
      }
      case 'glossaryTerm':
      case 'glossaryNode': {
        const node = toText(getAspect(entity, `${entity.type}Info`).parentNode)
        return node ? this.#add(node) : undefined
      }
      case 'assertion': {
        const dataset = findAssertedDataset(entity)
        return dataset ? this.#add(dataset) : undefined
      }
      case 'dataProcessInstance': {
        const { parentTemplate, parentInstance } = getAspect(entity, 'dataProcessInstanceRelationships')
        const parent = toText(parentTemplate) ?? toText(parentInstance)
        return parent ? this.#add(parent) : inContainer
      }
      default:
        return inContainer
    }
  }

  /** Without a container: the platform, and the database and schema that the name of the dataset contains. */
  #addPath({ urn }: Entity): string {
    const platform = getPlatform(urn) ?? 'unknown'
    const containers = splitDatasetName(urn).slice(0, -1)
    if (containers.length === 0) return this.#addContainer(['platform', platform], 'database', platform, 'Platform')
    const path = ['platform', platform, ...containers]
    const database = this.#addContainer(path.slice(0, 3), 'database', containers[0]!, platform)
    return containers.length === 1 ? database : this.#addContainer(path, 'schema', containers[1]!, platform, database)
  }

  #addContainer(path: readonly string[], entity_type: string, title: string, native_type: string, parent?: string): string {
    const key = buildItemKey(...path)
    if (!this.#items.has(key)) this.#items.set(key, { key, ...(parent ? { parent } : {}), entity_type, fields: { title, native_type } })
    return key
  }

  #describe(entity: Entity): Omit<Item, 'key' | 'parent' | 'entity_type'> {
    const { urn } = entity
    const { title, description, url, native_type, facts, ...rest } = describeEntity(entity)
    const platform = getPlatform(urn) ?? toPlatformName(getAspect(entity, 'dataPlatformInstance').platform)
    const instance = toText(getAspect(entity, 'dataPlatformInstance').instance)
    const subType = toStrings(getAspect(entity, 'subTypes').typeNames)[0]
    return {
      ...rest,
      fields: {
        title,
        ...((subType ?? native_type) ? { native_type: subType ?? native_type } : {}),
        ...(description ? { description } : {}),
        ...(url ? { url: url.slice(0, 4000) } : {}),
        ...readDeprecation(entity),
        ...this.#resolveReferences(entity.aspects, urn),
      },
      facts: omitEmpty({
        urn,
        platform,
        platform_instance: instance ? getUrnParts(instance).at(-1) : undefined,
        ...facts,
        links: readLinks(entity),
        deprecation: entity.aspects.get('deprecation') ?? entity.aspects.get('datasetDeprecation'),
        aspects: this.#keepOthers(entity),
      }),
    }
  }

  /** Tags, owners and terms, as far as the catalog has them; the others are reported. */
  #resolveReferences(aspects: ReadonlyMap<string, Aspect>, of: string): Partial<Item['fields']> {
    const { references, losses, entities } = this.#sources
    const read = (name: string): Record<string, Aspect> => (isObject(aspects.get(name)) ? aspects.get(name) : {})
    const tags = readTags(read('globalTags')).flatMap((urn) => references.tags.get(getTagName(urn, entities)) ?? [])
    const owners: string[] = []
    const owners_groups: string[] = []
    for (const owner of readOwners(read('ownership'))) {
      const [list, found] = owner.startsWith('urn:li:corpGroup:')
        ? [owners_groups, references.groups.get(getGroupName(owner, entities).toLowerCase())]
        : [owners, references.people.get(getEmail(owner, entities))]
      if (found) list.push(found)
      else losses.add(`${of}: the owner ${owner} is no user or group of this workspace.`)
    }
    const named = readTerms(read('glossaryTerms')).filter((urn) => this.#add(urn))
    const terms = named.flatMap((urn) => references.terms.get(urn) ?? [])
    return {
      ...(tags.length > 0 ? { tags: [...new Set(tags)] } : {}),
      ...(owners.length > 0 ? { owners: [...new Set(owners)] } : {}),
      ...(owners_groups.length > 0 ? { owners_groups: [...new Set(owners_groups)] } : {}),
      ...(terms.length > 0 ? { terms: [...new Set(terms)] } : {}),
    }
  }

  /** Aspects without a field of their own are kept as they are, within limits. */
  #keepOthers({ urn, aspects }: Entity): Record<string, Aspect> {
    const kept: Record<string, Aspect> = {}
    for (const [name, value] of aspects) {
      if (READ_ASPECTS.has(name)) continue
      if (JSON.stringify(value).length <= MAX_KEPT_CHARACTERS) kept[name] = value
      else this.#sources.losses.add(`${urn}: the aspect ${name} is larger than ${MAX_KEPT_CHARACTERS.toLocaleString('en')} characters.`)
    }
    return kept
  }

  #addColumns(entity: Entity): void {
    const { named, entities } = this.#sources
    const { urn } = entity
    const fields = readFields(entity)
    for (const field of fields) {
      const own = entities.get(`urn:li:schemaField:(${urn},${field.path_text})`)
      const aspects = new Map([...field.aspects, ...(own?.aspects ?? [])])
      const description = toText(getDocumentation(own)) ?? field.description
      this.#addColumn(urn, field.path, {
        fields: {
          ...(field.native_type ? { native_type: field.native_type.slice(0, 500) } : {}),
          ...(description ? { description } : {}),
          ...this.#resolveReferences(aspects, `${urn} ${field.path.join('.')}`),
        },
        own: { sort_order: field.position, ...(field.is_key ? { is_pk: true } : {}) },
        facts: omitEmpty({ nullable: field.nullable, partitioned_by: field.is_partitioning }),
      })
    }
    for (const path of named.get(urn)?.values() ?? []) this.#addColumn(urn, path, { fields: {} })
  }

  /** With the columns it is nested in. Two fields of the same path are types of a union: the first one counts. */
  #addColumn(
    dataset: string,
    path: readonly string[],
    { fields, ...more }: Pick<Item, 'own' | 'facts'> & { fields: Partial<Item['fields']> },
  ): string {
    const key = columnKey(dataset, path)
    if (this.#items.has(key)) return key
    const parent = path.length > 1 ? this.#addColumn(dataset, path.slice(0, -1), { fields: {} }) : entityKey(dataset)
    this.#items.set(key, { key, parent, entity_type: 'column', fields: { title: path.at(-1)!, ...fields }, ...more })
    return key
  }
}

const NAMED_BY_URN = new Set(['dataset', 'chart', 'dashboard', 'dataFlow', 'dataJob', 'glossaryTerm'])

/** Databases and schemas for containers of datasets; groups for those of dashboards. */
const getContainerType = (entity: Entity, entities: Entities): string => {
  const subType = toStrings(getAspect(entity, 'subTypes').typeNames)[0] ?? ''
  if (/schema|namespace|dataset|keyspace/i.test(subType)) return 'schema'
  if (/database|catalog|server|instance|cluster|bucket|metastore/i.test(subType)) return 'database'
  if (/workspace|folder|site|collection|space|project|app|report|workbook|dashboard|model/i.test(subType) && subType !== 'Project')
    return 'dashboard_group'
  const parent = toText(getAspect(entity, 'container').container)
  return parent && entities.has(parent) ? 'schema' : 'database'
}

const findDashboardsOfCharts = (entities: Entities): Map<string, string> => {
  const found = new Map<string, string>()
  for (const entity of entities.values()) {
    if (entity.type !== 'dashboard' || isRemoved(entity)) continue
    const { charts, chartEdges } = getAspect(entity, 'dashboardInfo')
    for (const chart of [...toStrings(charts), ...toStrings(chartEdges)]) if (!found.has(chart)) found.set(chart, entity.urn)
  }
  return found
}

const findAssertedDataset = (entity: Entity): string | undefined => {
  const info = getAspect(entity, 'assertionInfo')
  for (const about of Object.values(info))
    if (isObject(about)) {
      const urn = toText(about.dataset) ?? toText(about.entity)
      if (urn) return urn
    }
  return toText(getAspect(entity, 'assertionRunEvent').asserteeUrn) ?? toText(info.entityUrn)
}
