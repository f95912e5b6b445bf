import { buildItemKey, type Item } from '../sync/item.ts'
import { type Aspect, isObject } from './change.ts'
import { describeEntity, readDeprecation, readLinks, toPlatformName } from './describe-entity.ts'
import { type Entities, type Entity, getAspect, isRemoved, omitEmpty, toStrings, toText } from './entities.ts'
import { ENTITY_TYPES, getContainerType, NAMED_BY_URN, NO_ITEMS, READ_ASPECTS } from './entity-kinds.ts'
import {
  type ColumnEntity,
  type Field,
  findColumnEntities,
  findEditedPaths,
  getDocumentation,
  mergeReferences,
  readFields,
} from './fields.ts'
import type { LossReport } from './losses.ts'
import { getEmail, getGroupName, getTagName, type References, readOwners, readTags, readTerms } from './references.ts'
import { findAssertedDataset, findDashboardsOfCharts, findProducts } from './relations.ts'
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

const MAX_KEPT_CHARACTERS = 10_000
/** Containers in containers: deeper ones are at the top. */
const MAX_NESTING = 50

class ItemBuilder {
  readonly #sources: ItemSources
  readonly #items = new Map<string, Item>()
  readonly #open = new Set<string>()
  readonly #dashboards: ReadonlyMap<string, string>
  /** Columns with aspects of their own, by dataset. */
  readonly #columnEntities: ReadonlyMap<string, readonly ColumnEntity[]>
  /** The data products of each entity. */
  readonly #products: ReadonlyMap<string, readonly string[]>

  constructor(sources: ItemSources) {
    this.#sources = sources
    this.#dashboards = findDashboardsOfCharts(sources.entities)
    this.#columnEntities = findColumnEntities(sources.entities)
    this.#products = findProducts(sources.entities)
  }

  build(): Item[] {
    const { entities, named, elsewhere, losses } = this.#sources
    for (const { urn, type } of entities.values()) {
      if (ENTITY_TYPES.has(type) || type === 'container') this.#add(urn)
      else if (!NO_ITEMS.has(type)) losses.add(`${urn}: the catalog has no place for entities of type ${type}.`)
      else this.#reportReferenced(entities.get(urn)!)
    }
    for (const urn of [...named.keys(), ...this.#columnEntities.keys()]) if (!elsewhere.has(urn)) this.#add(urn)
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
    const isKnown = entities.has(urn) ? !isRemoved(entity) && !isCheckpoint(entity) : NAMED_BY_URN.has(entity.type)
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
      case 'domain': {
        const domain = toText(getAspect(entity, 'domainProperties').parentDomain)
        return domain ? this.#add(domain) : undefined
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
    const [subType, ...otherSubTypes] = toStrings(getAspect(entity, 'subTypes').typeNames)
    const { unmatched_owners, ...references } = this.#resolveReferences(entity.aspects, urn)
    const collections = this.#resolveCollections(entity)
    return {
      ...rest,
      fields: {
        title,
        ...((subType ?? native_type) ? { native_type: subType ?? native_type } : {}),
        ...(description ? { description } : {}),
        ...(url ? { url: url.slice(0, 4000) } : {}),
        ...readDeprecation(entity),
        ...references,
        ...(collections.length > 0 ? { collections } : {}),
      },
      facts: omitEmpty({
        urn,
        platform,
        platform_instance: instance ? getUrnParts(instance).at(-1) : undefined,
        sub_types: otherSubTypes.length > 0 ? [subType, ...otherSubTypes] : undefined,
        ...facts,
        unmatched_owners,
        links: readLinks(entity),
        deprecation: entity.aspects.get('deprecation') ?? entity.aspects.get('datasetDeprecation'),
        aspects: this.#keepOthers(urn, entity.aspects),
      }),
    }
  }

  /** Tags, owners and terms, as far as the catalog has them; the others are reported. */
  #resolveReferences(
    aspects: ReadonlyMap<string, Aspect>,
    of: string,
  ): Partial<Item['fields']> & { readonly unmatched_owners?: readonly string[] } {
    const { references, losses, entities } = this.#sources
    const read = (name: string): Record<string, Aspect> => (isObject(aspects.get(name)) ? aspects.get(name) : {})
    const tags = readTags(read('globalTags')).flatMap((urn) => {
      const id = references.tags.get(getTagName(urn, entities))
      if (!id) losses.add(`${of}: the tag ${urn}, whose name is empty or longer than 200 characters.`)
      return id ?? []
    })
    const owners: string[] = []
    const owners_groups: string[] = []
    const unmatched_owners: string[] = []
    for (const owner of readOwners(read('ownership'))) {
      const [list, found] = owner.startsWith('urn:li:corpGroup:')
        ? [owners_groups, references.groups.get(getGroupName(owner, entities).toLowerCase())]
        : [owners, references.people.get(getEmail(owner, entities))]
      if (found) list.push(found)
      else {
        unmatched_owners.push(owner)
        losses.add(`${of}: the owner ${owner} is no user or group of this workspace.`)
      }
    }
    const named = readTerms(read('glossaryTerms')).filter((urn) => {
      const isAdded = this.#add(urn) !== undefined
      if (!isAdded && !this.#open.has(urn)) losses.add(`${of}: the term ${urn}, which was removed.`)
      return isAdded
    })
    const terms = named.flatMap((urn) => references.terms.get(urn) ?? [])
    return {
      ...(tags.length > 0 ? { tags: [...new Set(tags)] } : {}),
      ...(owners.length > 0 ? { owners: [...new Set(owners)] } : {}),
      ...(owners_groups.length > 0 ? { owners_groups: [...new Set(owners_groups)] } : {}),
      ...(terms.length > 0 ? { terms: [...new Set(terms)] } : {}),
      ...(unmatched_owners.length > 0 ? { unmatched_owners } : {}),
    }
  }

  /** Domains and data products are collections. */
  #resolveCollections(entity: Entity): string[] {
    const { references } = this.#sources
    const urns = [...toStrings(getAspect(entity, 'domains').domains), ...(this.#products.get(entity.urn) ?? [])]
    return [...new Set(urns.filter((urn) => this.#add(urn)).flatMap((urn) => references.terms.get(urn) ?? []))]
  }

  /** Users, groups and tags become no resources: what they say beyond their names is reported. */
  #reportReferenced({ urn, type, aspects }: Entity): void {
    const { references, losses, entities } = this.#sources
    if (type === 'corpuser' && !references.people.has(getEmail(urn, entities)))
      losses.add(`${urn}: users are not created from events, and none of this workspace has the address ${getEmail(urn, entities)}.`)
    if (type === 'corpGroup' && !references.groups.has(getGroupName(urn, entities).toLowerCase()))
      losses.add(`${urn}: groups are not created from events, and none of this workspace is called ${getGroupName(urn, entities)}.`)
    if (type === 'schemaField') return
    const lost = ['ownership', 'globalTags', 'glossaryTerms', 'domains'].filter((name) => aspects.has(name))
    if (lost.length > 0) losses.add(`${urn}: the aspects ${lost.join(', ')} of an entity of type ${type}.`)
  }

  /** Aspects without a field of their own are kept as they are, within limits. */
  #keepOthers(of: string, aspects: ReadonlyMap<string, Aspect>): Record<string, Aspect> {
    const kept: Record<string, Aspect> = {}
    for (const [name, value] of aspects) {
      if (READ_ASPECTS.has(name)) continue
      if (JSON.stringify(value).length <= MAX_KEPT_CHARACTERS) kept[name] = value
      else this.#sources.losses.add(`${of}: the aspect ${name} is larger than ${MAX_KEPT_CHARACTERS.toLocaleString('en')} characters.`)
    }
    return kept
  }

  #addColumns(entity: Entity): void {
    const { named, losses } = this.#sources
    const { urn } = entity
    const own = new Map((this.#columnEntities.get(urn) ?? []).map((column) => [column.path.join('\0'), column.entity]))
    const paths = new Set<string>()
    for (const field of readFields(entity)) {
      const path = field.path.join('\0')
      if (paths.has(path)) losses.add(`${urn}: the field ${field.path_text}, because another field has the same name.`)
      else this.#addColumn(urn, field.path, this.#describeColumn(urn, field, own.get(path)))
      paths.add(path)
      own.delete(path)
    }
    for (const path of findEditedPaths(entity).filter((path) => !paths.has(path.join('\0'))))
      losses.add(`${urn}: what people wrote about the field ${path.join('.')}, which is not in its schema.`)
    for (const [path, column] of own)
      this.#addColumn(urn, path.split('\0'), this.#describeColumn(urn, { path: path.split('\0'), aspects: new Map() }, column))
    for (const path of named.get(urn)?.values() ?? []) this.#addColumn(urn, path, { fields: {} })
  }

  #describeColumn(
    dataset: string,
    field: Pick<Field, 'path' | 'aspects'> & Partial<Field>,
    own: Entity | undefined,
  ): Pick<Item, 'own' | 'facts'> & { fields: Partial<Item['fields']> } {
    const of = `${dataset} ${field.path.join('.')}`
    const aspects = mergeReferences(field.aspects, own?.aspects ?? new Map())
    const description = toText(getDocumentation(own)) ?? field.description
    const { unmatched_owners, ...references } = this.#resolveReferences(aspects, of)
    return {
      fields: {
        ...(field.native_type ? { native_type: field.native_type.slice(0, 500) } : {}),
        ...(description ? { description } : {}),
        ...(own ? readDeprecation(own) : {}),
        ...references,
      },
      ...(field.position === undefined ? {} : { own: { sort_order: field.position, ...(field.is_key ? { is_pk: true } : {}) } }),
      facts: omitEmpty({
        nullable: field.nullable,
        partitioned_by: field.is_partitioning,
        label: field.label,
        unmatched_owners,
        aspects: own ? this.#keepOthers(of, own.aspects) : undefined,
      }),
    }
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

/** What DataHub's client remembers of its last run. */
const isCheckpoint = ({ aspects }: Entity): boolean => [...aspects.keys()].some((name) => name.startsWith('datahubIngestion'))
