import { isObject, omitEmpty } from '../../platform/core/json-value.ts'
import type { Item } from '../sync/item.ts'
import type { Aspect } from './change.ts'
import type { ColumnNames } from './column-names.ts'
import { describeEntity, readDeprecation, readLinks, toPlatformName } from './describe-entity.ts'
import { type Entity, getAspect, toStrings, toText } from './entities.ts'
import {
  type ColumnEntity,
  type Field,
  findColumnEntities,
  findUsedFields,
  mergeReferences,
  readDocumentations,
  readEdits,
  readFields,
} from './fields.ts'
import type { ItemSources } from './items.ts'
import { readTags, readTerms } from './references.ts'
import { findProducts, readFolders } from './relations.ts'
import { ReferenceResolver } from './resolve-references.ts'
import { getPlatform, getUrnParts, parseFieldPath } from './urn.ts'

export interface DescribedColumn extends Pick<Item, 'own' | 'facts'> {
  readonly path: readonly string[]
  readonly fields: Partial<Item['fields']>
}

/** What the entities say about themselves and their columns, with what they refer to resolved. Pure. */
export class ItemDescriber {
  readonly #sources: ItemSources
  readonly #resolver: ReferenceResolver
  /** Columns with aspects of their own, by dataset. */
  readonly #columnEntities: ReadonlyMap<string, readonly ColumnEntity[]>
  /** Columns that charts describe, by dataset. */
  readonly #usedFields: ReadonlyMap<string, readonly Field[]>
  /** The data products of each entity. */
  readonly #products: ReadonlyMap<string, readonly string[]>
  readonly #names: ColumnNames

  constructor(sources: ItemSources, isPlaced: (urn: string) => boolean) {
    this.#sources = sources
    this.#resolver = new ReferenceResolver(sources, isPlaced)
    this.#names = sources.columnNames
    this.#columnEntities = findColumnEntities(sources.entities, this.#names)
    this.#usedFields = findUsedFields(sources.entities, this.#names)
    this.#products = findProducts(sources.entities)
  }

  get datasetsOfColumns(): readonly string[] {
    return [...this.#columnEntities.keys()]
  }

  describe(entity: Entity): Omit<Item, 'key' | 'parent' | 'entity_type'> {
    const { urn, aspects } = entity
    const { title, description, definition, url, native_type, facts, losses = [], ...rest } = describeEntity(entity)
    for (const line of losses) this.#sources.losses.add(`${urn}: ${line}`)
    const platform = getPlatform(urn) ?? toPlatformName(getAspect(entity, 'dataPlatformInstance').platform)
    const instance = toText(getAspect(entity, 'dataPlatformInstance').instance)
    const [subType, ...otherSubTypes] = toStrings(getAspect(entity, 'subTypes').typeNames)
    const references = this.#resolver.resolve(aspects, urn)
    return {
      ...rest,
      fields: {
        title,
        ...((subType ?? native_type) ? { native_type: subType ?? native_type } : {}),
        ...(description ? { description } : {}),
        ...(definition ? { definition } : {}),
        ...(url ? { url: url.slice(0, 4000) } : {}),
        ...readDeprecation(entity),
        ...references.fields,
        ...this.#resolver.resolveCollections(entity, this.#products.get(urn)),
      },
      facts: omitEmpty({
        urn,
        platform,
        platform_instance: instance ? getUrnParts(instance).at(-1) : undefined,
        sub_types: otherSubTypes.length > 0 ? [subType, ...otherSubTypes] : undefined,
        ...facts,
        ...references.facts,
        links: readLinks(entity),
        deprecation: aspects.get('deprecation') ?? aspects.get('datasetDeprecation'),
        folders: readFolders(entity, this.#sources.entities),
        aspects: this.#resolver.keepOthers(urn, entity.type, aspects),
      }),
    }
  }

  /** The columns of a dataset, parents first. */
  describeColumns(entity: Entity): DescribedColumn[] {
    const { urn } = entity
    const own = new Map((this.#columnEntities.get(urn) ?? []).map(({ path, entity }) => [toPathText(path), { path, entity }]))
    const used = Map.groupBy(this.#usedFields.get(urn) ?? [], ({ path }) => toPathText(path))
    const fields = Map.groupBy(readFields(entity, this.#names), ({ path }) => toPathText(path))
    const paths = new Map([...fields.values(), ...used.values(), ...own.values()].map((each) => toEntry([each].flat()[0]!.path)))
    this.#reportUnknownEdits(entity, new Set(paths.keys()))
    this.#reportNameless(entity)
    return [...paths]
      .toSorted(([, one], [, other]) => one.length - other.length)
      .map(([text, path]) => {
        const [field, ...others] = fields.get(text) ?? []
        for (const { path_text } of others)
          this.#sources.losses.add(`${urn}: the field ${path_text}, because another field has the same name.`)
        return this.#describeColumn(
          urn,
          path,
          [field, ...others, ...(used.get(text) ?? [])].filter((each) => each !== undefined),
          own.get(text)?.entity,
        )
      })
  }

  /** Fields of the same name are types of a union: the first one counts, with the tags and terms of all. */
  #describeColumn(dataset: string, path: readonly string[], fields: readonly Field[], own: Entity | undefined): DescribedColumn {
    const of = `${dataset} ${path.join('.')}`
    const [field] = fields
    const aspects = [...fields.map((each) => each.aspects), own?.aspects ?? new Map<string, Aspect>()].reduce(mergeReferences)
    const [documentation, ...documentations] = readDocumentations(own)
    const described = fields.find((each) => each.description)
    const description = documentation ?? described?.description
    const unread = new Map(fields.toReversed().flatMap((each) => [...each.unread]))
    const references = this.#resolver.resolve(aspects, of)
    return {
      path,
      fields: {
        ...(field?.native_type ? { native_type: field.native_type.slice(0, 500) } : {}),
        ...(description ? { description } : {}),
        ...(own ? readDeprecation(own) : {}),
        ...references.fields,
        ...(own ? this.#resolver.resolveCollections(own) : {}),
      },
      ...(field?.position === undefined ? {} : { own: { sort_order: field.position, ...(field.is_key ? { is_pk: true } : {}) } }),
      facts: omitEmpty({
        nullable: field?.nullable,
        partitioned_by: field?.is_partitioning,
        label: field?.label,
        description_in_source: documentation ? described?.description : described?.description_in_source,
        documentations,
        ...references.facts,
        ...(own ? { links: readLinks(own), deprecation: own.aspects.get('deprecation') } : {}),
        aspects: this.#resolver.keepOthers(of, 'schemaField', own?.aspects ?? new Map(), unread),
      }),
    }
  }

  #reportNameless(entity: Entity): void {
    const { fields } = getAspect(entity, 'schemaMetadata')
    const unread = Array.isArray(fields)
      ? fields.filter((field) => !isObject(field) || parseFieldPath(toText(field.fieldPath) ?? '').length === 0)
      : []
    for (const field of unread) this.#sources.losses.add(`${entity.urn}: a field without a name: ${JSON.stringify(field)?.slice(0, 200)}`)
  }

  /** What people wrote about fields that a later schema no longer has. */
  #reportUnknownEdits(entity: Entity, known: ReadonlySet<string>): void {
    for (const { path, globalTags, glossaryTerms } of readEdits(entity, this.#names)) {
      if (known.has(toPathText(path))) continue
      const names = [...readTags(globalTags), ...readTerms(glossaryTerms)]
      const about = `${entity.urn}: what people wrote about the field ${path.join('.')}, which is not in its schema`
      this.#sources.losses.add(names.length > 0 ? `${about} (${names.join(', ')}).` : `${about}.`)
    }
  }
}

const toPathText = (path: readonly string[]): string => path.join('\0')
const toEntry = (path: readonly string[]): [string, readonly string[]] => [toPathText(path), path]
