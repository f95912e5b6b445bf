import { isObject } from '../../platform/core/json-value.ts'
import { buildItemKey, type Item } from '../sync/item.ts'
import type { ColumnNames } from './column-names.ts'
import { type DescribedColumn, ItemDescriber } from './describe-item.ts'
import { type Entities, type Entity, getAspect, isRemoved, toText } from './entities.ts'
import { ENTITY_TYPES, getContainerType, hasColumns, NAMED_BY_URN, NO_ITEMS, OWN_OF_DATAHUB } from './entity-kinds.ts'
import type { LossReport } from './losses.ts'
import type { References } from './references.ts'
import { findAssertedDataset, findDashboardsOfCharts, findProducts } from './relations.ts'
import { findMentioned, REPORTED_ASPECTS, reportUnplaced } from './resolve-references.ts'
import { getPlatform, getUrnParts, parseFieldPath, parseFieldUrn, splitDatasetName } from './urn.ts'

export interface ItemSources {
  readonly entities: Entities
  readonly columnNames: ColumnNames
  /** Columns that only lineage names, by dataset. */
  readonly named: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** Entities that are resources of another integration, with their IDs. They get no item here. */
  readonly foreign: ReadonlyMap<string, string>
  readonly references: References
  readonly losses: LossReport
}

export const entityKey = (urn: string): string => buildItemKey(urn)
export const columnKey = (dataset: string, path: readonly string[]): string => buildItemKey(dataset, ...path)

/** What an entity, or a column of it, says about a resource of another integration. */
export interface Addition extends Pick<DescribedColumn, 'fields' | 'facts'> {
  readonly urn: string
  /** Of a column. */
  readonly path?: readonly string[]
}

/** In the catalog, but not as items. */
const TAGS = new Set(['tag'])

/** Containers in containers: deeper ones are at the top. */
const MAX_NESTING = 50

/** Converts the entities to items, parents before children, and to additions to resources of other integrations. Pure. */
export class ItemBuilder {
  readonly #sources: ItemSources
  /** The keys of all items so far. */
  readonly #keys = new Set<string>()
  /** Items that have not been passed on yet. */
  #ready: Item[] = []
  readonly #open = new Set<string>()
  readonly #dashboards: ReadonlyMap<string, string>
  readonly #describer: ItemDescriber

  constructor(sources: ItemSources) {
    this.#sources = sources
    this.#dashboards = findDashboardsOfCharts(sources.entities)
    this.#describer = new ItemDescriber(sources, (urn) => sources.foreign.has(urn) || this.#add(urn) !== undefined || this.#open.has(urn))
  }

  *items(): Generator<Item, void> {
    const { entities, named, losses } = this.#sources
    for (const entity of entities.values()) {
      const { urn, type } = entity
      if (ENTITY_TYPES.has(type) || type === 'container') {
        this.#add(urn)
        yield* this.#takeReady()
        continue
      }
      if (!NO_ITEMS.has(type)) losses.add(`${urn}: the catalog has no place for entities of type ${type}.`)
      if (OWN_OF_DATAHUB.has(type)) losses.add(`entities of type ${type}, which say something to DataHub only.`)
      reportUnplaced(entity, this.#sources)
    }
    for (const urn of [...named.keys(), ...this.#describer.datasetsOfColumns]) {
      this.#add(urn)
      yield* this.#takeReady()
    }
  }

  #takeReady(): Item[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  /** Whether there was an item with this key. */
  has(key: string): boolean {
    return this.#keys.has(key)
  }

  /** Must be called after the last item. */
  finish(): Addition[] {
    const { entities, foreign } = this.#sources
    const additions = [...foreign.keys()].flatMap((urn) => this.#describeAdditions(urn))
    this.#reportLostMembers()
    for (const entity of entities.values()) {
      if (this.#keys.has(entityKey(entity.urn)) || (!isRemoved(entity) && (foreign.has(entity.urn) || isColumn(entity))))
        this.#reportLostMentions(entity)
      if (!hasColumns(entity.urn) && !isRemoved(entity)) this.#reportLostFields(entity)
    }
    return additions
  }

  /** A glossary term may have a schema as well. */
  #reportLostFields(entity: Entity): void {
    const { fields } = getAspect(entity, 'schemaMetadata')
    for (const field of Array.isArray(fields) ? fields.filter(isObject) : [])
      this.#sources.losses.add(
        `${entity.urn}: the field ${parseFieldPath(toText(field.fieldPath) ?? '').join('.')}, because entities of type ${entity.type} have no columns.`,
      )
  }

  #reportLostMembers(): void {
    const { entities, foreign, losses } = this.#sources
    for (const [member, products] of findProducts(entities))
      if (!foreign.has(member) && !this.#keys.has(entityKey(member)))
        for (const product of products) losses.add(`${product}: its member ${member}, which is not in the catalog.`)
  }

  /** Siblings, subjects of queries, referenced tables …: what an entity refers to otherwise than by lineage. */
  #reportLostMentions({ urn, aspects }: Entity): void {
    const { losses, columnNames } = this.#sources
    for (const mentioned of findMentioned(aspects, REPORTED_ASPECTS)) {
      const column = parseFieldUrn(mentioned)
      const key = column ? columnKey(column.dataset, columnNames.resolve(column.dataset, column.path)) : entityKey(mentioned)
      if (this.#keys.has(key) || this.#hasNoItem(column?.dataset ?? mentioned)) continue
      losses.add(`${urn}: the relation with ${mentioned}, which is not in the catalog.`)
    }
  }

  #hasNoItem(urn: string): boolean {
    return this.#sources.foreign.has(urn) || TAGS.has(urn.split(':')[2]!)
  }

  #describeAdditions(urn: string): Addition[] {
    const entity = this.#sources.entities.get(urn) ?? { urn, type: urn.split(':')[2] ?? '', aspects: new Map() }
    if (isRemoved(entity)) return []
    const { fields, facts } = this.#describer.describe(entity)
    const columns = hasColumns(urn) ? this.#describer.describeColumns(entity) : []
    return [
      ...(entity.aspects.size > 0 ? [{ urn, fields, ...(facts ? { facts } : {}) }] : []),
      ...columns.map(({ path, fields, facts }) => ({ urn, path, fields, ...(facts ? { facts } : {}) })),
    ]
  }

  /** Adds an entity after its parents. Returns its key, if it has an item. */
  #add(urn: string): string | undefined {
    const { entities, foreign } = this.#sources
    const key = entityKey(urn)
    if (this.#keys.has(key)) return key
    const entity = entities.get(urn) ?? { urn, type: urn.split(':')[2] ?? '', aspects: new Map() }
    const entity_type = entity.type === 'container' ? getContainerType(entity, entities) : ENTITY_TYPES.get(entity.type)
    // What only others mention is added if it has a name of its own.
    const isKnown = entities.has(urn) ? !isRemoved(entity) && !isCheckpoint(entity) : NAMED_BY_URN.has(entity.type)
    if (!entity_type || !isKnown || foreign.has(urn) || this.#open.has(urn) || this.#open.size >= MAX_NESTING) return undefined
    this.#open.add(urn)
    const parent = this.#addParent(entity)
    this.#addItem({ key, ...(parent ? { parent } : {}), entity_type, ...this.#describer.describe(entity) })
    this.#open.delete(urn)
    if (hasColumns(urn)) this.#addColumns(entity)
    return key
  }

  #addItem(item: Item): void {
    this.#keys.add(item.key)
    this.#ready.push(item)
  }

  #addNamedParent(entity: Entity, kind: string, value: unknown): string | undefined {
    const { entities, foreign, losses } = this.#sources
    const urn = toText(value)
    const key = urn ? this.#add(urn) : undefined
    if (urn && !key && !entities.has(urn))
      losses.add(`${entity.urn}: its ${kind} ${urn}, ${foreign.has(urn) ? 'which is in another integration' : 'which no event describes'}.`)
    return key
  }

  #addParent(entity: Entity): string | undefined {
    const inContainer = this.#addNamedParent(entity, 'container', getAspect(entity, 'container').container)
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
      case 'glossaryNode':
        return this.#addNamedParent(entity, 'term group', getAspect(entity, `${entity.type}Info`).parentNode)
      case 'domain':
        return this.#addNamedParent(entity, 'domain', getAspect(entity, 'domainProperties').parentDomain)
      case 'document':
        return this.#addNamedParent(entity, 'document', getAspect(entity, 'documentInfo').parentDocument?.document)
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
    if (!this.#keys.has(key)) this.#addItem({ key, ...(parent ? { parent } : {}), entity_type, fields: { title, native_type } })
    return key
  }

  #addColumns(entity: Entity): void {
    const { urn } = entity
    for (const { path, ...column } of this.#describer.describeColumns(entity)) this.#addColumn(urn, path, column)
    for (const path of this.#sources.named.get(urn)?.values() ?? []) this.#addColumn(urn, path, { fields: {} })
  }

  /** With the columns it is nested in. */
  #addColumn(dataset: string, path: readonly string[], { fields, ...more }: Omit<DescribedColumn, 'path'>): string {
    const key = columnKey(dataset, path)
    if (this.#keys.has(key)) return key
    const parent = path.length > 1 ? this.#addColumn(dataset, path.slice(0, -1), { fields: {} }) : entityKey(dataset)
    this.#addItem({ key, parent, entity_type: 'column', fields: { title: path.at(-1)!, ...fields }, ...more })
    return key
  }
}

const isColumn = ({ type, urn }: Entity): boolean => type === 'schemaField' && hasColumns(parseFieldUrn(urn)?.dataset ?? '')

/** What DataHub's client remembers of its last run. */
const isCheckpoint = ({ aspects }: Entity): boolean =>
  !aspects.has('dataJobInfo') && [...aspects.keys()].some((name) => name.startsWith('datahubIngestion'))

/** Removed entities are stale resources, or none if they were never reported otherwise. */
export const reportRemoved = (entities: Entities, losses: LossReport): void => {
  for (const entity of entities.values())
    if (isRemoved(entity) && (ENTITY_TYPES.has(entity.type) || entity.type === 'container')) losses.add(`${entity.urn}: it was removed.`)
}
